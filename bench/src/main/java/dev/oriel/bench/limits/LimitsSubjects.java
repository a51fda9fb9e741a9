package dev.oriel.bench.limits;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// The machine itself, as the one subject of the limits.
public final class LimitsSubjects implements Subjects {
    static final String MACHINE = "machine";

    /// Found by `ServiceLoader`.
    public LimitsSubjects() {}

    record Machine() implements Subject {
        @Override
        public String name() {
            return MACHINE;
        }

        @Override
        public String product() {
            return MACHINE;
        }

        @Override
        public String settings() {
            return "What this machine does at best, by plain Java "
                    + Runtime.version()
                    + ": nothing of a database is between.";
        }
    }

    @Override
    public List<Subject> subjects() {
        return List.of(new Machine());
    }
}
