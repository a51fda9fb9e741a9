package dev.oriel.graph.range;

/// Counters of the reads of a graph's transaction, which never reset; a profile takes differences.
public interface ReadCounts {
    /// Number of rows, of tables or of indexes.
    long rows();

    /// Number of ranges opened and of keys looked up.
    long ranges();

    /// Number of pages, including cached ones; starts over when the transaction begins to write.
    long pages();
}
