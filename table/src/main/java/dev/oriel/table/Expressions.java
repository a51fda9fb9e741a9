package dev.oriel.table;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Language of defaults, checks and generated columns. Tables keep the text and enforce it on every write; its
/// meaning belongs to a layer above, which implements this.
public interface Expressions {
    /// Prepares an expression over rows of `table`, to be used by one thread at a time.
    ///
    /// @param target the column whose value it is; null for a condition
    Prepared prepare(Table table, String text, @Nullable Column target);

    /// An expression that is ready to be evaluated repeatedly.
    @FunctionalInterface
    interface Prepared {
        /// Evaluates over `row` into `column` of `out`: the value, or the truth of a condition as a BOOLEAN.
        void evaluate(TableTransaction transaction, Row row, Tuple out, int column);
    }
}
