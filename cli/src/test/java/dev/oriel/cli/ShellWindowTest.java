package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shell's commands that look into the database, its formats, and `\copy`.
class ShellWindowTest {
    private static final String TOWNS =
            """
            CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR(20), people BIGINT);
            INSERT INTO towns VALUES (1, 'Oz, "the"', 12), (2, NULL, NULL), (3, '', -5);
            """;

    @TempDir private Path folder;

    @Test
    void rowsComeAsCsv() {
        assertEquals(
                """
                id,name,people
                1,"Oz, ""the\""",12
                2,,
                3,"",-5
                """,
                after(TOWNS, "\\format csv\nSELECT * FROM towns ORDER BY id;\n"));
    }

    @Test
    void rowsComeAsJson() {
        assertEquals(
                """
                [
                {"id":1,"name":"Oz, \\"the\\"","people":12},
                {"id":2,"name":null,"people":null},
                {"id":3,"name":"","people":-5}
                ]
                []
                """,
                after(
                        TOWNS,
                        """
                        \\format json
                        SELECT * FROM towns ORDER BY id;
                        SELECT 1 FROM towns WHERE id = 9;
                        """));
    }

    @Test
    void truthValuesAndJsonAreNoTextsInJson() {
        Run run =
                Run.oriel(
                        folder,
                        "\\format json\nSELECT 1 < 2 AS yes, 1 > 2 AS no, CAST(NULL AS BOOLEAN) AS open,"
                                + " JSON '{\"a\": [1]}' AS j, 'true' AS t;\n",
                        "sql");
        assertEquals("", run.err());
        String line = run.out().lines().filter(text -> text.startsWith("{")).findFirst().orElse("");
        assertEquals(
                "{\"yes\":true,\"no\":false,\"open\":null,\"j\":{\"a\":[1]},\"t\":\"true\"}",
                line.replace(": ", ":"));
    }

    @Test
    void rowsComeAsMarkdown() {
        assertEquals(
                """
                | id | x |
                |---:|---|
                | 1 | a\\|b |
                """,
                after(
                        TOWNS,
                        "\\format markdown\nSELECT id, 'a|b' AS x FROM towns WHERE id = 1;\n"));
    }

    @Test
    void anUnknownFormatIsNamed() {
        String named = "there is no format \"xml\": there are table, blocks, csv, json, markdown\n";
        Run run = Run.oriel(folder, "\\format xml\n", "sql");
        assertEquals("oriel: standard input, line 1: " + named, run.err());
        Path database = folder.resolve("db");
        Run option = Run.oriel(folder, "", "sql", database.toString(), "--format", "xml");
        assertEquals("oriel: " + named, option.err());
        assertFalse(Files.exists(database));
    }

    @Test
    void programsGetNothingButRows() {
        String copied = "'" + folder.resolve("t.csv") + "'\n";
        String script =
                "CREATE TABLE t (id INTEGER);\nINSERT INTO t VALUES (1);\nSELECT id FROM t;\n"
                        + "\\timing on\n\\copy t TO "
                        + copied
                        + "\\copy t FROM "
                        + copied
                        + "\\explain > "
                        + folder.resolve("plan.html")
                        + " SELECT 1\nDELETE FROM t;\nSELECT id FROM t;\n";
        Run csv = Run.oriel(folder, script, "sql", "--format", "csv");
        assertEquals("id\n1\nid\n", csv.out(), csv.err());
        Run json = Run.oriel(folder, "\\format json\n" + script, "sql");
        assertEquals("[\n{\"id\":1}\n]\n[]\n", json.out(), json.err());
        Run markdown = Run.oriel(folder, "", "sql", "--format", "MARKDOWN", "-c", script);
        assertEquals("| id |\n|---:|\n| 1 |\n| id |\n|---:|\n", markdown.out(), markdown.err());
    }

    @Test
    void theFormatIsToldToWhoAsksForIt() {
        assertEquals("Rows are shown as table.\n", after("", "\\format\n"));
        assertEquals("Rows are shown as csv.\n", after("", "\\format csv\n\\format\n"));
        assertEquals(
                "Rows are shown as table.\n(done)\n",
                after("", "\\format csv\n\\format table\nCREATE TABLE t (id INTEGER);\n"));
    }

    @Test
    void aStatementIsExplainedWithItsTimes() throws IOException {
        Path page = folder.resolve("plan.html");
        String out =
                after(
                        TOWNS,
                        "\\explain SELECT * FROM towns WHERE people > 1;\n"
                                + "\\explain > "
                                + page
                                + " SELECT * FROM towns\n");
        assertTrue(
                out.startsWith("Filter (people > 1)  (rows 1 of ~2, removed 2, loops 1, self "),
                out);
        assertTrue(out.endsWith("(written to " + page + ")\n"), out);
        assertTrue(Files.readString(page).startsWith("<!doctype html>"));
    }

    @Test
    void theLastStatementIsRunAgain() {
        assertEquals(
                "x\n7\nx\n7\nx\n7\n", after("", "\\format csv\nSELECT 7 AS x;\n\\watch 0 2\n"));
        assertTrue(Run.oriel(folder, "\\watch\n", "sql").err().contains("there is none"));
        assertTrue(
                Run.oriel(folder, "SELECT 1;\n\\watch often\n", "sql")
                        .err()
                        .contains("\\watch takes seconds and how often"));
    }

    @Test
    void topShowsSessionsAndStatements() {
        String out = after(TOWNS, "\\format csv\n\\top\n");
        assertTrue(out.contains("session,state,waiting_for,blocked_by,running_ms,statement"), out);
        assertTrue(out.contains("1,executing,,,"), out);
        assertTrue(out.contains("calls,total_ms,mean_us,p99_us,rows,errors,statement"), out);
        assertTrue(out.contains("\"INSERT INTO towns VALUES (?, ?, ?)...\""), out);
    }

    @Test
    void rowsGoIntoAFileAndComeBack() throws IOException {
        Path file = folder.resolve("towns.csv");
        String out =
                after(
                        TOWNS,
                        "\\copy (SELECT id + 10 AS id, name, people FROM towns ORDER BY id) TO '"
                                + file
                                + "'\n\\copy towns FROM "
                                + file
                                + "\n\\format csv\nSELECT * FROM towns WHERE id > 10 ORDER BY id;\n");
        assertEquals(
                """
                (3 rows copied)
                (3 rows copied)
                id,name,people
                11,"Oz, ""the\""",12
                12,,
                13,"",-5
                """,
                out);
        assertEquals("id,name,people", Files.readAllLines(file).getFirst());
    }

    @Test
    void aFileComesInAsAWholeOrNotAtAll() throws IOException {
        Path file = folder.resolve("towns.csv");
        Files.writeString(file, "id,name\n7,Rome\n1,Oz\n");
        Path database = folder.resolve("db");
        Run run =
                Run.oriel(folder, TOWNS + "\\copy towns FROM " + file + "\n", "sql", "" + database);
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("23505"), run.err());
        Run after =
                Run.oriel(folder, "SELECT count(*) AS n FROM towns;\n", "sql", database.toString());
        assertTrue(after.out().contains(" 3\n"), after.out());
        Files.writeString(file, "id,name\n7\n");
        Run crooked =
                Run.oriel(folder, "\\copy towns FROM " + file + "\n", "sql", database.toString());
        assertTrue(crooked.err().contains("row 1 has 1 fields for 2 columns"), crooked.err());
    }

    /// What is printed after `script` has run.
    private String after(String script, String commands) {
        Run run = Run.oriel(folder, script + "\\?\n" + commands, "sql");
        assertEquals("", run.err());
        String help = "Ctrl-C cancels the running statement\n";
        return run.out().substring(run.out().indexOf(help) + help.length());
    }
}
