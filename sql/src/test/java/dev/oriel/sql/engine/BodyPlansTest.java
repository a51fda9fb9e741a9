package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Plans of triggers and routines, which sessions share.
class BodyPlansTest {
    @Test
    void plansOfDefinitionsThatAreGoneAreForgotten() {
        try (TestDatabase database = new TestDatabase()) {
            database.answer("CREATE TABLE t (id INT PRIMARY KEY)");
            database.answer("CREATE TABLE log (id INT)");
            for (int i = 0; i < 20; i++) {
                database.answer(
                        "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES"
                                + " (NEW.id)");
                database.answer("CREATE PROCEDURE p() LANGUAGE SQL AS 'DELETE FROM log'");
                database.answer("INSERT INTO t VALUES (" + i + ")");
                database.answer("CALL p()");
                database.answer("DROP TRIGGER g ON t");
                database.answer("DROP PROCEDURE p");
                database.answer("BEGIN");
                database.answer("CREATE PROCEDURE r() LANGUAGE SQL AS 'DELETE FROM log'");
                database.answer("ROLLBACK");
            }
            database.answer("CREATE PROCEDURE p() LANGUAGE SQL AS 'DELETE FROM log'");
            assertEquals(1, database.sql().bodies().count());
        }
    }
}
