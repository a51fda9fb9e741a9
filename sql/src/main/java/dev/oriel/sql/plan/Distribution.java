package dev.oriel.sql.plan;

import dev.oriel.table.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/// What is known of the values of a column of some rows.
///
/// @param known of the table that the column is of; null where it is of none, or was not looked at
/// @param distinct about how many different values there are; 0 where nobody can say
/// @param tableRows of the table that the column is of; 0 where that is not known
public record Distribution(@Nullable ColumnStatistics known, double distinct, double tableRows) {
    public static final Distribution UNKNOWN = new Distribution(null, 0);

    public Distribution(@Nullable ColumnStatistics known, double distinct) {
        this(known, distinct, 0);
    }

    /// Finds that of a column by its position.
    @FunctionalInterface
    public interface Finder {
        Distribution of(int column);
    }

    /// Share of the rows that have NULL.
    public double nulls() {
        return known == null ? 0 : known.nulls();
    }

    /// The same of fewer rows.
    public Distribution among(double rows) {
        return distinct <= rows ? this : new Distribution(known, rows, tableRows);
    }
}
