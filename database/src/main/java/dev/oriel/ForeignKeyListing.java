package dev.oriel;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The foreign keys as DatabaseMetaData lists them, a row for each of their columns.
final class ForeignKeyListing {
    private final Catalog catalog;
    private final Predicate<Table> parents;
    private final Predicate<Table> children;

    ForeignKeyListing(Catalog catalog, Predicate<Table> parents, Predicate<Table> children) {
        this.catalog = catalog;
        this.parents = parents;
        this.children = children;
    }

    /// A foreign key between two tables.
    private record Link(Table parent, Table child, ForeignKey key) {}

    /// The rows, in the order of the parents, or else of the children.
    Listing rows(boolean byParent) {
        List<Link> links = new ArrayList<>();
        for (Table child : catalog.tables()) {
            for (ForeignKey key : child.constraints().foreignKeys()) {
                Table parent = catalog.table(key.parent());
                if (parent != null && parents.test(parent) && children.test(child)) {
                    links.add(new Link(parent, child, key));
                }
            }
        }
        links.sort(
                Comparator.comparing((Link link) -> schema(byParent ? link.child : link.parent))
                        .thenComparing(
                                link -> (byParent ? link.child : link.parent).name(),
                                String.CASE_INSENSITIVE_ORDER)
                        .thenComparing(link -> link.key.name()));
        Listing listing =
                new Listing(
                        "PKTABLE_CAT",
                        "PKTABLE_SCHEM",
                        "PKTABLE_NAME",
                        "PKCOLUMN_NAME",
                        "FKTABLE_CAT",
                        "FKTABLE_SCHEM",
                        "FKTABLE_NAME",
                        "FKCOLUMN_NAME",
                        "KEY_SEQ SMALLINT",
                        "UPDATE_RULE SMALLINT",
                        "DELETE_RULE SMALLINT",
                        "FK_NAME",
                        "PK_NAME",
                        "DEFERRABILITY SMALLINT");
        links.forEach(link -> add(listing, link));
        return listing;
    }

    private static String schema(Table table) {
        return MetaDataListings.called(table.schema());
    }

    private static void add(Listing listing, Link link) {
        ForeignKey key = link.key;
        for (int i = 0; i < key.columns().size(); i++) {
            listing.add(
                    null,
                    schema(link.parent),
                    link.parent.name(),
                    link.parent.columns().get(key.parentColumns().get(i)).name(),
                    null,
                    schema(link.child),
                    link.child.name(),
                    link.child.columns().get(key.columns().get(i)).name(),
                    i + 1,
                    rule(key.onUpdate()),
                    rule(key.onDelete()),
                    key.name(),
                    referred(link),
                    deferrability(key.deferral()));
        }
    }

    private static int deferrability(ForeignKey.Deferral deferral) {
        return switch (deferral) {
            case NOT_DEFERRABLE -> DatabaseMetaData.importedKeyNotDeferrable;
            case INITIALLY_DEFERRED -> DatabaseMetaData.importedKeyInitiallyDeferred;
            case INITIALLY_IMMEDIATE -> DatabaseMetaData.importedKeyInitiallyImmediate;
        };
    }

    private static int rule(ForeignKey.Action action) {
        return switch (action) {
            case NO_ACTION -> DatabaseMetaData.importedKeyNoAction;
            case RESTRICT -> DatabaseMetaData.importedKeyRestrict;
            case CASCADE -> DatabaseMetaData.importedKeyCascade;
            case SET_NULL -> DatabaseMetaData.importedKeySetNull;
            case SET_DEFAULT -> DatabaseMetaData.importedKeySetDefault;
        };
    }

    /// Name of the key that is referred to.
    private static @Nullable String referred(Link link) {
        List<Integer> columns = link.key.parentColumns();
        if (link.parent.primaryKey().size() == columns.size()
                && link.parent.primaryKey().containsAll(columns)) {
            return primaryKeyName(link.parent);
        }
        for (Index index : link.parent.indexes()) {
            if (index.unique()
                    && index.columns().size() == columns.size()
                    && index.columns().containsAll(columns)) {
                return index.name();
            }
        }
        return null;
    }

    /// Name of the primary key of `table`.
    static String primaryKeyName(Table table) {
        String name = table.constraints().primaryKey();
        return name.isEmpty() ? table.name() + "_pkey" : name;
    }
}
