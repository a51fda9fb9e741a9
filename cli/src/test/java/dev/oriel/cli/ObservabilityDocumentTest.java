package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/// Runs the examples of docs/observability.md in their order, in one database. Where output follows
/// an example, the last statement must print just that, but for digits.
class ObservabilityDocumentTest {
    @Test
    void theExamplesPrintWhatThePageSays() throws Exception {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            int examples =
                    PageExamples.check(
                            "observability.md",
                            ObservabilityDocumentTest::masked,
                            (language, code) ->
                                    language.equals("sql") ? lastOutput(connection, code) : "");
            assertTrue(examples >= 7, "examples found: " + examples);
        }
    }

    /// Runs all statements; returns what the last one has printed.
    private static String lastOutput(Connection connection, String sql) throws Exception {
        StatementSplitter splitter = new StatementSplitter();
        String printed = "";
        for (String line : sql.split("\n", -1)) {
            splitter.add(line);
            for (StatementSplitter.Statement s = splitter.next(); s != null; s = splitter.next()) {
                StringWriter out = new StringWriter();
                Screen screen = new Screen(new PrintWriter(out), Screen.ENDLESS, false);
                try (BufferedReader in = new BufferedReader(new StringReader(s.text() + ";"))) {
                    new Shell(connection, OutputFormat.TABLE, () -> screen).script(in, "");
                }
                printed = out.toString();
            }
        }
        return printed;
    }

    private static String masked(String output) {
        return output.replaceAll("[0-9]+(\\.[0-9]+)?(E-?[0-9]+)?", "#")
                .replaceAll("[ -]+", " ")
                .strip();
    }
}
