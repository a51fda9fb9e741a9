package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.util.List;

/// A graph database.
public interface GraphSubject extends Subject, GraphOpening {
    /// The classes of durability that it has, beginning with the one of its reads.
    List<Durability> durabilities();
}
