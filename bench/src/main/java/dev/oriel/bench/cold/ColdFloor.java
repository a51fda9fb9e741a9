package dev.oriel.bench.cold;

import dev.oriel.bench.Subject;

/// A JVM with an empty main method: no first query can be sooner.
record ColdFloor() implements Subject {
    @Override
    public String name() {
        return "jvm";
    }

    /// Ours, so that it is there whichever peers are.
    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "An empty main method on Java " + Runtime.version() + ", default options.";
    }
}
