package dev.oriel.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/// The workloads and subjects there are on this class path.
public final class Catalog {
    /// Ours first, then the peers' in the order of their class path.
    private final List<Subject> subjects = new ArrayList<>();

    private final List<Workload> workloads =
            ServiceLoader.load(Workload.class).stream().map(ServiceLoader.Provider::get).toList();

    /// Looks around on the class path.
    public Catalog() {
        for (Subjects source : ServiceLoader.load(Subjects.class)) {
            subjects.addAll(source.subjects());
        }
        for (Workload workload : workloads) {
            Set<String> names = new HashSet<>();
            for (Subject subject : subjects) {
                if (workload.takes(subject) && !names.add(subject.name())) {
                    throw new IllegalStateException(
                            "Two subjects of %s are named %s"
                                    .formatted(workload.name(), subject.name()));
                }
            }
        }
    }

    /// In the order in which they run.
    public List<Workload> workloads() {
        return workloads;
    }

    /// All of every kind, ours first.
    public List<Subject> subjects() {
        return subjects;
    }

    /// Whether a subject runs without being asked for by `--peers`.
    public static boolean ours(Subject subject) {
        return subject.product().equals("oriel") || subject.product().equals("machine");
    }

    /// The workload of a name.
    ///
    /// @throws IllegalArgumentException where there is none of that name
    public Workload workload(String name) {
        return workloads().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No workload " + name));
    }

    /// The subject of a name, of those that a workload takes.
    ///
    /// @throws IllegalArgumentException where the workload takes none of that name
    public Subject subject(Workload workload, String name) {
        return subjects.stream()
                .filter(workload::takes)
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "No subject " + name + " of " + workload.name()));
    }
}
