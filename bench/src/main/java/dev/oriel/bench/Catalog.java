package dev.oriel.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/// The workloads and subjects on this class path.
public final class Catalog {
    /// Oriel's subjects first, then the peers' in the order of their class path.
    private final List<Subject> subjects = new ArrayList<>();

    private final List<Workload> workloads =
            ServiceLoader.load(Workload.class).stream().map(ServiceLoader.Provider::get).toList();

    /// Searches the class path.
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

    /// In the order of their runs.
    public List<Workload> workloads() {
        return workloads;
    }

    /// All subjects of every kind, Oriel's first.
    public List<Subject> subjects() {
        return subjects;
    }

    /// Whether a subject runs without being listed in `--peers`.
    public static boolean ours(Subject subject) {
        return subject.product().equals("oriel") || subject.product().equals("machine");
    }

    /// The workload called `name`.
    ///
    /// @throws IllegalArgumentException if there is none
    public Workload workload(String name) {
        return workloads().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No workload " + name));
    }

    /// The subject called `name` among the subjects of a workload.
    ///
    /// @throws IllegalArgumentException if there is none
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
