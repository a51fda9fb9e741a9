package dev.oriel.bench;

import java.util.List;

/// Our graph, on the disk and in memory.
public final class OrielGraphSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(new OrielGraphSubject(true), new OrielGraphSubject(false));
    }
}
