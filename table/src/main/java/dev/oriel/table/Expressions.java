package dev.oriel.table;

import org.jspecify.annotations.Nullable;

/// Understands the text of defaults, checks and generated columns. Tables keep them, and see to it that
/// they hold whoever writes; what they say is the business of a layer above, which hands this in.
public interface Expressions {
    /// Prepares an expression over rows of `table`, to be used by one thread at a time.
    ///
    /// @param target the column whose value it is; null for a condition
    Prepared prepare(Table table, String text, @Nullable Column target);

    /// An expression that is ready to be evaluated again and again.
    @FunctionalInterface
    interface Prepared {
        /// Evaluates over `row` into `column` of `out`: the value, or the truth of a condition as a
        /// BOOLEAN.
        void evaluate(TableTransaction transaction, Row row, Tuple out, int column);
    }
}
