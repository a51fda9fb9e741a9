package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.SqlException;
import dev.oriel.table.definition.ConstraintException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Definitions that are refused: each error has its SQLState, its place, the name of what it is about and a
/// word on what to do, and leaves everything as it was.
class DefinitionErrorsTest {
    private static final String URL = "jdbc:oriel:mem:definition-errors";
    private static final List<String> SETUP =
            List.of(
                    "CREATE TABLE parent (id INT PRIMARY KEY, v INT, u VARCHAR(10) UNIQUE)",
                    "CREATE TABLE child (id INT PRIMARY KEY, pid INT REFERENCES parent)",
                    "CREATE INDEX parent_v ON parent (v)",
                    "CREATE SEQUENCE counter",
                    "CREATE VIEW seen AS SELECT id, v FROM parent",
                    "INSERT INTO parent VALUES (1, -1, 'a'), (2, -1, 'b'), (3, NULL, 'c')");

    /// @param statement with an `@` before the place
    /// @param name what the message calls it
    /// @param hint what to do
    private record Bad(String statement, String state, String name, String hint) {
        String sql() {
            return statement.replace("@", "");
        }

        int position() {
            return statement.indexOf('@');
        }
    }

    private static Bad bad(String statement, String state, String name, String hint) {
        return new Bad(statement, state, name, hint);
    }

    private static List<Bad> tables() {
        return List.of(
                bad("CREATE TABLE @parent (a INT)", "42P07", "parent", "choose another name"),
                bad("CREATE TABLE @seen (a INT)", "42P07", "seen", "choose another name"),
                bad("CREATE TABLE @counter AS SELECT 1 AS a", "42P07", "counter", "choose another"),
                bad("CREATE TABLE t (a INT, @A INT)", "42701", "\"A\"", "choose another name"),
                bad("CREATE TABLE @t AS SELECT 1 AS a, 2 AS a", "42701", "\"a\"", "another name"),
                bad("CREATE TABLE t (a @INTEGR)", "42601", "INTEGR", "did you mean \"INTEGER\""),
                bad("CREATE TABLE t (price INT, UNIQUE (@pric))", "42703", "pric", "\"price\"?"),
                bad("CREATE TABLE t (a INT, UNIQUE (a, @a))", "42701", "\"a\"", "name it once"),
                bad("CREATE TABLE t (price INT CHECK (@pric > 0))", "42703", "pric", "\"price\"?"),
                bad(
                        "CREATE TABLE t (a INT PRIMARY KEY, b INT @PRIMARY KEY)",
                        "42P16",
                        "\"t\"",
                        "UNIQUE makes another key"),
                bad(
                        "CREATE TABLE t (a INT, CONSTRAINT k CHECK (a > 0), CONSTRAINT @k UNIQUE (a))",
                        "42710",
                        "\"k\"",
                        "choose another name"),
                bad(
                        "CREATE TABLE t (a INT, CONSTRAINT @parent_v UNIQUE (a))",
                        "42P07",
                        "parent_v",
                        "choose another name"),
                bad(
                        "CREATE TABLE t (a VARCHAR(9) @GENERATED ALWAYS AS IDENTITY)",
                        "42804",
                        "\"a\"",
                        "integer type"),
                bad(
                        "CREATE TABLE @" + "b".repeat(2_000) + " (a INT)",
                        "42P16",
                        "name=bbb",
                        "1 to "));
    }

    private static List<Bad> foreignKeys() {
        return List.of(
                bad(
                        "CREATE TABLE t (a INT REFERENCES @parents)",
                        "42P01",
                        "parents",
                        "\"parent\"?"),
                bad("CREATE TABLE t (a INT REFERENCES parent (@idd))", "42703", "idd", "\"id\"?"),
                bad(
                        "CREATE TABLE t (a INT @REFERENCES parent (v))",
                        "42830",
                        "constraint=t_a_fkey",
                        "must refer to all columns of a primary key or of a unique index"),
                bad(
                        "CREATE TABLE t (a VARCHAR(3), CONSTRAINT @k FOREIGN KEY (a) REFERENCES parent)",
                        "42804",
                        "constraint=k column=a",
                        "another type than the one it refers to"),
                bad(
                        "CREATE TABLE t (a INT, b INT, FOREIGN KEY (a, b) REFERENCES @parent)",
                        "42830",
                        "\"parent\"",
                        "name as many"),
                bad(
                        "ALTER TABLE child ADD CONSTRAINT @k FOREIGN KEY (pid) REFERENCES parent (v)",
                        "42830",
                        "constraint=k",
                        "must refer to all columns"),
                bad("DROP TABLE @parent", "2BP01", "child_pid_fkey", "CASCADE drops it too"),
                bad(
                        "TRUNCATE TABLE @parent",
                        "0A000",
                        "child_pid_fkey",
                        "TRUNCATE both, or say CASCADE"),
                bad("ALTER TABLE parent DROP COLUMN @id", "2BP01", "child_pid_fkey", "drop that"));
    }

    private static List<Bad> alterations() {
        return List.of(
                bad("ALTER TABLE @paren ADD COLUMN a INT", "42P01", "paren", "\"parent\"?"),
                bad("ALTER TABLE parent ADD COLUMN @v INT", "42701", "\"v\"", "another name"),
                bad("ALTER TABLE parent DROP COLUMN @vv", "42703", "\"vv\"", "\"v\"?"),
                bad(
                        "ALTER TABLE parent DROP COLUMN @v",
                        "2BP01",
                        "\"seen\"",
                        "drop the view first"),
                bad("ALTER TABLE parent RENAME COLUMN v TO @id", "42701", "\"id\"", "another name"),
                bad(
                        "ALTER TABLE parent RENAME TO @child",
                        "42P07",
                        "table \"child\"",
                        "another name"),
                bad("ALTER TABLE child ALTER COLUMN @id DROP NOT NULL", "42P16", "\"id\"", "drop"),
                bad(
                        "ALTER TABLE parent ALTER COLUMN @u TYPE INTEGER",
                        "42804",
                        "\"u\"",
                        "USING CAST(u AS INTEGER)"),
                bad(
                        "ALTER TABLE parent DROP CONSTRAINT @parent_pk",
                        "42704",
                        "parent_pk",
                        "\"parent_pkey\"?"),
                bad(
                        "ALTER TABLE parent ADD CONSTRAINT @parent_pkey CHECK (v > 0)",
                        "42710",
                        "parent_pkey",
                        "choose another name"),
                bad(
                        "ALTER TABLE parent ADD CONSTRAINT @positive CHECK (v > 0)",
                        "23514",
                        "constraint=positive",
                        "check=(v > 0)"),
                bad(
                        "ALTER TABLE parent ADD @CHECK (v > 0)",
                        "23514",
                        "constraint=parent_v_check",
                        "check=(v > 0)"),
                bad(
                        "ALTER TABLE parent ALTER COLUMN @v SET NOT NULL",
                        "23502",
                        "column=v",
                        "must have a value"));
    }

    private static List<Bad> others() {
        return List.of(
                bad("CREATE INDEX @parent_v ON parent (v)", "42P07", "parent_v", "another name"),
                bad("CREATE INDEX i ON parent (@uu)", "42703", "\"uu\"", "\"u\"?"),
                bad("CREATE INDEX i ON @parents (v)", "42P01", "parents", "\"parent\"?"),
                bad("CREATE UNIQUE INDEX @i ON parent (v)", "23505", "index=i", "exists"),
                bad(
                        "CREATE SEARCH INDEX @i ON parent (v)",
                        "42P16",
                        "index=i",
                        "one column, of a text type"),
                bad("DROP INDEX @parent_vv", "42P01", "parent_vv", "\"parent_v\"?"),
                bad("DROP INDEX @parent_u_key", "2BP01", "parent_u_key", "DROP CONSTRAINT"),
                bad(
                        "ALTER INDEX parent_v RENAME TO @parent_u_key",
                        "42P07",
                        "parent_u_key",
                        "other"),
                bad("CREATE VIEW @parent AS SELECT 1 AS a", "42P07", "parent", "another name"),
                bad("CREATE VIEW x (a, @a) AS SELECT 1, 2", "42701", "\"a\"", "another name"),
                bad("DROP VIEW @sen", "42P01", "\"sen\"", "\"seen\"?"),
                bad("@CREATE SEQUENCE s INCREMENT BY 0", "22023", "\"s\"", "cannot be 0"),
                bad("DROP SEQUENCE @counte", "42P01", "counte", "\"counter\"?"),
                bad("ALTER SEQUENCE counter RENAME TO @parent", "42P07", "parent", "another name"),
                bad("COMMENT ON COLUMN parent.@vv IS 'x'", "42703", "\"vv\"", "\"v\"?"),
                bad(
                        "CREATE PROPERTY GRAPH g VERTEX TABLES (parent, @parent)",
                        "42P07",
                        "table=parent",
                        "another name by AS"),
                bad(
                        "CREATE PROPERTY GRAPH g VERTEX TABLES (@parent KEY (v))",
                        "42830",
                        "table=parent",
                        "must be its primary key"));
    }

    @TestFactory
    Stream<DynamicTest> eachHasStatePlaceNameAndHint() {
        return Stream.of(tables(), foreignKeys(), alterations(), others())
                .flatMap(List::stream)
                .map(bad -> DynamicTest.dynamicTest(bad.statement, () -> check(bad)));
    }

    private static void check(Bad bad) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            for (String sql : SETUP) {
                statement.execute(sql);
            }
            String before = objects(connection);
            SQLException failure =
                    assertThrows(SQLException.class, () -> statement.execute(bad.sql()));
            String message = String.valueOf(failure.getMessage());
            assertEquals(bad.state, failure.getSQLState(), message);
            assertEquals(bad.position(), position(failure), message);
            assertTrue(message.contains(bad.name), message);
            assertTrue(message.contains(bad.hint), message);
            List<String> lines = message.lines().toList();
            assertEquals("^", lines.getLast().strip(), message);
            assertEquals(before, objects(connection));
        }
    }

    private static int position(SQLException failure) {
        return switch (failure.getCause()) {
            case SqlException sql -> sql.position();
            case ConstraintException constraint -> constraint.position();
            case null, default -> throw new AssertionError("no place", failure);
        };
    }

    /// What there is, by names.
    private static String objects(Connection connection) throws SQLException {
        StringBuilder names = new StringBuilder();
        try (var columns = connection.getMetaData().getColumns(null, null, "%", "%")) {
            while (columns.next()) {
                names.append(columns.getString("TABLE_NAME"))
                        .append('.')
                        .append(columns.getString("COLUMN_NAME"))
                        .append(' ')
                        .append(columns.getString("TYPE_NAME"))
                        .append(' ')
                        .append(columns.getString("IS_NULLABLE"))
                        .append('\n');
            }
        }
        try (var indexes =
                connection.getMetaData().getIndexInfo(null, null, "parent", false, true)) {
            while (indexes.next()) {
                names.append(indexes.getString("INDEX_NAME")).append('\n');
            }
        }
        return names.toString();
    }
}
