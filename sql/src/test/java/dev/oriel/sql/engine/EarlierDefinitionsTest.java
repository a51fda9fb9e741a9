package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Session;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Indexes and generated columns that earlier versions have let depend on labels: they stay usable, and the type
/// stays as it is until they are dropped.
final class EarlierDefinitionsTest {
    private static final Type TEXT = Type.varchar(0);

    private final Tables tables = Tables.open(Store.inMemory(StoreOptions.defaults()));
    private final Sql sql = new Sql(tables, InstantSource.system(), String::valueOf);
    private final Session session = sql.session();

    @BeforeEach
    void define() {
        run("CREATE TYPE mood AS ENUM ('a', 'b', 'c')");
        run("CREATE TABLE t (id INTEGER PRIMARY KEY, m mood, s VARCHAR, n INTEGER)");
    }

    @AfterEach
    void closeAndCheck() {
        session.close();
        sql.close();
        assertEquals(List.of(), tables.check());
        tables.close();
    }

    private String run(String statement) {
        return TestDatabase.run(session, statement);
    }

    private void index(List<String> expressions, Type type, String condition) {
        try (TableTransaction write = tables.beginExclusive()) {
            Index.Terms terms =
                    new Index.Terms(
                            expressions, List.of(type), condition.isEmpty() ? null : condition);
            write.createIndex(table(write), new Index("old", false, terms));
            write.commit();
        }
    }

    private static Table table(TableTransaction transaction) {
        Table table = transaction.catalog().table("t");
        assertNotNull(table);
        return table;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "m::VARCHAR; ''; RENAME VALUE 'b' TO 'y'; the texts of labels",
                "s; m::VARCHAR = 'b'; RENAME VALUE 'b' TO 'y'; the texts of labels",
                "LOWER(s::mood::VARCHAR); ''; RENAME VALUE 'b' TO 'y'; the texts of labels",
                "s; m = ENUM_LAST(m); ADD VALUE 'd'; the set of labels of its type",
                "ENUM_LAST(m)::VARCHAR; ''; RENAME VALUE 'c' TO 'y'; the set of labels of its type",
                "PG_TYPEOF(m); ''; RENAME TO spirit; the names of types",
                "FORMAT_TYPE(n, NULL); ''; RENAME TO spirit; the names of types"
            },
            quoteCharacter = '`')
    void anIndexKeepsItsTypeAsItIs(
            String expression, String condition, String change, String dependence) {
        index(List.of(expression), TEXT, condition.equals("''") ? "" : condition);
        assertEquals("2 changed", run("INSERT INTO t VALUES (1, 'b', 'b', 5), (2, 'c', 'c', 6)"));
        String refused = run("ALTER TYPE mood " + change);
        assertTrue(
                refused.startsWith(
                        "DEPENDENT: Index \"old\" of table \"t\" depends on "
                                + dependence
                                + "; drop it first"),
                refused);
        assertEquals("1 changed", run("UPDATE t SET m = 'a', s = 'a', n = 7 WHERE id = 1"));
        assertEquals(List.of(), tables.check());
        assertEquals("0 changed", run("DROP INDEX old"));
        assertEquals("0 changed", run("ALTER TYPE mood " + change));
        assertEquals("2 changed", run("DELETE FROM t"));
    }

    @Test
    void aGeneratedColumnKeepsTheLabels() {
        try (TableTransaction write = tables.beginExclusive()) {
            Table table = table(write);
            List<Column> columns = new ArrayList<>(table.columns());
            ColumnDefault text = new ColumnDefault.Generated("m::VARCHAR || '!'");
            columns.add(new Column("g", TEXT, true).withFilling(text));
            write.redefine(table.withColumns(columns), null);
            write.commit();
        }
        assertEquals("1 changed", run("INSERT INTO t (id, m) VALUES (1, 'b')"));
        assertEquals("1|b|NULL|NULL|b!", run("SELECT * FROM t"));
        String refused = run("ALTER TYPE mood RENAME VALUE 'b' TO 'y'");
        assertTrue(
                refused.startsWith(
                        "DEPENDENT: Column \"g\" of table \"t\" depends on the texts of labels;"),
                refused);
        assertEquals("0 changed", run("ALTER TYPE mood ADD VALUE 'd'"));
        assertEquals("0 changed", run("ALTER TABLE t DROP COLUMN g"));
        assertEquals("0 changed", run("ALTER TYPE mood RENAME VALUE 'b' TO 'y'"));
        assertEquals("1|y|NULL|NULL", run("SELECT * FROM t"));
    }
}
