package dev.oriel.conformance;

import java.util.List;

/// One record of a script of sqllogictest.
sealed interface LogicRecord {
    /// Line of the script that it begins in, from 1.
    int line();

    /// A statement without rows.
    ///
    /// @param succeeds whether it should; the other ones must be refused
    record Change(int line, String sql, boolean succeeds) implements LogicRecord {}

    /// A query and its answer.
    ///
    /// @param types a letter for each column: I for integers, R for reals, T for text
    /// @param label under which the answers of several queries are the same; empty for none
    /// @param expected the values, or one line that gives their number and MD5 sum
    record Query(int line, String sql, String types, Sort sort, String label, List<String> expected)
            implements LogicRecord {}

    /// In which order answers are compared.
    enum Sort {
        /// As they come.
        NONE,

        /// Rows in the order of their text.
        ROWS,

        /// All values in the order of their text.
        VALUES
    }
}
