package dev.oriel.sql.plan;

import dev.oriel.table.statistics.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/// The distribution of a column's values in some rows.
///
/// @param known statistics of the underlying table column; null if there is none, or it was not analyzed
/// @param distinct approximate number of distinct values; 0 if unknown
/// @param tableRows number of rows of the underlying table; 0 if unknown
public record Distribution(@Nullable ColumnStatistics known, double distinct, double tableRows) {
    public static final Distribution UNKNOWN = new Distribution(null, 0);

    public Distribution(@Nullable ColumnStatistics known, double distinct) {
        this(known, distinct, 0);
    }

    /// Finds the distribution of a column by its position.
    @FunctionalInterface
    public interface Finder {
        Distribution of(int column);
    }

    /// Fraction of the rows that have NULL.
    public double nulls() {
        return known == null ? 0 : known.nulls();
    }

    /// The distribution in a subset of `rows` rows.
    public Distribution among(double rows) {
        return distinct <= rows ? this : new Distribution(known, rows, tableRows);
    }
}
