package dev.oriel.sql;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The rows of a [ComputedTable], filled value by value from left to right:
/// `rows.begin().text("a").number(1)`. Belongs to one thread.
public final class RowList {
    private final int columns;
    private final Consumer<Tuple> into;
    private @Nullable Tuple before;
    private Tuple row = new Tuple(0);
    private int next;

    /// @param into receives each complete row
    public RowList(int columns, Consumer<Tuple> into) {
        this.columns = columns;
        this.into = into;
    }

    /// Begins a row; the previous one must be complete.
    public RowList begin() {
        end();
        row = new Tuple(columns);
        next = 0;
        before = row;
        return this;
    }

    /// A value of a type with TEXT shape.
    public RowList text(@Nullable String value) {
        row.setText(next++, value);
        return this;
    }

    /// A value of an integer type.
    public RowList number(long value) {
        row.setLong(next++, value);
        return this;
    }

    public RowList flag(boolean value) {
        return number(value ? 1 : 0);
    }

    /// A value of REAL or DOUBLE.
    public RowList real(double value) {
        row.setDouble(next++, value);
        return this;
    }

    public RowList decimal(@Nullable BigDecimal value) {
        row.setDecimal(next++, value);
        return this;
    }

    /// A TIMESTAMP WITH TIME ZONE.
    public RowList moment(Instant value) {
        return number(
                Math.addExact(
                        Math.multiplyExact(value.getEpochSecond(), 1_000_000L),
                        value.getNano() / 1_000));
    }

    /// A value of `type` as an object of the class that [JavaObjects] gives it.
    ///
    /// @throws ClassCastException if the class of `value` is not the type's
    public RowList object(Type type, @Nullable Object value) {
        JavaObjects.store(value, type, row, next++);
        return this;
    }

    /// NULL.
    public RowList nothing() {
        row.setNull(next++);
        return this;
    }

    /// Ends the list.
    public void end() {
        if (before == null) {
            return;
        }
        if (next != columns) {
            throw new IllegalStateException(
                    "a row has " + next + " values for " + columns + " columns");
        }
        into.accept(before);
        before = null;
    }
}
