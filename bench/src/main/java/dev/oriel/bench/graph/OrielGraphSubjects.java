package dev.oriel.bench.graph;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// Our graph, on the disk and in memory.
public final class OrielGraphSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(new OrielGraphSubject(true), new OrielGraphSubject(false));
    }
}
