package dev.oriel.bench.sql;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;
import java.util.Set;

/// Our subjects accessed by JDBC.
public final class OrielSqlSubjects implements Subjects {
    private static final Set<Durability> DISK =
            Set.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);

    /// For the service loader.
    public OrielSqlSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(
                new OrielSqlSubject("oriel", "BTREE", DISK),
                new OrielSqlSubject("oriel-array", "ARRAY", DISK),
                new OrielSqlSubject("oriel-memory", "BTREE", Set.of(Durability.MEMORY)));
    }
}
