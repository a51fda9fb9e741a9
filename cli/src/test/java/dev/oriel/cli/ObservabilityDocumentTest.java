package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Runs the examples of docs/observability.md in their order, in one database. Where output follows
/// an example, the last statement must print just that, but for digits. With `-Dupdate=true` what is
/// printed is written into the document instead.
class ObservabilityDocumentTest {
    private static final Pattern BLOCK =
            Pattern.compile("```sql\n(.*?)```\n(```text\n(.*?)```\n)?", Pattern.DOTALL);

    @Test
    void theExamplesPrintWhatThePageSays() throws Exception {
        Path page = page();
        String text = Files.readString(page);
        StringBuilder updated = new StringBuilder();
        int examples = 0;
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            Matcher block = BLOCK.matcher(text);
            while (block.find()) {
                examples++;
                String printed = lastOutput(connection, block.group(1));
                String expected = block.group(3);
                if (expected != null && !Boolean.getBoolean("update")) {
                    assertEquals(masked(expected), masked(printed), block.group(1));
                }
                String example = "```sql\n" + block.group(1) + "```\n";
                if (expected != null) {
                    example += "```text\n" + printed + "```\n";
                }
                block.appendReplacement(updated, Matcher.quoteReplacement(example));
            }
            block.appendTail(updated);
        }
        assertTrue(examples >= 7, "examples found: " + examples);
        if (Boolean.getBoolean("update")) {
            Files.writeString(page, updated);
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

    private static Path page() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/observability.md"))) {
            at = Objects.requireNonNull(at.getParent(), "a folder with docs");
        }
        return at.resolve("docs/observability.md");
    }
}
