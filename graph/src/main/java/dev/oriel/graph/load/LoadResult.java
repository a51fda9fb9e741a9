package dev.oriel.graph.load;

/// The result of a load.
///
/// @param vertices number of vertices added
/// @param edges number of edges added
/// @param rejected number of rows that were not loaded
public record LoadResult(long vertices, long edges, long rejected) {}
