package dev.oriel.conformance;

import java.util.List;

/// One record of a script of sqllogictest.
sealed interface LogicRecord {
    /// First line of the record in the script, from 1.
    int line();

    /// A statement without rows.
    ///
    /// @param succeeds whether it should succeed; otherwise it must be refused
    record Change(int line, String sql, boolean succeeds) implements LogicRecord {}

    /// A query and its answer.
    ///
    /// @param types a letter for each column: I for integers, R for reals, T for text
    /// @param label queries with the same label have the same answer; empty for none
    /// @param expected the values, or one line that gives their number and MD5 sum
    record Query(int line, String sql, String types, Sort sort, String label, List<String> expected)
            implements LogicRecord {}

    /// The order in which answers are compared.
    enum Sort {
        /// The order of the result.
        NONE,

        /// Rows in the order of their text.
        ROWS,

        /// All values in the order of their text.
        VALUES
    }
}
