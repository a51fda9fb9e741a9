package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.SessionStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the examples of the SQL reference in order, and compares the answers. Every statement and type must have one;
/// FunctionDescriptionsTest asks for those of functions. With `-Dupdate=true` the answers are rewritten.
final class ReferenceDocumentsTest {
    private static final String ANSWER = "--> ";
    private static final boolean UPDATE = Boolean.getBoolean("update");

    /// Names of files in the examples, to be placed in a folder of the test's own.
    private static final Pattern FILE = Pattern.compile("'([a-z]+\\.(?:csv|txt))'");

    @TempDir Path folder;

    private final Set<String> statements = new TreeSet<>();
    private final Set<Type.Name> types = EnumSet.noneOf(Type.Name.class);

    @Test
    void examplesAnswerWhatTheReferenceSays() throws IOException {
        assertTrue(run("sql-reference.md") > 40);
        assertTrue(run("sql-functions.md") > 40);
    }

    @Test
    void everyStatementAndTypeHasAnExample() throws IOException {
        var _ = run("sql-reference.md");
        Set<String> without = new TreeSet<>();
        addLeaves(Statement.class, without);
        assertTrue(without.size() > 30, without::toString);
        without.removeAll(statements);
        without.remove(Statement.ChangedRows.class.getSimpleName()); // within a WITH
        assertEquals(Set.of(), without);
        assertEquals(EnumSet.allOf(Type.Name.class), types);
    }

    private static void addLeaves(Class<?> sealed, Set<String> into) {
        if (!sealed.isSealed()) {
            into.add(sealed.getSimpleName());
            return;
        }
        for (Class<?> kind : sealed.getPermittedSubclasses()) {
            addLeaves(kind, into);
        }
    }

    /// Runs the examples of `name`; returns their number.
    private int run(String name) throws IOException {
        Path document = Path.of("..", "docs", name);
        List<String> lines = Files.readAllLines(document);
        List<String> written = new ArrayList<>();
        int count = 0;
        try (TestDatabase database = new TestDatabase()) {
            boolean inside = false;
            StringBuilder statement = new StringBuilder();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                written.add(line);
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
                List<String> found = answer(database, inFolder(statement.toString()));
                found.forEach(row -> written.add(ANSWER + row));
                if (!UPDATE) {
                    assertEquals(expected, found, statement::toString);
                }
                statement.setLength(0);
                expected.clear();
                count++;
            }
            for (Table table : database.sql().catalog().tables()) {
                for (Column column : table.columns()) {
                    types.add(column.type().name());
                }
            }
        }
        if (UPDATE) {
            Files.write(document, written);
        }
        return count;
    }

    private String inFolder(String statement) {
        return FILE.matcher(statement)
                .replaceAll(name ->
                        Matcher.quoteReplacement("'" + folder.resolve(name.group(1)) + "'"));
    }

    private List<String> answer(TestDatabase database, String statement) {
        try (Prepared prepared = database.session().prepare(statement)) {
            if (!SessionStatement.isLikely(statement)) {
                statements.add(
                        Parser.parseWithTypes(new SqlText(statement), _ -> Typing.TEXT)
                                .statement()
                                .getClass()
                                .getSimpleName());
            }
            for (Prepared.OutputColumn column : prepared.columns()) {
                types.add(column.type().name());
            }
            if (prepared.isQuery()) {
                return TestDatabase.rows(prepared);
            }
            prepared.update();
            return List.of();
        }
    }
}
