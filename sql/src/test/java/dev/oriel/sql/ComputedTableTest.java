package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComputedTableTest {
    private static final Column NAME = new Column("name", Typing.TEXT, true);
    private static final Column NUMBER = new Column("number", Typing.BIGINT, true);

    private final TestDatabase database = new TestDatabase();
    private final List<String> calls = new ArrayList<>();

    @BeforeEach
    void addTables() {
        database.sql()
                .add(
                        ComputedTable.of(
                                "test",
                                "definitions",
                                List.of(NAME, NUMBER),
                                (reading, rows) ->
                                        reading.catalog()
                                                .tables()
                                                .forEach(table ->
                                                        rows.begin()
                                                                .text(table.name())
                                                                .number(table.columns().size()))));
        database.sql()
                .add(
                        ComputedTable.function(
                                "test",
                                "numbers",
                                List.of(
                                        new Column("first", Typing.BIGINT, true),
                                        new Column("last", Typing.BIGINT, true)),
                                List.of(NUMBER),
                                (reading, rows) -> {
                                    long last =
                                            reading.arguments().isNull(1)
                                                    ? reading.arguments().longAt(0)
                                                    : reading.arguments().longAt(1);
                                    for (long i = reading.arguments().longAt(0); i <= last; i++) {
                                        rows.begin().number(i);
                                    }
                                }));
        database.sql()
                .add(
                        ComputedTable.procedure(
                                "test",
                                "note",
                                List.of(NAME),
                                List.of(NUMBER),
                                (reading, rows) -> {
                                    calls.add(String.valueOf(reading.arguments().textAt(0)));
                                    rows.begin().number(calls.size());
                                }));
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void aComputedTableIsReadLikeAnyOther() {
        database.update("CREATE TABLE a (x INT, y INT)");
        database.update("CREATE TABLE b (x INT)");
        assertEquals(List.of("a|2", "b|1"), database.query("SELECT * FROM test.definitions"));
        assertEquals(
                List.of("a"),
                database.query("SELECT d.name FROM TEST.Definitions d WHERE number > ?", 1L));
        assertEquals(
                List.of("a|b"),
                database.query(
                        "SELECT x.name, y.name FROM test.definitions x JOIN test.definitions y"
                                + " ON x.name < y.name"));
    }

    @Test
    void aTransactionSeesItsOwnDefinitions() {
        database.update("BEGIN");
        database.update("CREATE TABLE mine (x INT)");
        assertEquals(List.of("mine|1"), database.query("SELECT * FROM test.definitions"));
        database.update("ROLLBACK");
        assertEquals(List.of(), database.query("SELECT * FROM test.definitions"));
    }

    @Test
    void aFunctionTakesArgumentsAndSeesRowsBeforeIt() {
        assertEquals(List.of("2", "3"), database.query("SELECT * FROM test.numbers(?, 1 + 2)", 2L));
        assertEquals(List.of("7"), database.query("SELECT n FROM numbers(7) AS t (n)"));
        assertEquals(
                List.of("1|1", "2|1", "2|2"),
                database.query(
                        "SELECT a.number, b.number FROM numbers(1, 2) a,"
                                + " LATERAL (SELECT number FROM numbers(1, a.number)) b"));
    }

    @Test
    void aProcedureRunsOncePerCall() {
        try (Prepared call = database.session().prepare("CALL test.note(?)")) {
            TestDatabase.fill(call, "one");
            assertEquals(List.of("1"), TestDatabase.rows(call));
            TestDatabase.fill(call, "two");
            assertEquals(List.of("2"), TestDatabase.rows(call));
        }
        assertEquals(List.of("one", "two"), calls);
    }

    @Test
    void errorsSayWhatToDo() {
        assertEquals(
                "WRONG_STATEMENT_KIND: test.note has effects: run it by CALL",
                firstLine("SELECT * FROM test.note('x')"));
        assertEquals(
                "WRONG_STATEMENT_KIND: test.numbers has no effects: read it with SELECT",
                firstLine("CALL test.numbers(1)"));
        assertEquals(
                "UNKNOWN_TABLE: There is no schema \"tset\"; did you mean \"test\"?",
                firstLine("SELECT * FROM tset.definitions"));
        assertEquals(
                "UNKNOWN_TABLE: There is no table \"test.definition\"; did you mean"
                        + " \"definitions\"?",
                firstLine("SELECT * FROM test.definition"));
        assertEquals(
                "UNKNOWN_FUNCTION: There is no function \"numers\"; did you mean \"numbers\"?",
                firstLine("SELECT * FROM numers(1)"));
        assertEquals(
                "PARAMETER_COUNT: test.numbers is a function: write numbers(first BIGINT, last"
                        + " BIGINT)",
                firstLine("SELECT * FROM test.numbers"));
        assertEquals(
                "PARAMETER_COUNT: test.numbers takes at most 2 arguments (first BIGINT, last"
                        + " BIGINT), not 3",
                firstLine("SELECT * FROM test.numbers(1, 2, 3)"));
        assertEquals(
                "TYPE_MISMATCH: Argument \"first\" is of type BIGINT, but the value is of type BOOLEAN",
                firstLine("SELECT * FROM test.numbers(TRUE)"));
    }

    @Test
    void aRowThatIsNotFullIsAnError() {
        database.sql()
                .add(
                        ComputedTable.of(
                                "test",
                                "short",
                                List.of(NAME, NUMBER),
                                (reading, rows) -> rows.begin().text("x")));
        assertThrows(IllegalStateException.class, () -> database.query("SELECT * FROM test.short"));
    }

    private String firstLine(String sql) {
        return TestDatabase.run(database.session(), sql).lines().findFirst().orElse("");
    }
}
