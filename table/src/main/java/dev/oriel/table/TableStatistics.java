package dev.oriel.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of the rows of a table: how many they are, and how the values of each column are
/// distributed. Immutable.
///
/// @param rows about how many there are
/// @param looked how many there were when a sample was taken; 0 where none was
/// @param sampled how many were looked at
/// @param form tells whether the table's columns are still those that the sample was taken of
/// @param columns one for each column; empty where no sample was taken
/// @param analyzed whether ANALYZE asked for it, so that it is kept with the database
public record TableStatistics(
        long rows,
        long looked,
        long sampled,
        int form,
        List<ColumnStatistics> columns,
        boolean analyzed) {
    /// From this share of the rows on, different values are taken to grow in number as the rows do.
    private static final double GROWING = 0.1;

    public TableStatistics {
        columns = columns instanceof SampledColumns ? columns : List.copyOf(columns);
    }

    /// Of a table of which only the number of rows is known.
    public static TableStatistics ofRows(long rows) {
        return new TableStatistics(rows, 0, 0, 0, List.of(), false);
    }

    /// What is known of column `column`; null for nothing.
    public @Nullable ColumnStatistics column(int column) {
        return column < columns.size() ? columns.get(column) : null;
    }

    /// About how many different values column `column` has now; 0 where nothing is known.
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
