package dev.oriel.table;

import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Table;

/// Told of the searches for rows that refer to a key, while a statement is measured. A foreign key without an index
/// reads all of its table for each row that is deleted. Called by the thread of the transaction.
public interface KeySearches {
    /// The time in nanoseconds, of any origin.
    long now();

    /// A search has ended.
    ///
    /// @param table the table that has the key
    /// @param all whether all rows of the table were read, because no index begins with the key's columns
    /// @param rows number of rows or entries read
    void searched(Table table, ForeignKey key, boolean all, long rows, long nanos);
}
