package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Path;

/// A graph database in one class of durability.
public interface GraphSubject extends Subject {
    Durability durability();

    /// Opens an empty graph in `folder`, with the vertex label `person` (name: text, city: text, age: int)
    /// and the edge label `knows`.
    ///
    /// @param indexed whether city is indexed for equal values and age for ranges
    GraphStore open(Path folder, boolean indexed) throws IOException;
}
