package dev.oriel.table.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.Expressions;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.model.Values;
import dev.oriel.testkit.AfterEachCheck;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Indexes of expressions are the same ones after the database was opened again.
final class IndexTermsTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    /// Whose expressions are names of columns, each of a table's last one.
    private static final Expressions NAMES =
            (table, text, target) -> {
                int column = table.columns().size() - 1;
                Type.Shape shape = table.columns().get(column).type().shape();
                return (transaction, row, out, to) -> out.copy(to, row, column, shape);
            };

    private void assertSurvives(Type type, Object value) {
        Store store = Store.inMemory(StoreOptions.defaults());
        Tables tables = check.closing(Tables.open(store));
        tables.expressions(NAMES);
        Index.Terms terms = new Index.Terms(List.of("V", "V"), List.of(type, type), null);
        Table wanted =
                new Table(
                        0,
                        "T",
                        List.of(
                                new Column("ID", Type.of(Type.Name.BIGINT), false),
                                new Column("V", type, true)),
                        List.of(0),
                        List.of(new Index("terms", false, terms)));
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            table = write.create(wanted);
            write.insert(table, Values.tuple(1L, value));
            write.commit();
        }
        Tables again = Tables.open(store);
        again.expressions(NAMES);
        Table found = again.catalog().table("T");
        assertNotNull(found);
        assertEquals(table, found);
        assertEquals(terms, found.indexes().getFirst().terms());
        assertEquals(List.of(), again.check());
    }

    @Test
    void theirTypesSurviveReopening() {
        assertSurvives(Type.varchar(7), "text");
        assertSurvives(new Type(Type.Name.DECIMAL, 9, 3), BigDecimal.ONE);
    }

    @Test
    void theirTypesSurviveReopeningWhereTheyAreArrays() {
        Type integer = Type.of(Type.Name.INTEGER);
        assertSurvives(Type.array(integer), ArrayValue.of(integer, Values.tuple(4L, 2L), 2));
        Type text = Type.varchar(5);
        assertSurvives(Type.array(text), ArrayValue.of(text, Values.tuple("a", null), 2));
    }
}
