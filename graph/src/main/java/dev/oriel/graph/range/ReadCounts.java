package dev.oriel.graph.range;

/// What a transaction of a graph has read since ever: a profile takes the differences.
public interface ReadCounts {
    /// Rows, of tables or of indexes.
    long rows();

    /// Ranges that were opened, and keys that were looked up.
    long ranges();

    /// Pages, those in memory too; begins anew when the transaction begins to write.
    long pages();
}
