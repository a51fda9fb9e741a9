package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Indexes as PostgreSQL's catalog shows them.
final class PgIndexes {
    private PgIndexes() {}

    /// Adds the rows of pg_index.
    static void rows(PgRows rows, Catalog catalog) {
        for (Table table : catalog.tables()) {
            for (PgCatalog.Keyed key : PgCatalog.keys(table)) {
                List<Integer> numbers = new ArrayList<>();
                key.columns().forEach(column -> numbers.add(column + 1));
                Index.Terms terms = key.index() == null ? null : key.index().terms();
                List<String> computed = new ArrayList<>();
                for (String text : terms == null ? List.<String>of() : terms.expressions()) {
                    int column = columnOf(table, text);
                    numbers.add(column + 1);
                    if (column < 0) {
                        computed.add(text);
                    }
                }
                rows.add(
                        PgCatalog.index(table, key.place()),
                        PgCatalog.oid(table.id()),
                        numbers.size(),
                        numbers.size(),
                        key.unique(),
                        key.index() == null,
                        false,
                        key.index() == null || !key.index().deferred(),
                        false,
                        true,
                        true,
                        true,
                        false,
                        numbers,
                        terms == null ? null : terms.condition(),
                        computed.isEmpty() ? null : String.join(", ", computed),
                        options(key.index(), numbers.size()),
                        Collections.nCopies(numbers.size(), 0),
                        Collections.nCopies(numbers.size(), 0));
            }
        }
    }

    /// The orders as PostgreSQL's bits: 1 descending, 2 NULLs first.
    private static List<Integer> options(@Nullable Index index, int count) {
        List<Integer> options = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeyOrder order = index == null ? KeyOrder.ASC : index.order(i);
            options.add((order.descending() ? 1 : 0) + (order.nullsFirst() ? 2 : 0));
        }
        return options;
    }

    /// The column that is the whole expression `text` of an index; -1 if the expression is computed.
    private static int columnOf(Table table, String text) {
        for (int i = 0; i < table.columns().size(); i++) {
            String name = table.columns().get(i).name();
            if (text.equals(Quoting.name(name))
                    || (!Quoting.name(name.toLowerCase(Locale.ROOT)).startsWith("\"")
                            && text.equalsIgnoreCase(name))) {
                return i;
            }
        }
        return -1;
    }

    /// Adds the rows of pg_indexes.
    static void texts(PgRows rows, Catalog catalog) {
        for (Table table : catalog.tables()) {
            for (PgCatalog.Keyed key : PgCatalog.keys(table)) {
                rows.add(
                        PgCatalog.called(table.schema()),
                        table.name(),
                        key.name(),
                        null,
                        definition(table, key));
            }
        }
    }

    /// Definition of an index by its number, or the name of its column `part`; null if there is none.
    static @Nullable String definition(Catalog catalog, long oid, long part) {
        for (Table table : catalog.tables()) {
            for (PgCatalog.Keyed key : PgCatalog.keys(table)) {
                if (PgCatalog.index(table, key.place()) == oid) {
                    return part == 0 ? definition(table, key) : column(table, key, part);
                }
            }
        }
        return null;
    }

    private static String column(Table table, PgCatalog.Keyed key, long part) {
        int place = (int) Math.min(part, Integer.MAX_VALUE) - 1;
        if (place >= 0 && place < key.columns().size()) {
            return Quoting.name(table.columns().get(key.columns().get(place)).name());
        }
        Index.Terms terms = key.index() == null ? null : key.index().terms();
        return terms == null || place < 0 || place >= terms.expressions().size()
                ? ""
                : terms.expressions().get(place);
    }

    static String nullsOf(Index index) {
        return switch (index.nulls()) {
            case DISTINCT -> "";
            case NOT_DISTINCT -> " NULLS NOT DISTINCT";
            case ALL_DISTINCT -> " NULLS ALL DISTINCT";
        };
    }

    private static String definition(Table table, PgCatalog.Keyed key) {
        List<String> columns = new ArrayList<>();
        key.columns()
                .forEach(column -> columns.add(Quoting.name(table.columns().get(column).name())));
        Index.Terms terms = key.index() == null ? null : key.index().terms();
        if (terms != null) {
            terms.expressions()
                    .forEach(text ->
                            columns.add(columnOf(table, text) < 0 ? "(" + text + ")" : text));
        }
        String condition = terms == null ? null : terms.condition();
        return "CREATE "
                + (key.unique() ? "UNIQUE " : "")
                + "INDEX "
                + Quoting.name(key.name())
                + " ON "
                + Quoting.name(PgCatalog.called(table.schema()))
                + "."
                + Quoting.name(table.name())
                + " USING btree ("
                + (key.index() == null ? String.join(", ", columns) : key.index().ordered(columns))
                + ")"
                + (key.index() == null ? "" : nullsOf(key.index()))
                + (condition == null ? "" : " WHERE (" + condition + ")");
    }
}
