package dev.oriel.sql.bind;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Partition.Strategy;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Partitions in [PgCatalog].
final class PgPartitions {
    static final String COLUMNS =
            "partrelid:n partstrat partnatts:n partdefid:n partattrs:a partexprs";

    private PgPartitions() {}

    private static List<Partition> all(Catalog catalog) {
        List<Partition> all = new ArrayList<>();
        for (Note note : catalog.notes().values()) {
            if (note instanceof Partition place) {
                all.add(place);
            }
        }
        all.sort(Comparator.comparingLong(Partition::of));
        return all;
    }

    /// Fills pg_partitioned_table.
    static void fill(PgRows rows, Catalog catalog) {
        for (Partition place : all(catalog)) {
            Table table = catalog.storing(place);
            if (place.strategy() == Strategy.NONE || table == null) {
                continue;
            }
            List<Integer> columns = new ArrayList<>();
            List<String> computed = new ArrayList<>();
            for (String text : place.key()) {
                int column = Partitions.column(table.columns(), text);
                columns.add(column + 1);
                if (column < 0) {
                    computed.add(text);
                }
            }
            Partition rest = Partitions.around(catalog, place).rest(place);
            rows.add(
                    PgCatalog.oid(place.of()),
                    place.strategy().name().substring(0, 1).toLowerCase(Locale.ROOT),
                    place.key().size(),
                    rest == null ? 0 : PgCatalog.oid(rest.of()),
                    columns,
                    computed.isEmpty() ? null : String.join(", ", computed));
        }
    }

    /// Fills pg_inherits.
    static void parents(PgRows rows, Catalog catalog) {
        for (Partition place : all(catalog)) {
            if (!place.isRoot()) {
                rows.add(PgCatalog.oid(place.of()), PgCatalog.oid(place.parent()), 1, false);
            }
        }
    }

    /// Kind of the table or view of number `id` in pg_class: `p` with partitions, `r` for a partition without, else
    /// `usual`.
    static String kind(Catalog catalog, long id, String usual) {
        Partition place = catalog.partition(id);
        return place == null ? usual : place.strategy() == Strategy.NONE ? "r" : "p";
    }

    /// Whether `view` is a partition, which is shown as a table.
    static boolean is(Catalog catalog, View view) {
        return catalog.partition(view.id()) != null;
    }

    /// The bound of the partition of number `id`; null for another definition.
    static @Nullable String bound(Catalog catalog, long id) {
        Partition place = catalog.partition(id);
        return place == null || place.isRoot() ? null : place.bound();
    }

    /// PG_GET_PARTKEYDEF: the key of the relation `oid`; null if it has no partitions.
    static @Nullable String key(Catalog catalog, long oid) {
        Partition place = catalog.partition(PgCatalog.definition(oid));
        return place == null || place.strategy() == Strategy.NONE
                ? null
                : place.strategy() + " (" + String.join(", ", place.key()) + ")";
    }
}
