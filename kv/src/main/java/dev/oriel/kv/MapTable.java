package dev.oriel.kv;

import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Storage of a map: the table `map_NAME`.
///
/// ```sql
/// CREATE TABLE map_ledger (
///     k VARBINARY PRIMARY KEY,  -- k1, k2, ... if keys are tuples
///     v BLOB NOT NULL)
/// ```
/// Belongs to one session.
final class MapTable {
    private static final String PREFIX = "MAP_";

    private final long version;
    private final Table definition;
    private final RowBytes row;
    private final RowKey key;
    private final Tuple tuple;
    private final int value;

    private MapTable(long version, Table definition, RowBytes row) {
        this.version = version;
        this.definition = definition;
        this.row = row;
        this.key = new RowKey(definition);
        this.tuple = new Tuple(definition.columns().size());
        this.value = definition.primaryKey().size();
    }

    /// The name of the table of map `name`, as SQL spells it.
    static String tableName(String name) {
        BucketTable.checkName("map", name);
        return (PREFIX + name).toUpperCase(Locale.ROOT);
    }

    static void create(
            TableTransaction transaction, String tableName, MapKey<?> keys, MapValue<?> values) {
        List<Integer> primaryKey = IntStream.range(0, keys.types().size()).boxed().toList();
        transaction.create(new Table(0, tableName, columns(keys, values), primaryKey, List.of()));
    }

    private static List<Column> columns(MapKey<?> keys, MapValue<?> values) {
        List<Column> columns = new ArrayList<>();
        List<Type> types = keys.types();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Column(name(i, types.size()), types.get(i), false));
        }
        columns.add(new Column(name(types.size(), types.size()), values.type(), false));
        return columns;
    }

    /// The table as `transaction` sees it.
    ///
    /// @throws UsageException if it was dropped, or has other columns
    static MapTable of(
            TableTransaction transaction, String tableName, MapKey<?> keys, MapValue<?> values) {
        Catalog catalog = transaction.catalog();
        Table table = catalog.table(SearchPath.named("", tableName));
        if (table == null) {
            throw new UsageException(
                    "The map has been dropped; open it again to create it", "table=" + tableName);
        }
        if (!holds(table, keys.types(), values.type())) {
            throw new UsageException(
                    "The map has keys or values of other types; open it with the types of its table",
                    "table="
                            + tableName
                            + " wanted="
                            + columns(keys, values)
                            + " there="
                            + table.columns());
        }
        return new MapTable(catalog.version(), table, transaction.rowOf(table));
    }

    /// Whether `table` was created for keys and values of these types.
    private static boolean holds(Table table, List<Type> keys, Type value) {
        int count = keys.size();
        boolean holds = table.columns().size() == count + 1 && table.primaryKey().size() == count;
        for (int i = 0; holds && i <= count; i++) {
            Type type = i < count ? keys.get(i) : value;
            holds =
                    table.columns().get(i).equals(new Column(name(i, count), type, false))
                            && (i == count || table.primaryKey().get(i) == i);
        }
        return holds;
    }

    /// The name of a column; there are `keys` columns of the key, and one of the value.
    private static String name(int at, int keys) {
        if (at == keys) {
            return "V";
        }
        return keys == 1 ? "K" : "K" + (at + 1);
    }

    long version() {
        return version;
    }

    Table definition() {
        return definition;
    }

    /// The row filled by a fetch.
    RowBytes row() {
        return row;
    }

    /// The encoder of row keys.
    RowKey key() {
        return key;
    }

    /// A row to be written; the key's columns come first.
    Tuple tuple() {
        return tuple;
    }

    /// Position of the column that holds the value.
    int value() {
        return value;
    }

    /// Points `out` at the bounds of `range`.
    <K> void bounds(MapKey<K> keys, MapRange<K> range, KeyRange out) {
        out.open();
        K lower = range.lower();
        if (lower != null) {
            keys.write(lower, out.lower());
            out.from(value, range.lowerInclusive());
        }
        K upper = range.upper();
        if (upper != null) {
            keys.write(upper, out.upper());
            out.to(value, range.upperInclusive());
        }
    }
}
