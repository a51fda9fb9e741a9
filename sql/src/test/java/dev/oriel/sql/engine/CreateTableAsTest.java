package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tables made of queries with parameters.
class CreateTableAsTest {
    private final TestDatabase database = new TestDatabase();

    CreateTableAsTest() {
        database.update("CREATE TABLE a (id INTEGER PRIMARY KEY, v VARCHAR(9))");
        database.update("INSERT INTO a VALUES (1, 'x'), (2, 'y'), (3, 'z')");
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void aParameterHasTheTypeOfItsNeighbours() {
        String text = "CREATE TABLE b AS SELECT v, id + ? AS id FROM a WHERE id > ? LIMIT ?";
        try (Prepared prepared = database.session().prepare(text)) {
            assertEquals(
                    List.of(Type.Name.INTEGER, Type.Name.INTEGER, Type.Name.BIGINT),
                    prepared.parameters().stream().map(Type::name).toList());
            TestDatabase.fill(prepared, 10, 1, 5);
            assertEquals(2, prepared.update());
        }
        assertEquals(List.of("y|12", "z|13"), database.query("SELECT * FROM b ORDER BY id"));
    }

    @Test
    void selectIntoTakesParametersToo() {
        try (Prepared prepared =
                database.session().prepare("SELECT v, ? AS w INTO b FROM a WHERE id = ?")) {
            TestDatabase.fill(prepared, "t", 2);
            assertEquals(1, prepared.update());
            database.update("DROP TABLE b");
            TestDatabase.fill(prepared, "u", 3);
            assertEquals(1, prepared.update());
        }
        assertEquals(List.of("z|u"), database.query("SELECT * FROM b"));
    }
}
