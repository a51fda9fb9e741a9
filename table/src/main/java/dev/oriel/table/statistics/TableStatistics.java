package dev.oriel.table.statistics;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statistics of the rows of a table: their number, and the distribution of values in each column. Immutable.
///
/// @param rows about how many there are
/// @param looked their number when a sample was taken; 0 if none was
/// @param sampled number of rows in the sample
/// @param form tells whether the table's columns are still the sampled ones
/// @param columns one for each column; empty if no sample was taken
/// @param analyzed whether ANALYZE asked for it, so that it is kept with the database
public record TableStatistics(
        long rows,
        long looked,
        long sampled,
        int form,
        List<ColumnStatistics> columns,
        boolean analyzed) {
    /// Minimum share of distinct values in the rows for which their number is assumed to grow with the rows.
    private static final double GROWING = 0.1;

    public TableStatistics {
        columns = columns instanceof SampledColumns ? columns : List.copyOf(columns);
    }

    /// Statistics of a table of which only the number of rows is known.
    public static TableStatistics ofRows(long rows) {
        return new TableStatistics(rows, 0, 0, 0, List.of(), false);
    }

    /// Statistics of column `column`; null if there are none.
    public @Nullable ColumnStatistics column(int column) {
        return column < columns.size() ? columns.get(column) : null;
    }

    /// About how many distinct values column `column` has now; 0 if unknown.
    public double distinct(int column) {
        ColumnStatistics known = column(column);
        if (known == null) {
            return 0;
        }
        boolean grows = looked > 0 && known.distinct() > GROWING * looked;
        return grows ? known.distinct() * rows / looked : known.distinct();
    }

    TableStatistics withRows(long now) {
        return new TableStatistics(now, looked, sampled, form, columns, analyzed);
    }

    TableStatistics asAnalyzed() {
        return new TableStatistics(rows, looked, sampled, form, columns, true);
    }

    /// A number that changes with the names and types of a table's columns.
    static int form(Table table) {
        int form = 1;
        for (Column column : table.columns()) {
            if (!column.name().isEmpty()) { // the row's key, which is no column (see Table.keyed)
                form = 31 * form + column.name().hashCode();
                form = 31 * form + column.type().toString().hashCode();
            }
        }
        return form;
    }
}
