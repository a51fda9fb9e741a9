package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Finds the methods in the stacks of samples that implement a probe of an interface: the probe `Prepared.query` is in
/// a method `query` of a class of another name. Looks at classes that are loaded already. Confined to one thread.
final class ImplementedProbes {
    private final Map<String, Set<String>> ownersByMethod = new HashMap<>();
    private final Map<String, String> found = new TreeMap<>();
    private final Set<String> seen = new HashSet<>();

    /// The probes of the samples' methods: the names of the probes by class and method, where they differ.
    static Map<String, String> of(Iterable<CallNode> roots, Iterable<Sample> samples) {
        ImplementedProbes probes = new ImplementedProbes();
        roots.forEach(probes::add);
        if (!probes.ownersByMethod.isEmpty()) {
            for (Sample sample : samples) {
                if (sample.kind().unit().equals("ns")) {
                    sample.stack().forEach(probes::look);
                }
            }
        }
        return probes.found;
    }

    private void add(CallNode node) {
        ownersByMethod.computeIfAbsent(node.method(), method -> new HashSet<>()).add(node.owner());
        node.children().forEach(this::add);
    }

    private void look(StackFrame frame) {
        Set<String> owners = ownersByMethod.get(frame.method());
        if (owners != null
                && !owners.contains(frame.owner())
                && !WaitKind.isOfTheJdk(frame)
                && seen.add(frame.name())) {
            String owner = owner(loaded(frame.owner()), owners);
            if (owner != null) {
                found.put(frame.name(), owner + "." + frame.method());
            }
        }
    }

    /// The first type among `owners` that `type` is, extends or implements; null if there is none.
    private static @Nullable String owner(@Nullable Class<?> type, Set<String> owners) {
        if (type == null || owners.contains(type.getName())) {
            return type == null ? null : type.getName();
        }
        for (Class<?> implemented : type.getInterfaces()) {
            String owner = owner(implemented, owners);
            if (owner != null) {
                return owner;
            }
        }
        return owner(type.getSuperclass(), owners);
    }

    private static @Nullable Class<?> loaded(String name) {
        try {
            return Class.forName(name, false, ImplementedProbes.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null; // of another loader: its waits count as outside of the probe
        }
    }
}
