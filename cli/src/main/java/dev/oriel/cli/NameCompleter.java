package dev.oriel.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Completes keywords, and the names of tables, columns and functions. A function comes with its signature and
/// purpose.
final class NameCompleter implements Completer {
    private static final List<String> KEYWORDS =
            words(
                    """
                    ALL ALTER ANALYZE AND ANY ARRAY AS ASC BEGIN BETWEEN BIGINT BLOB BOOLEAN
                    BTREE CALL CASE CAST CHAR CLOB COALESCE COMMIT CONSTRAINT COUNT CREATE
                    CROSS|JOIN CURRENT_DATE CURRENT_TIMESTAMP DATE DECIMAL DEFAULT DELETE|FROM
                    DESC DISTINCT DOUBLE DROP ELSE END EXCEPT EXISTS EXPLAIN FALSE FROM
                    FULL|JOIN GROUP|BY HAVING ILIKE IN INDEX INNER|JOIN INSERT|INTO INTEGER
                    INTERSECT IS|NULL JOIN LATERAL LEFT|JOIN LIKE LIMIT NATURAL|JOIN NOT|NULL
                    NULLS|FIRST NULLS|LAST OFFSET ON OR ORDER|BY OVER PARTITION|BY PRIMARY|KEY
                    REAL RECURSIVE RELEASE RETURNING RIGHT|JOIN ROLLBACK SAVEPOINT SELECT SET
                    SMALLINT SOME SUM TABLE THEN TIME TIMESTAMP TINYINT TRUE TRUNCATE UNION
                    UNIQUE UPDATE USING UUID VALUES VARBINARY VARCHAR WHEN WHERE WITH
                    """);

    /// The shell's own commands.
    private static final List<String> COMMANDS =
            List.of(
                    "\\copy",
                    "\\d",
                    "\\df",
                    "\\explain",
                    "\\format",
                    "\\graph",
                    "\\gremlin",
                    "\\i",
                    "\\q",
                    "\\timing",
                    "\\top",
                    "\\watch",
                    "\\x");

    private final Connection connection;

    NameCompleter(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        if (line.word().isEmpty()) {
            return;
        }
        if (line.word().startsWith("\\")) {
            COMMANDS.forEach(command -> candidates.add(new Candidate(command)));
            return;
        }
        boolean lowerCase = Character.isLowerCase(line.word().charAt(0));
        for (String keyword : KEYWORDS) {
            candidates.add(new Candidate(lowerCase ? keyword.toLowerCase(Locale.ROOT) : keyword));
        }
        for (String name : names()) {
            candidates.add(new Candidate(name));
        }
        addFunctions(line.word().toLowerCase(Locale.ROOT), lowerCase, candidates);
    }

    /// Splits `text` at blanks; `|` stands for a blank within a word.
    private static List<String> words(String text) {
        return Stream.of(text.split("\\s+")).map(word -> word.replace('|', ' ')).toList();
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        addComputed(names);
        try (ResultSet columns = connection.getMetaData().getColumns(null, null, "%", "%")) {
            while (columns.next()) {
                names.add(columns.getString("TABLE_NAME"));
                names.add(columns.getString("COLUMN_NAME"));
            }
        } catch (SQLException _) {
            names.clear(); // Completion is a courtesy: other commands report a database in trouble.
        }
        return names;
    }

    /// Adds the functions whose names begin with `prefix`, each once.
    private void addFunctions(String prefix, boolean lowerCase, List<Candidate> candidates) {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT name, MIN(signature || ' ' || COALESCE(result, '')), MIN(description)"
                                + " FROM sys.functions WHERE STARTS_WITH(LOWER(name), ?)"
                                + " AND kind <> 'procedure' GROUP BY name ORDER BY name")) {
            query.setString(1, prefix);
            try (ResultSet functions = query.executeQuery()) {
                while (functions.next()) {
                    String name = functions.getString(1);
                    String shown = lowerCase ? name : name.toUpperCase(Locale.ROOT);
                    String sentence = functions.getString(3);
                    String about =
                            functions.getString(2) + (sentence == null ? "" : ": " + sentence);
                    candidates.add(new Candidate(shown, shown, null, about, null, null, true, 0));
                }
            }
        } catch (SQLException _) {
            candidates.removeIf(each -> each.descr() != null); // as in names
        }
    }

    private void addComputed(Set<String> names) {
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet tables =
                        statement.executeQuery("SELECT schema || '.' || name FROM sys.catalog")) {
            while (tables.next()) {
                names.add(tables.getString(1));
            }
        } catch (SQLException _) {
            names.clear(); // as above
        }
    }
}
