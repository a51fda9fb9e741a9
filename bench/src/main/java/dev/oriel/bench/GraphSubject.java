package dev.oriel.bench;

import java.util.List;

/// A graph database.
public interface GraphSubject extends Subject, GraphOpening {
    /// The classes of durability that it has, the one that its reads are measured under first.
    List<Durability> durabilities();
}
