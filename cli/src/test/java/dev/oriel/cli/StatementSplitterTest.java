package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.cli.StatementSplitter.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatementSplitterTest {
    @Test
    void semicolonsEndStatements() {
        assertEquals(List.of("SELECT 1", "SELECT 2"), texts("SELECT 1; SELECT 2;"));
    }

    @Test
    void lastStatementNeedsNoSemicolon() {
        assertEquals(List.of("SELECT 1", "SELECT 2"), texts("SELECT 1;\nSELECT 2\n"));
    }

    @Test
    void statementsOfNothingAreNone() {
        assertEquals(List.of(), texts(";; ;\n-- nothing\n;/* nothing */;"));
    }

    @Test
    void blanksOfAllKindsBeginNothing() {
        assertEquals(List.of("SELECT 1"), texts("\ufeffSELECT 1;\u00a0"));
        assertTrue(StatementSplitter.complete("SELECT 1;\u00a0"));
    }

    @Test
    void semicolonsInBodiesOfFunctionsEndNothing() {
        String function =
                "CREATE FUNCTION f(a INT) RETURNS INT BEGIN ATOMIC SELECT CASE WHEN a > 0 THEN 1"
                        + " END /* end */; END";
        assertEquals(List.of(function, "SELECT 2"), texts(function + "; SELECT 2;"));
        assertEquals(List.of("BEGIN", "SELECT 1", "END"), texts("BEGIN; SELECT 1; END;"));
        assertFalse(StatementSplitter.complete("CREATE FUNCTION f() BEGIN ATOMIC SELECT 1;"));
    }

    @Test
    void semicolonsInStringsEndNothing() {
        assertEquals(
                List.of("SELECT 'a;b', 'it''s; fine'", "SELECT 2"),
                texts("SELECT 'a;b', 'it''s; fine'; SELECT 2;"));
    }

    @Test
    void semicolonsInStringsWithBackslashesEndNothing() {
        assertEquals(
                List.of("SELECT E'it\\'s; \\\\', e'a''\\';'", "SELECT 2"),
                texts("SELECT E'it\\'s; \\\\', e'a''\\';'; SELECT 2;"));
        assertEquals(List.of("SELECT name'\\'", "SELECT 2"), texts("SELECT name'\\'; SELECT 2;"));
    }

    @Test
    void semicolonsBetweenTagsEndNothing() {
        assertEquals(
                List.of("SELECT $$it's; $a$ fine$$, $b_1$ $$;\n; $b_1$", "SELECT a$b, 2"),
                texts("SELECT $$it's; $a$ fine$$, $b_1$ $$;\n; $b_1$; SELECT a$b, 2;"));
    }

    @Test
    void semicolonsInQuotedNamesEndNothing() {
        assertEquals(List.of("SELECT \"a;\"\";b\""), texts("SELECT \"a;\"\";b\";"));
        assertEquals(List.of("SELECT `a;'b`", "SELECT 2"), texts("SELECT `a;'b`; SELECT 2;"));
    }

    @Test
    void semicolonsInCommentsEndNothing() {
        assertEquals(
                List.of("SELECT 1 -- one; really\n, 2 /* two; 'still */ , 3"),
                texts("SELECT 1 -- one; really\n, 2 /* two; 'still */ , 3;"));
    }

    @Test
    void anyEndOfALineEndsItsComment() {
        assertEquals(
                List.of("SELECT 1", "SELECT 2 -- two;\r , 3"),
                texts("-- one;\rSELECT 1; SELECT 2 -- two;\r , 3;"));
        assertEquals(List.of("SELECT 1\r\n-- one;\r\n + 1"), texts("SELECT 1\r\n-- one;\r\n + 1;"));
        assertEquals(
                List.of("SELECT 1 // one;\n, '//'", "SELECT 2"),
                texts("// none;\nSELECT 1 // one;\n, '//'; SELECT 2;"));
    }

    @Test
    void blockCommentsNest() {
        assertEquals(
                List.of("SELECT /* a /* b; */ c; */ 1", "SELECT 2"),
                texts("SELECT /* a /* b; */ c; */ 1; SELECT 2;"));
    }

    @Test
    void commentMarksInStringsAreText() {
        assertEquals(
                List.of("SELECT '--', '/*'", "SELECT 1"), texts("SELECT '--', '/*'; SELECT 1;"));
    }

    @Test
    void dividedAndMultipliedIsNoComment() {
        assertEquals(List.of("SELECT 4 / 2 * 1 - -1"), texts("SELECT 4 / 2 * 1 - -1;"));
    }

    @Test
    void stringsMayTakeSeveralLines() {
        assertEquals(List.of("SELECT 'a\n;\nb'"), texts("SELECT 'a\n;\nb';"));
    }

    @Test
    void statementsKnowTheLineTheyBeginIn() {
        StatementSplitter splitter = new StatementSplitter();
        splitter.add("-- a comment");
        splitter.add("");
        splitter.add("SELECT");
        splitter.add("  1; /* over");
        splitter.add("lines */ SELECT 2;");
        assertEquals(new Statement("SELECT\n  1", 3), splitter.next());
        assertEquals(new Statement("SELECT 2", 5), splitter.next());
        assertNull(splitter.next());
        splitter.skip();
        splitter.add("SELECT 3;");
        assertEquals(new Statement("SELECT 3", 7), splitter.next());
        assertNull(splitter.next());
        assertNull(splitter.rest());
    }

    @Test
    void textIsCompleteOnlyBetweenStatements() {
        assertTrue(StatementSplitter.complete(""));
        assertTrue(StatementSplitter.complete("SELECT 1;"));
        assertTrue(StatementSplitter.complete("SELECT 1; -- done"));
        assertFalse(StatementSplitter.complete("SELECT 1"));
        assertFalse(StatementSplitter.complete("SELECT ';"));
        assertFalse(StatementSplitter.complete("SELECT 1; SELECT"));
        assertFalse(StatementSplitter.complete("SELECT 1; /* going on"));
    }

    private static List<String> texts(String text) {
        StatementSplitter splitter = new StatementSplitter();
        List<String> statements = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            splitter.add(line);
            for (Statement s = splitter.next(); s != null; s = splitter.next()) {
                statements.add(s.text());
            }
        }
        Statement rest = splitter.rest();
        if (rest != null) {
            statements.add(rest.text());
        }
        return statements;
    }
}
