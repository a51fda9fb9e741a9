package dev.oriel.table.definition;

import java.util.List;

/// The place of a relation in a partitioned table: the table itself, which stores all rows, or a partition, which is a
/// view of the rows within its bound.
///
/// @param of number of the table or view
/// @param parent number of the relation that it is a partition of; 0 for the table
/// @param bound `FOR VALUES ...` or `DEFAULT`, in the language that `Expressions` understands; empty for the table
/// @param strategy of its own partitions; NONE for a relation that has none
/// @param key expressions that assign rows to its own partitions; a plain column is one too
public record Partition(
        long id, long of, long parent, String bound, Strategy strategy, List<String> key)
        implements Note {
    /// How rows are assigned to partitions.
    public enum Strategy {
        NONE,
        /// By the range that has the key.
        RANGE,
        /// By the list that has the key.
        LIST,
        /// By the remainder of the hash of the key.
        HASH
    }

    public Partition {
        key = List.copyOf(key);
    }

    @Override
    public Partition withId(long other) {
        return new Partition(other, of, parent, bound, strategy, key);
    }

    /// The place with other expressions of its key.
    public Partition withKey(List<String> other) {
        return new Partition(id, of, parent, bound, strategy, other);
    }

    /// Whether it is the table that stores the rows.
    public boolean isRoot() {
        return parent == 0;
    }
}
