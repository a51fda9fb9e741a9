package dev.oriel.conformance.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Holds statements that change a table against a query that says before what they are to make of its rows:
/// the columns of the table under their names, some of them computed, of the rows that a condition is true of.
/// Everything is undone afterwards, which is looked at too.
///
/// @param table what stands in FROM
/// @param names of the columns, as the query names them
/// @param made the columns that are computed, among `names`
/// @param condition as text; `TRUE` where there is none
record Changes(Piece query, String table, List<String> names, List<String> made, String condition) {
    private static final int SOURCE = 2;
    private static final String NAMED = "$1 AS ";

    /// A way to change rows.
    ///
    /// @param removes whether the rows go
    /// @param keyed whether it finds rows by their `id`, which must tell them apart
    private record Way(String sql, boolean removes, boolean keyed) {}

    /// What is wrong, as [Oracle#difference] says it; null where the query is no such one, too.
    static @Nullable String difference(Connection connection, Piece query) throws SQLException {
        Changes changes = of(query);
        if (changes == null) {
            return null;
        }
        connection.setAutoCommit(false);
        try {
            return changes.difference(connection);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static @Nullable Changes of(Piece query) {
        if (!query.form().equals(Select.FORM) || query.parts().get(SOURCE).parts().size() != 2) {
            return null;
        }
        Piece source = query.parts().get(SOURCE);
        String alias = source.parts().getLast().form();
        List<String> names = new ArrayList<>();
        List<String> made = new ArrayList<>();
        for (Piece item : query.parts().get(Select.ITEMS).parts()) {
            if (!item.form().startsWith(NAMED)) {
                return null;
            }
            String name = item.form().substring(NAMED.length());
            names.add(name);
            if (!item.parts().getFirst().form().equals(alias + "." + name)) {
                made.add(name);
            }
        }
        List<Piece> where = query.parts().get(Oracle.WHERE_CLAUSE).parts();
        String condition = where.isEmpty() ? "TRUE" : where.getFirst().toString();
        return new Changes(query, source.toString(), names, made, condition);
    }

    private @Nullable String difference(Connection connection) throws SQLException {
        Answer before = rows(connection, "");
        Answer matched = rows(connection, " WHERE " + condition);
        Answer kept = rows(connection, " WHERE (" + condition + ") IS NOT TRUE");
        Answer updated = ask(connection, query.toString());
        for (Answer answer : List.of(before, matched, kept, updated)) {
            if (answer.failed()) {
                return answer.failedByValue() ? null : wrong("a query", answer.toString(), "");
            }
        }
        boolean keyed = isKeyed(connection);
        for (Way way : ways()) {
            if (way.keyed && !keyed) {
                continue;
            }
            Answer returned = ask(connection, way.sql);
            Answer after = rows(connection, "");
            String lost = way.removes ? null : Oracle.COUNTED.difference(connection, query);
            connection.rollback();
            Answer undone = rows(connection, "");
            if (returned.failedByValue()) {
                continue;
            }
            Answer expected = way.removes ? matched : updated;
            Answer left = way.removes ? kept : joined(kept, updated);
            if (!returned.rows().equals(expected.rows()) || returned.failed()) {
                return wrong(way.sql, "returned " + returned, "expected " + expected);
            }
            if (!after.rows().equals(left.rows())) {
                return wrong(way.sql, "left " + after, "expected " + left);
            }
            if (!undone.rows().equals(before.rows())) {
                return wrong(way.sql, "undone " + undone, "expected " + before);
            }
            if (lost != null) {
                return wrong(way.sql, "then", lost);
            }
        }
        return null;
    }

    private static String wrong(String sql, String seen, String expected) {
        return "wrong change by "
                + sql.substring(0, sql.indexOf(' '))
                + "\n"
                + sql
                + "\n"
                + seen
                + "\n"
                + expected;
    }

    private List<Way> ways() {
        String where = " WHERE " + condition;
        String using = "(" + query + ") AS changed";
        String ids = "changed.id = " + alias() + ".id";
        String merge =
                "MERGE INTO " + table + " USING " + using + " ON " + ids + " WHEN MATCHED THEN ";
        List<Way> ways = new ArrayList<>();
        ways.add(new Way("DELETE FROM " + table + where + returning(), true, false));
        ways.add(
                new Way(
                        "DELETE FROM " + table + " USING " + using + " WHERE " + ids + returning(),
                        true,
                        true));
        ways.add(new Way(merge + "DELETE" + returning(), true, true));
        if (!made.isEmpty()) {
            String set = "UPDATE " + table + " SET ";
            ways.add(new Way(set + assigned() + where + returning(), false, false));
            ways.add(
                    new Way(
                            set + given() + " FROM " + using + " WHERE " + ids + returning(),
                            false,
                            true));
            ways.add(new Way(merge + "UPDATE SET " + given() + returning(), false, true));
        }
        return ways;
    }

    private String given() {
        return made.stream()
                .map(name -> name + " = changed." + name)
                .collect(Collectors.joining(", "));
    }

    private String assigned() {
        return query.parts().get(Select.ITEMS).parts().stream()
                .filter(item -> made.contains(item.form().substring(NAMED.length())))
                .map(item ->
                        item.form().substring(NAMED.length()) + " = " + item.parts().getFirst())
                .collect(Collectors.joining(", "));
    }

    private String returning() {
        return " RETURNING " + columns();
    }

    private String columns() {
        return names.stream().map(name -> alias() + "." + name).collect(Collectors.joining(", "));
    }

    private String alias() {
        return query.parts().get(SOURCE).parts().getLast().form();
    }

    private boolean isKeyed(Connection connection) {
        return names.contains("id")
                && !made.contains("id")
                && Answer.of(
                                connection,
                                "SELECT COUNT(*) - COUNT(DISTINCT id) FROM " + table,
                                List.of(Sort.BIGINT),
                                false)
                        .rows()
                        .equals(List.of("0"));
    }

    private Answer rows(Connection connection, String where) {
        return ask(connection, "SELECT " + columns() + " FROM " + table + where);
    }

    private Answer ask(Connection connection, String sql) {
        return Answer.of(connection, sql, query.columns(), false);
    }

    private static Answer joined(Answer first, Answer second) {
        return Answer.of(Stream.concat(first.rows().stream(), second.rows().stream()).toList());
    }
}
