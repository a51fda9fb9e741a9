package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.GraphSubject;
import dev.oriel.bench.graph.LinkStore;
import java.nio.file.Path;
import java.util.List;

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
        return "TinkerGraph of TinkerPop 3.8.1, the name as the id where it is the key, else ids of its own"
                + " (Long), no transactions: a commit does nothing; where indexed, city and age by"
                + " createIndex, which serves equal values alone";
    }

    @Override
    public List<Durability> durabilities() {
        return List.of(Durability.MEMORY);
    }

    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        return TinkerGraphOpening.open(shape);
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        return TinkerGraphOpening.openLinks();
    }
}
