package dev.oriel.sql.engine;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Table;
import org.jspecify.annotations.Nullable;

/// The query of a cursor with the primary key of its table as further columns, for WHERE CURRENT OF.
///
/// @param text of the query with these columns last
/// @param table path of the table
/// @param count number of the columns
record CursorKeys(String text, String table, int count) {
    /// The query `text` with keys; null if its rows are not rows of one table with a primary key.
    static @Nullable CursorKeys of(String text, Catalog catalog) {
        SqlText source = new SqlText(text);
        Statement statement = Parser.parse(source).statement();
        if (statement instanceof Statement.Locking locking) {
            statement = locking.query();
        }
        if (!(statement instanceof Statement.Select select)
                || !(select.from() instanceof Statement.From.Named from)
                || !from.columns().isEmpty()
                || select.distinct()
                || !select.groupBy().isEmpty()
                || select.having() != null) {
            return null;
        }
        Table table = catalog.table(from.table().path());
        int place = placeOfFrom(source, from.position());
        if (table == null || table.primaryKey().isEmpty() || place < 0) {
            return null;
        }
        String called = from.alias() == null ? from.table().name() : from.alias().name();
        StringBuilder columns = new StringBuilder();
        for (int column : table.primaryKey()) {
            columns.append(", ")
                    .append(Quoting.name(called))
                    .append('.')
                    .append(Quoting.name(table.columns().get(column).name()));
        }
        String keyed = text.substring(0, place) + columns + " " + text.substring(place);
        return new CursorKeys(keyed, table.path(), table.primaryKey().size());
    }

    /// The position of the last FROM before `table`; -1 if there is none.
    private static int placeOfFrom(SqlText source, int table) {
        int place = -1;
        for (Token token : Lexer.tokens(source)) {
            if (token.position() < table && token.is(Keyword.FROM)) {
                place = token.position();
            }
        }
        return place;
    }
}
