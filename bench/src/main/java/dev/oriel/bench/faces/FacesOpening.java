package dev.oriel.bench.faces;

import dev.oriel.bench.Durability;
import java.io.IOException;
import java.nio.file.Path;

/// Opens stores of one product. A peer that runs in a JVM of its own is found there as a service.
public interface FacesOpening {
    /// Makes a store in `folder` with its vertices, and no rows, edges and entries.
    ///
    /// @param durability a durability class supported by the subject
    FacesStore open(Path folder, Durability durability) throws IOException;
}
