package dev.oriel.bench.profiler;

import dev.oriel.bench.Subject;

/// The database's own counters and samples, turned off and on.
record AlwaysOn() implements Subject {
    static final String NAME = "oriel-always-on";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Oriel as it is, against the same database after CALL sys.configure('watch', 'off'), in turns in"
                + " one JVM.";
    }
}
