package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples of the SQL reference run in order, and answer what it says.
final class ReferenceDocumentsTest {
    private static final String ANSWER = "--> ";

    /// Names of files in the examples: they are to lie in a folder of the test's own.
    private static final Pattern FILE = Pattern.compile("'([a-z]+\\.(?:csv|txt))'");

    @TempDir Path folder;

    @Test
    void examplesAnswerWhatTheReferenceSays() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "sql-reference.md"));
        int statements = 0;
        try (TestDatabase database = new TestDatabase()) {
            boolean inside = false;
            StringBuilder statement = new StringBuilder();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.startsWith("```")) {
                    inside = line.equals("```sql");
                    continue;
                }
                if (!inside) {
                    continue;
                }
                statement.append(line).append('\n');
                if (!line.endsWith(";")) {
                    continue;
                }
                while (lines.get(i + 1).startsWith(ANSWER)) {
                    expected.add(lines.get(++i).substring(ANSWER.length()));
                }
                String text =
                        FILE.matcher(statement)
                                .replaceAll(name ->
                                        Matcher.quoteReplacement(
                                                "'" + folder.resolve(name.group(1)) + "'"));
                check(database.session(), text, expected);
                statement.setLength(0);
                expected.clear();
                statements++;
            }
        }
        assertTrue(statements > 40, "only " + statements + " examples were found");
    }

    private static void check(Session session, String statement, List<String> expected) {
        try (Prepared prepared = session.prepare(statement)) {
            if (prepared.isQuery()) {
                assertEquals(expected, TestDatabase.rows(prepared), statement);
            } else {
                prepared.update();
                assertEquals(List.of(), expected, statement);
            }
        }
    }
}
