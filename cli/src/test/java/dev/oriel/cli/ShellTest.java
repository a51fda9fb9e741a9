package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `sql` without a terminal, against a real database.
class ShellTest {
    private static final String TOWNS =
            """
            CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, people BIGINT);
            CREATE INDEX towns_name ON towns (name);
            INSERT INTO towns VALUES (1, 'Oz', 12), (2, 'Atlantis', NULL);
            """;

    @TempDir private Path folder;

    @Test
    void statementsFromStandardInputAreRun() {
        Run run = sql(TOWNS + "SELECT * FROM towns ORDER BY id;\n");
        assertEquals("", run.err());
        assertEquals(
                """
                (done)
                (done)
                (2 rows inserted)
                 id | name     | people
                ----+----------+--------
                  1 | Oz       |     12
                  2 | Atlantis |   NULL
                (2 rows)
                """,
                run.out());
        assertEquals(0, run.exitCode());
    }

    @Test
    void functionsAreDescribedByPattern() {
        Run run =
                sql(
                        "\\df\nCREATE FUNCTION twice(x INT) RETURNS INT RETURN x * 2;\n\\df\n\\df lpad\n\\df sin*\n\\df nothing\n");
        assertEquals(
                """
                There are no functions of your own yet; \\df * lists the built-in ones.
                (done)
                 function         | result  | description
                ------------------+---------+-------------
                 twice(x integer) | integer |
                 function                                      | result | description
                -----------------------------------------------+--------+-----------------------------------------------------------------------------------
                 lpad(value text, length integer, [fill text]) | text   | Text filled up at its beginning, with blanks or a given text, or cut to a length.
                SELECT lpad('7', 3, '0') --> 007
                 function                       | result           | description
                --------------------------------+------------------+------------------------------
                 sin(radians double precision)  | double precision | Sine of an angle in radians.
                 sind(degrees double precision) | double precision | Sine of an angle in degrees.
                 sinh(value double precision)   | double precision | Hyperbolic sine.
                """,
                run.out());
        assertEquals(
                "oriel: standard input, line 6: there is no function nothing: \\df * lists all\n",
                run.err());
    }

    @Test
    void statementsFromTheCommandLineAreRun() {
        Run run = Run.oriel(folder, "", "sql", "-c", "SELECT 1 + 1 AS two; SELECT 3 AS three");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains(" two\n-----\n   2\n(1 row)\n"), run.out());
        assertTrue(run.out().contains(" three\n"), run.out());
    }

    @Test
    void scriptStopsAtItsFirstErrorAndNamesTheLine() throws IOException {
        Path script = folder.resolve("towns.sql");
        Files.writeString(script, TOWNS + "\nSELECT nme\nFROM towns;\nDELETE FROM towns;\n");
        Path database = folder.resolve("db");
        Run run = Run.oriel(folder, "", "sql", database.toString(), "-f", script.toString());
        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("oriel: " + script + ", line 5: ERROR 42"), run.err());
        assertTrue(run.err().contains("SELECT nme"), run.err());
        assertTrue(run.err().contains("^"), run.err());
        Run after =
                Run.oriel(
                        folder, "", "sql", database.toString(), "-c", "SELECT count(*) FROM towns");
        assertTrue(after.out().contains(" 2\n"), after.out());
    }

    @Test
    void databaseOutlivesTheCommand() {
        Path database = folder.resolve("db");
        assertEquals(0, Run.oriel(folder, TOWNS, "sql", database.toString()).exitCode());
        Run check = Run.oriel(folder, "", "check", database.toString());
        assertEquals("All is well.\n", check.out(), check.err());
        assertEquals(0, check.exitCode());
        Run run = Run.oriel(folder, "\\d\n", "sql", database.toString());
        assertTrue(run.out().contains("towns"), run.out());
    }

    @Test
    void tablesAreDescribed() {
        Run run = sql(TOWNS + "CREATE INDEX towns_id ON towns (id, name DESC);\n\\d towns\n");
        assertEquals("", run.err());
        assertTrue(run.out().contains("towns_id: (id, name DESC)"), run.out());
        assertTrue(run.out().contains("VARCHAR(20)"), run.out());
        assertTrue(run.out().contains("not null"), run.out());
        assertTrue(run.out().contains("Primary key: (id)"), run.out());
        assertTrue(run.out().contains("towns_name: (name)"), run.out());
    }

    @Test
    void unknownTableIsNotDescribed() {
        Run run = sql("\\d nowhere\n");
        assertEquals(1, run.exitCode());
        assertEquals(
                "oriel: standard input, line 1: there is no table nowhere:" + " \\d lists all\n",
                run.err());
    }

    @Test
    void filesAreIncluded() throws IOException {
        Path script = Files.writeString(folder.resolve("towns.sql"), TOWNS);
        Run run = sql("\\i " + script + "\nUPDATE towns SET people = 1;\n");
        assertEquals("", run.err());
        assertTrue(run.out().endsWith("(2 rows updated)\n"), run.out());
    }

    @Test
    void nameOfAFileMayBeInQuotes() throws IOException {
        Path script = Files.writeString(folder.resolve("two words;"), TOWNS);
        for (String end : new String[] {"", ";", " ; "}) {
            Run run = sql("\\i '" + script + "'" + end + "\nUPDATE towns SET people = 1;\n");
            assertEquals("(2 rows updated)", last(run), end);
        }
        Run none = sql("\\i 'a' or 'b'\n");
        Path wanted = Path.of("'a' or 'b'").toAbsolutePath();
        assertTrue(none.err().endsWith("no such file: " + wanted + "\n"), none.err());
    }

    @Test
    void aSemicolonBehindACommandIsNoPartOfIt() throws IOException {
        Path script = Files.writeString(folder.resolve("towns.sql"), TOWNS);
        Run run =
                sql(
                        "\\i "
                                + script
                                + ";\n\\timing off ;\n\\x on;\nSELECT 1 AS one;\n\\format csv;\n"
                                + "SELECT id FROM towns WHERE id = 2;\n\\watch 0 1;\n\\d;\n\\q;\nnonsense;\n");
        assertEquals("", run.err());
        String out = run.out();
        assertTrue(out.contains("Times are not shown.\nRows are shown as blocks.\n"), out);
        assertTrue(out.contains("- row 1 -\none | 1\n(1 row)\nid\n2\nid\n2\n"), out);
        assertTrue(out.contains("towns | "), out);
    }

    @Test
    void aMarkBeforeTheFirstLineIsNoPartOfIt() {
        assertEquals(
                "(1 row inserted)",
                last(sql("CREATE TABLE a (i INT);\n\ufeffINSERT INTO a VALUES (1);\n")));
        assertEquals("Times are shown.", last(sql("\ufeff\\timing on\n")));
    }

    private static String last(Run run) {
        assertEquals("", run.err());
        return run.out().lines().toList().getLast();
    }

    @Test
    void fileThatIncludesItselfIsStopped() throws IOException {
        Path script = folder.resolve("loop.sql");
        Files.writeString(script, "\\i " + script + "\n");
        Run run = sql("\\i " + script + "\n");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("include each other"), run.err());
    }

    @Test
    void timesAndBlocksAreTurnedOnAndOff() {
        Run run = sql("\\timing on\n\\x on\nSELECT 1 AS one;\n");
        assertTrue(run.out().contains("- row 1 -\none | 1\n(1 row, "), run.out());
        assertTrue(run.out().endsWith(" ms)\n"), run.out());
    }

    @Test
    void aFileThatIsStoppedIsNotRunToItsEnd() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:")) {
            AtomicReference<Shell> shell = new AtomicReference<>();
            StringWriter out =
                    new StringWriter() {
                        @Override
                        public void flush() {
                            shell.get().cancel(); // between two statements
                        }
                    };
            Screen screen = new Screen(new PrintWriter(out), Screen.ENDLESS, false);
            shell.set(new Shell(connection, OutputFormat.TABLE, () -> screen));
            String text = "CREATE TABLE a (i INT);\nCREATE TABLE b (i INT);\n";
            BufferedReader in = new BufferedReader(new StringReader(text));
            Failure failure = assertThrows(Failure.class, () -> shell.get().script(in, "f"));
            assertEquals(
                    "f, line 2: stopped: neither this nor the rest was run", failure.getMessage());
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE a");
                assertThrows(SQLException.class, () -> statement.execute("DROP TABLE b"));
            }
        }
    }

    @Test
    void whatNobodyReadsIsNotRepeated() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:")) {
            Writer closed =
                    new Writer() {
                        @Override
                        public void write(char[] text, int from, int count) throws IOException {
                            throw new IOException("Broken pipe");
                        }

                        @Override
                        public void flush() {}

                        @Override
                        public void close() {}
                    };
            Screen screen = new Screen(new PrintWriter(closed), Screen.ENDLESS, false);
            Shell shell = new Shell(connection, OutputFormat.TABLE, () -> screen);
            String text = "SELECT 1;\n\\watch 0\n\\top 0 0\n";
            assertTimeoutPreemptively(
                    Duration.ofMinutes(2),
                    () -> shell.script(new BufferedReader(new StringReader(text)), ""));
        }
    }

    @Test
    void wordsOfOtherShellsAreKnownAtThePrompt() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:")) {
            StringWriter out = new StringWriter();
            Screen screen = new Screen(new PrintWriter(out), Screen.ENDLESS, false);
            Shell shell = new Shell(connection, OutputFormat.TABLE, () -> screen);
            assertTrue(shell.isCommand("help"));
            assertTrue(shell.command("help"));
            assertTrue(out.toString().contains("this help"), out.toString());
            assertTrue(shell.isCommand(" exit ; "));
            assertFalse(shell.command(" exit ; "));
            assertFalse(shell.command("QUIT"));
            assertFalse(shell.isCommand("exit 1"));
            assertTrue(Shell.isTyped("\\d help"));
        }
    }

    @Test
    void quitLeavesTheRestAlone() {
        Run run = sql("\\q\nSELECT nonsense;\n");
        assertEquals(0, run.exitCode(), run.err());
        assertFalse(run.out().contains("nonsense"));
    }

    @Test
    void unknownCommandIsNamed() {
        Run run = sql("\\z\n");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("there is no command \\z"), run.err());
    }

    @Test
    void endsOfLinesWithinStringsStay() throws IOException {
        String text =
                "SELECT LENGTH('a\r\nb') AS n, ASCII('\r') AS c,\r\n 'x\n\n' = E'x\\n\\n' AS lf;\r\n";
        String row = "{\"n\":4,\"c\":13,\"lf\":true}";
        Run run = sql("\\format json\r\n" + text);
        assertTrue(run.out().contains(row), run.out() + run.err());
        Path script = Files.writeString(folder.resolve("f.sql"), text);
        Run included = sql("\\format json\n\\i " + script + "\r\n");
        assertTrue(included.out().contains(row), included.out() + included.err());
    }

    @Test
    void linesAreCountedByTheirLf() {
        Run run = sql("SELECT 1;\r\nSELECT '\r';\r\n\r\n\\z\r\n");
        assertTrue(run.err().contains("line 4: there is no command \\z:"), run.err());
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        byte[] latin = "SELECT 'gr\u00fcn';\n".getBytes(StandardCharsets.ISO_8859_1);
        Run run = Run.oriel(folder, latin, "sql");
        assertEquals("oriel: the text is not UTF-8\n", run.err());
        assertEquals("", run.out());
        assertEquals(1, run.exitCode());
    }

    private Run sql(String text) {
        return Run.oriel(folder, text, "sql");
    }
}
