package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.GraphStore;
import dev.oriel.bench.GraphSubject;
import java.nio.file.Path;

/// TinkerPop's graph in memory, without transactions.
record TinkerGraphSubject() implements GraphSubject {
    @Override
    public String name() {
        return "tinkergraph";
    }

    @Override
    public String product() {
        return "tinkergraph";
    }

    @Override
    public String settings() {
        return "TinkerGraph of TinkerPop 3.8.1, ids of its own (Long), no transactions: a commit does"
                + " nothing; where indexed, city and age by createIndex, which serves equal values alone";
    }

    @Override
    public Durability durability() {
        return Durability.MEMORY;
    }

    @Override
    public GraphStore open(Path folder, boolean indexed) {
        return TinkerGraphOpening.open(indexed);
    }
}
