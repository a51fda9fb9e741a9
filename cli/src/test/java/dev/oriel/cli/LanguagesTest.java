package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SQL and Gremlin in one session, and names of databases, graphs and labels that do not exist.
final class LanguagesTest {
    @TempDir Path folder;

    private Run sql(String script, String... more) {
        return run("sql", script, more);
    }

    private Run gremlin(String script, String... more) {
        return run("gremlin", script, more);
    }

    private Run run(String language, String script, String... more) {
        List<String> words = new java.util.ArrayList<>(List.of(language));
        words.addAll(List.of(more));
        return Run.oriel(folder, script, words.toArray(String[]::new));
    }

    @Test
    void sqlAndGremlinShareTheTransactionOfTheSqlShell() {
        Run run =
                sql(
                        """
                        CREATE TABLE account (id INT PRIMARY KEY, balance INT);
                        INSERT INTO account VALUES (1, 100);
                        \\gremlin g.addV('person').property('name', 'Ada')
                        BEGIN;
                        UPDATE account SET balance = 90;
                        \\gremlin g.V().has('name', 'Ada').property('paid', 10)
                        \\gremlin g.V().values('paid')
                        ROLLBACK;
                        \\gremlin g.V().hasNot('paid').count()
                        SELECT balance FROM account;
                        CREATE PROPERTY GRAPH bank VERTEX TABLES (account);
                        \\graph bank
                        BEGIN;
                        UPDATE account SET balance = 80;
                        \\gremlin g.V('account:1').values('balance')
                        \\gremlin g.V('account:1').property('balance', 70)
                        COMMIT;
                        SELECT balance + 1000 FROM account;
                        """);
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("     10\n"), run.out());
        assertTrue(run.out().contains("      1\n"), run.out());
        assertTrue(run.out().contains("     100\n"), run.out());
        assertTrue(run.out().contains("     80\n"), run.out());
        assertTrue(run.out().contains("1070\n"), run.out());
    }

    @Test
    void aTraversalThatFailsChangesNothingAndTheTransactionGoesOn() {
        Run run =
                sql(
                        """
                        CREATE TABLE t (id INT PRIMARY KEY);
                        CREATE PROPERTY GRAPH p VERTEX TABLES (t);
                        BEGIN;
                        INSERT INTO t VALUES (1);
                        \\graph p
                        \\gremlin g.addV('t').property('id', 2).addV('t').property('id', 1)
                        """);
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("standard input, line 6"), run.err());
        Run missing = sql("BEGIN;\n\\graph typo\n\\gremlin g.V()\n");
        assertEquals(1, missing.exitCode());
        assertTrue(
                missing.err().contains("There is no graph typo; the database has none"),
                missing.err());
    }

    @Test
    void sqlAndGremlinShareTheTransactionOfTheGremlinShell() {
        Run run =
                gremlin(
                        """
                        :sql CREATE TABLE account (id INT PRIMARY KEY, balance INT)
                        :sql INSERT INTO account VALUES (1, 100)
                        :begin
                        :sql UPDATE account SET balance = 90
                        g.addV('person').property('name', 'Ada')
                        :sql SELECT "_id" > 0 AS there FROM "person"
                        :rollback
                        :sql SELECT balance FROM account
                        :begin
                        :sql UPDATE account SET balance = 80
                        g.addV('person').property('name', 'Bob')
                        :commit
                        :sql SELECT balance FROM account
                        g.V().values('name').fold()
                        """);
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains(" true\n"), run.out());
        assertTrue(run.out().contains("     100\n"), run.out());
        assertTrue(run.out().contains("      80\n"), run.out());
        assertTrue(run.out().contains("[Bob]"), run.out());
    }

    @Test
    void namesThatDoNotExistCreateNothingByBeingRead() {
        Path typo = folder.resolve("typo");
        Run run = sql("", typo.toString(), "-c", "SELECT 1; SELECT 2");
        assertEquals(1, run.exitCode());
        assertTrue(
                run.err()
                        .contains(
                                "there is no database "
                                        + typo
                                        + "; a script that writes creates one, or --create"),
                run.err());
        assertEquals(1, sql("SELECT 1;\n", typo.toString()).exitCode());
        assertEquals(1, sql("", typo.toString(), "-c", "\\d").exitCode());
        assertEquals(1, gremlin("", typo.toString(), "-c", "g.V().count()").exitCode());
        assertFalse(Files.exists(typo));
        assertEquals(0, sql("", typo.toString(), "--create", "-c", "SELECT 1").exitCode());
        assertTrue(Files.exists(typo));
        Path made = folder.resolve("made");
        assertEquals(0, sql("SELECT 1; CREATE TABLE t (a INT);\n", made.toString()).exitCode());
        assertTrue(Files.exists(made));
    }

    @Test
    void graphsAndLabelsThatDoNotExistAreNamed() {
        String data = folder.resolve("data").toString();
        Run run = gremlin("", data, "--graph", "shop", "-c", "g.addV('person')");
        assertEquals(0, run.exitCode(), run.err());
        run =
                sql(
                        "",
                        data,
                        "-c",
                        "CREATE TABLE t (a INT PRIMARY KEY);"
                                + " CREATE PROPERTY GRAPH social VERTEX TABLES (t)");
        assertEquals(0, run.exitCode(), run.err());
        run = gremlin("", data, "--graph", "typo", "-c", "g.V()");
        assertEquals(1, run.exitCode());
        assertTrue(
                run.err().contains("there is no graph typo; there are: shop, social. "), run.err());
        run = gremlin("g.V()\n", data);
        assertEquals(1, run.exitCode());
        assertTrue(
                run.err().contains("there is no graph without a name; there are: shop, social. "),
                run.err());
        run = gremlin("", data, "--graph", "social", "-c", "g.V().count()");
        assertEquals(0, run.exitCode(), run.err());
        run = gremlin("", data, "--graph", "shop", "-c", "g.V().hasLabel('persn').out('knows')");
        assertTrue(run.out().contains("(there is no label persn; there are: person)"), run.out());
        assertTrue(
                run.out().contains("(there is no edge label knows; the graph has none)"),
                run.out());
        run = gremlin("", data, "--graph", "typo", "--create", "-c", "g.V().count()");
        assertEquals(0, run.exitCode(), run.err());
    }
}
