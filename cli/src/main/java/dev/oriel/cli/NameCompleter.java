package dev.oriel.cli;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Completes keywords, and the names of tables and columns.
final class NameCompleter implements Completer {
    private static final List<String> KEYWORDS =
            List.of(
                    "ALTER",
                    "AND",
                    "ARRAY",
                    "BEGIN",
                    "BETWEEN",
                    "BIGINT",
                    "BOOLEAN",
                    "BTREE",
                    "CASE",
                    "COMMIT",
                    "CREATE",
                    "DATE",
                    "DECIMAL",
                    "DEFAULT",
                    "DELETE",
                    "DESC",
                    "DISTINCT",
                    "DOUBLE",
                    "DROP",
                    "EXISTS",
                    "EXPLAIN",
                    "FROM",
                    "GROUP BY",
                    "HAVING",
                    "INDEX",
                    "INSERT INTO",
                    "INTEGER",
                    "LIKE",
                    "LIMIT",
                    "NOT NULL",
                    "OFFSET",
                    "ORDER BY",
                    "PRIMARY KEY",
                    "ROLLBACK",
                    "SELECT",
                    "TABLE",
                    "TIMESTAMP",
                    "UNIQUE",
                    "UPDATE",
                    "USING",
                    "VALUES",
                    "VARCHAR",
                    "WHERE");

    private final Connection connection;

    NameCompleter(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        if (line.word().isEmpty()) {
            return;
        }
        boolean lowerCase = Character.isLowerCase(line.word().charAt(0));
        for (String keyword : KEYWORDS) {
            candidates.add(new Candidate(lowerCase ? keyword.toLowerCase(Locale.ROOT) : keyword));
        }
        for (String name : names()) {
            candidates.add(new Candidate(name));
        }
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        try (ResultSet columns = connection.getMetaData().getColumns(null, null, "%", "%")) {
            while (columns.next()) {
                names.add(columns.getString("TABLE_NAME"));
                names.add(columns.getString("COLUMN_NAME"));
            }
        } catch (SQLException _) {
            names.clear(); // Completion is a courtesy: a database in trouble says so elsewhere.
        }
        return names;
    }
}
