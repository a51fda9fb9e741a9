package dev.oriel.table.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.table.Expressions;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.AfterEachCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Expressions that name VARCHAR_IGNORECASE keep their meaning: VARCHAR in the definitions of earlier releases.
final class FoldedTypeNamesTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Expressions NONE =
            (table, text, target) -> (transaction, row, out, to) -> out.setNull(to);

    private static Table table(String key, String condition, String value, String test) {
        Type text = Type.varchar(0);
        return new Table(
                0,
                "T",
                List.of(
                        new Column("A", text, true),
                        new Column("CITEXT", text, true),
                        new Column(
                                "G",
                                text,
                                true,
                                new ColumnDefault.Generated(value),
                                Column.Role.PLAIN)),
                List.of(),
                List.of(
                        new Index(
                                "terms",
                                false,
                                new Index.Terms(List.of(key), List.of(text), condition))),
                new Constraints("", List.of(new Check("c", test)), List.of()));
    }

    /// `wanted` as it is read again, after `version` was written into its definition.
    private Table reopened(Table wanted, int version) {
        Store store = Store.inMemory(StoreOptions.defaults());
        Tables tables = check.closing(Tables.open(store));
        tables.expressions(NONE);
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            table = write.create(wanted);
            write.commit();
        }
        try (Transaction write = store.beginWrite()) {
            Tree tree = write.tree(CatalogCodec.TREE);
            assertNotNull(tree);
            Slice definition = new Slice();
            assertTrue(write.get(tree, CatalogCodec.key(table.id()), definition));
            byte[] bytes = definition.toBytes();
            assertEquals(3, bytes[0], "the version of a table that names the type");
            bytes[0] = (byte) version;
            write.put(tree, CatalogCodec.key(table.id()), Slice.copyOf(bytes));
            write.commit();
        }
        Tables again = Tables.open(store);
        again.expressions(NONE);
        Table found = again.catalog().table("T");
        assertNotNull(found);
        return found;
    }

    @Test
    void namesAreOfTheTypeInNewDefinitionsAndOfVarcharInOldOnes() {
        Table wanted =
                table(
                        "CAST(A AS CITEXT)",
                        "a::varchar_ignorecase(3) <> 'AS CITEXT' AND citext > ''",
                        "CAST(A AS /* AS CITEXT */ VARCHAR_IGNORECASE) || \"as citext\"",
                        "varchar_ignorecase 'X' = a AND (A::_citext)[1] = 'x' AND my_citext > 1");
        Table plain =
                table(
                        "CAST(A AS VARCHAR)",
                        "a::VARCHAR(3) <> 'AS CITEXT' AND citext > ''",
                        "CAST(A AS /* AS CITEXT */ VARCHAR) || \"as citext\"",
                        "VARCHAR 'X' = a AND (A::_VARCHAR)[1] = 'x' AND my_citext > 1");
        assertSame(wanted, reopened(wanted, 3));
        assertSame(plain, reopened(wanted, 2));
    }

    private static void assertSame(Table expected, Table found) {
        assertEquals(expected.columns(), found.columns());
        assertEquals(expected.indexes(), found.indexes());
        assertEquals(expected.constraints().checks(), found.constraints().checks());
    }
}
