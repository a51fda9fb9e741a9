package dev.oriel.bench.faces;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.util.Set;

/// A store of rows, edges and entries.
public interface FacesSubject extends Subject, FacesOpening {
    /// The classes that it can commit in.
    Set<Durability> durabilities();
}
