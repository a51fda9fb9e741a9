package dev.oriel.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/// The workloads and subjects there are on this class path.
final class Catalog {
    /// Ours first, then the peers' in the order of their class path.
    private final List<Subject> subjects = new ArrayList<>();

    Catalog() {
        Map<String, Subject> byName = new HashMap<>();
        for (Subjects source : ServiceLoader.load(Subjects.class)) {
            for (Subject subject : source.subjects()) {
                Subject other = byName.put(subject.name(), subject);
                if (other != null) {
                    throw new IllegalStateException("Two subjects are named " + subject.name());
                }
                subjects.add(subject);
            }
        }
    }

    /// In the order in which they run.
    List<Workload> workloads() {
        return List.of(new VoronWorkload(), new LimitsWorkload());
    }

    List<Subject> subjects() {
        return subjects;
    }

    /// @throws IllegalArgumentException where there is none of that name
    Workload workload(String name) {
        return workloads().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No workload " + name));
    }

    /// @throws IllegalArgumentException where there is none of that name
    Subject subject(String name) {
        return subjects.stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No subject " + name));
    }
}
