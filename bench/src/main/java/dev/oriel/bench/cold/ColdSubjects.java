package dev.oriel.bench.cold;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// The baseline of first queries: a JVM without a database.
public final class ColdSubjects implements Subjects {
    /// Used by the service loader.
    public ColdSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(new ColdFloor());
    }
}
