package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import java.io.IOException;
import java.nio.file.Path;

/// Opens graphs of one product. A peer that runs in a JVM of its own is found there as a service.
public interface GraphOpening {
    /// Opens an empty graph in `folder`.
    ///
    /// @param durability a durability class supported by the subject
    GraphStore open(Path folder, GraphShape shape, Durability durability) throws IOException;

    /// Opens an empty graph of LinkBench in `folder`.
    LinkStore openLinks(Path folder, Durability durability) throws IOException;

    /// Makes a graph in `folder` from two CSV files, by the product's bulk loader, and closes it.
    ///
    /// @param people columns `id` (0, 1, 2 and so on), `name`, `city`, `age`; ids are given by the graph
    /// @param edges columns `source` and `target`, ids of that file, in the order of both
    /// @return false if the product has no loader in this process
    default boolean load(Path folder, Path people, Path edges) throws IOException {
        return false;
    }

    /// Makes a graph in `folder` from a program that hands over element by element, without files.
    default boolean load(Path folder, ReadGraph graph) throws IOException {
        return false;
    }
}
