package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Prepared.OutputColumn;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A result made of rows in memory, as DatabaseMetaData returns them.
final class Listing {
    private final List<OutputColumn> columns = new ArrayList<>();
    private final List<Tuple> rows = new ArrayList<>();

    /// @param specification the columns, each a name that may have ` INTEGER`, ` SMALLINT` or ` BOOLEAN` after it;
    ///     the others are texts
    Listing(String... specification) {
        for (String column : specification) {
            int blank = column.indexOf(' ');
            String name = blank < 0 ? column : column.substring(0, blank);
            Type.Name type =
                    blank < 0 ? Type.Name.VARCHAR : Type.Name.valueOf(column.substring(blank + 1));
            columns.add(new OutputColumn(name, Type.of(type), true, ""));
        }
    }

    /// The elements of an array as rows of their number, from `first` on, and their value.
    static Listing ofArray(Type element, long first, Tuple elements) {
        Listing listing = new Listing("INDEX BIGINT");
        listing.columns.add(new OutputColumn("VALUE", element, true, ""));
        for (int i = 0; i < elements.columns(); i++) {
            Tuple row = new Tuple(2);
            row.setLong(0, first + i);
            row.copy(1, elements, i, element.shape());
            listing.rows.add(row);
        }
        return listing;
    }

    /// Adds a row of Strings, Integers, Booleans and nulls, one for each column.
    Listing add(@Nullable Object... values) {
        Tuple row = new Tuple(columns.size());
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case null -> row.setNull(i);
                case Boolean truth -> row.setLong(i, truth ? 1 : 0);
                case Number number -> row.setLong(i, number.longValue());
                case Object text -> row.setText(i, text.toString());
            }
        }
        rows.add(row);
        return this;
    }

    /// The rows as a result of a statement of its own.
    ResultSet open(JdbcConnection connection) {
        return new JdbcStatement(connection).presentListed(new Columns(columns), new Rows(rows));
    }

    /// A result over the rows of a list.
    private static final class Rows implements Prepared.Result {
        private final List<? extends Row> rows;
        private int at = -1;

        Rows(List<? extends Row> rows) {
            this.rows = rows;
        }

        private Row row() {
            return rows.get(at);
        }

        @Override
        public boolean next() {
            at = Math.min(at + 1, rows.size());
            return at < rows.size();
        }

        @Override
        public void close() {
            at = rows.size();
        }

        @Override
        public boolean isNull(int column) {
            return row().isNull(column);
        }

        @Override
        public long longAt(int column) {
            return row().longAt(column);
        }

        @Override
        public double doubleAt(int column) {
            return row().doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            return row().decimalAt(column);
        }

        @Override
        public @Nullable String textAt(int column) {
            return row().textAt(column);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            return row().bytesAt(column);
        }
    }
}
