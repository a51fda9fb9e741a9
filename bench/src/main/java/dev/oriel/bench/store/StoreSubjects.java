package dev.oriel.bench.store;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// Our store, for the measurements without peers.
public final class StoreSubjects implements Subjects {
    /// Found by `ServiceLoader`.
    public StoreSubjects() {}

    record Ours() implements Subject {
        @Override
        public String name() {
            return "oriel-store";
        }

        @Override
        public String product() {
            return "oriel";
        }

        @Override
        public String settings() {
            return "Defaults, but for what the name of a case says.";
        }
    }

    @Override
    public List<Subject> subjects() {
        return List.of(new Ours());
    }
}
