package dev.oriel.bench.cold;

import dev.oriel.bench.Subject;

/// A JVM with an empty main method: the lower bound of a first query.
record ColdFloor() implements Subject {
    @Override
    public String name() {
        return "jvm";
    }

    /// Counts as Oriel's own, so that it runs with any choice of peers.
    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "An empty main method on Java " + Runtime.version() + ", default options.";
    }
}
