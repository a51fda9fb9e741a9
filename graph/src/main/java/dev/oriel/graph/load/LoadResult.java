package dev.oriel.graph.load;

/// What a load has done.
///
/// @param vertices added
/// @param edges added
/// @param rejected rows that were not loaded
public record LoadResult(long vertices, long edges, long rejected) {}
