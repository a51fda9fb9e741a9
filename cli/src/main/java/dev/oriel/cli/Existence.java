package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import dev.oriel.internal.Layers;
import dev.oriel.table.definition.PropertyGraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Checks that the database or graph of a command exists. A mere read creates nothing: that takes `--create`, or
/// a script that writes.
final class Existence {
    /// Number of characters of a script that are checked.
    private static final int PEEK_CHARS = 1 << 20;

    private static final Set<String> READING =
            Set.of(
                    "SELECT",
                    "VALUES",
                    "TABLE",
                    "WITH",
                    "EXPLAIN",
                    "SHOW",
                    "DESCRIBE",
                    "SET",
                    "ANALYZE",
                    "COMMIT",
                    "ROLLBACK");

    private static final Pattern CHANGE_WITHIN =
            Pattern.compile("\\b(INSERT|UPDATE|DELETE|MERGE|UPSERT)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern WRITING_STEP =
            Pattern.compile("\\b(addV|addE|mergeV|mergeE|property|read)\\s*\\(");

    private Existence() {}

    /// Returns the beginning of `in`, and resets `in` to it.
    static String peek(BufferedReader in) throws IOException {
        in.mark(PEEK_CHARS + 1);
        char[] chars = new char[PEEK_CHARS];
        int length = 0;
        for (int more = 0; more >= 0 && length < PEEK_CHARS; ) {
            length += more;
            more = in.read(chars, length, PEEK_CHARS - length);
        }
        in.reset();
        return new String(chars, 0, length);
    }

    /// Whether any statement of the SQL `script` writes, or may.
    static boolean sqlWrites(String script) {
        StatementSplitter splitter = new StatementSplitter();
        for (String line : script.split("\n", -1)) {
            if (splitter.between() && Shell.isShellCommand(line)) {
                if (line.strip().matches("\\\\(copy|i|gremlin)\\b.*")) {
                    return true;
                }
                continue;
            }
            splitter.add(line);
        }
        StatementSplitter.Statement next = splitter.next();
        for (; next != null; next = splitter.next()) {
            if (writes(next.text())) {
                return true;
            }
        }
        StatementSplitter.Statement rest = splitter.rest();
        return rest != null && writes(rest.text());
    }

    private static boolean writes(String statement) {
        int begin = 0;
        while (begin < statement.length() && !Character.isLetter(statement.charAt(begin))) {
            begin++;
        }
        int end = begin;
        while (end < statement.length() && Character.isLetter(statement.charAt(end))) {
            end++;
        }
        String word = statement.substring(begin, end).toUpperCase(Locale.ROOT);
        boolean reads = word.isEmpty() || READING.contains(word);
        return !reads || (word.equals("WITH") && CHANGE_WITHIN.matcher(statement).find());
    }

    /// Whether any traversal of the Gremlin `script` writes, or may.
    static boolean gremlinWrites(String script) {
        return WRITING_STEP.matcher(script).find() || script.contains(":sql");
    }

    /// @throws Failure if there is no database at `path`
    static void checkDatabase(Path path) throws Failure {
        if (!Files.exists(path)) {
            throw new Failure(
                    "there is no database "
                            + path
                            + "; a script that writes creates one, or --create");
        }
    }

    /// @throws Failure if `database` has no graph `name`
    static void checkGraph(Database database, String name) throws Failure {
        if (OrielGraph.exists(database, name) || TableGraph.exists(database, name)) {
            return;
        }
        List<String> names = new ArrayList<>(OrielGraph.names(database));
        Layers.tables(database).catalog().graphs().stream()
                .map(PropertyGraph::name)
                .forEach(names::add);
        names.removeIf(String::isEmpty);
        names.sort(null);
        String wanted =
                name.isEmpty() ? "there is no graph without a name" : "there is no graph " + name;
        String known =
                names.isEmpty()
                        ? "; the database has none"
                        : "; there are: " + String.join(", ", names);
        throw new Failure(wanted + known + ". A traversal that writes creates one, or --create");
    }
}
