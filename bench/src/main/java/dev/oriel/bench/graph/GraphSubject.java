package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.util.List;

/// A graph database.
public interface GraphSubject extends Subject, GraphOpening {
    /// The supported durability classes; reads run in the first one.
    List<Durability> durabilities();
}
