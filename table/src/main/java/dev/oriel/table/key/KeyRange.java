package dev.oriel.table.key;

import dev.oriel.table.value.Tuple;

/// Bounds over the leading columns of an index or a primary key. Reusable. A bound of 0 columns is open. With `k`
/// columns a bound compares the first `k` columns together, as a tuple: `(a, b) >= (1, 'x')`. NULL sorts after
/// every value, and is a value here.
///
/// The bounds are in the order of the entries of an index. If a column of it is descending among them
/// (`Index.entryOrder`), then its greatest value belongs to the lower bound.
///
/// The primary key's columns follow those of an index without them: then a bound is the place of one row, from which
/// reading can continue. In a unique index the columns of a row without NULL suffice for this.
public final class KeyRange {
    private final Tuple lower;
    private final Tuple upper;
    private int lowerColumns;
    private int upperColumns;
    private boolean lowerInclusive;
    private boolean upperInclusive;

    /// An open range.
    ///
    /// @param columns number of columns of the key, the primary key's included if they are used
    public KeyRange(int columns) {
        this.lower = new Tuple(columns);
        this.upper = new Tuple(columns);
    }

    /// Makes it unbounded.
    public void open() {
        lowerColumns = 0;
        upperColumns = 0;
    }

    /// The values of the lower bound, to be set before [#from(int, boolean)].
    public Tuple lower() {
        return lower;
    }

    /// The values of the upper bound, to be set before [#to(int, boolean)].
    public Tuple upper() {
        return upper;
    }

    public void from(int columns, boolean inclusive) {
        lowerColumns = columns;
        lowerInclusive = inclusive;
    }

    public void to(int columns, boolean inclusive) {
        upperColumns = columns;
        upperInclusive = inclusive;
    }

    public int lowerColumns() {
        return lowerColumns;
    }

    public int upperColumns() {
        return upperColumns;
    }

    public boolean lowerInclusive() {
        return lowerInclusive;
    }

    public boolean upperInclusive() {
        return upperInclusive;
    }
}
