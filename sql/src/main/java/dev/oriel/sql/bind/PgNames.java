package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Conversion between names of tables, views, sequences and indexes and their numbers in [PgCatalog], as in
/// PostgreSQL's type `regclass`.
final class PgNames {
    /// Numbers in PostgreSQL of the tables of definitions that others refer to.
    private static final Map<String, Long> OWN =
            Map.of(
                    "pg_class", 1_259L,
                    "pg_proc", 1_255L,
                    "pg_type", 1_247L,
                    "pg_attribute", 1_249L,
                    "pg_constraint", 2_606L,
                    "pg_namespace", 2_615L,
                    "pg_attrdef", 2_604L,
                    "pg_index", 2_610L);

    private PgNames() {}

    /// Number of the table, view, sequence or index called `text`; 0 if there is none.
    static long number(Catalog catalog, String text) {
        QualifiedName name = QualifiedName.of(text);
        if (name == null) {
            return 0;
        }
        String path = name.path();
        Table table = catalog.table(path);
        View view = catalog.view(path);
        Sequence sequence = catalog.sequence(path);
        if (table != null) {
            return PgCatalog.oid(table.id());
        }
        if (view != null) {
            return PgCatalog.oid(view.id());
        }
        if (sequence != null) {
            return PgCatalog.oid(sequence.id());
        }
        for (Table other : catalog.tables()) {
            boolean here =
                    name.schema().isEmpty()
                            ? catalog.searched().contains(other.schema())
                            : other.schema().equals(catalog.schema(name.schema()));
            for (PgCatalog.Keyed key : here ? PgCatalog.keys(other) : List.<PgCatalog.Keyed>of()) {
                if (key.name().equalsIgnoreCase(name.name())) {
                    return PgCatalog.index(other, key.place());
                }
            }
        }
        boolean own = name.schema().isEmpty() || name.schema().equalsIgnoreCase(PgCatalog.NAME);
        return own ? OWN.getOrDefault(name.name().toLowerCase(Locale.ROOT), 0L) : 0;
    }

    /// Name of the table, view, sequence or index with the number `oid`; the number if there is none.
    static String called(Catalog catalog, long oid) {
        for (Table table : catalog.tables()) {
            if (PgCatalog.oid(table.id()) == oid) {
                return PgCatalog.shown(catalog, table);
            }
            for (PgCatalog.Keyed key : PgCatalog.keys(table)) {
                if (PgCatalog.index(table, key.place()) == oid) {
                    return shown(catalog, oid, table.schema(), key.name());
                }
            }
        }
        for (View view : catalog.views()) {
            if (PgCatalog.oid(view.id()) == oid) {
                return shown(catalog, oid, view.schema(), view.name());
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            if (PgCatalog.oid(sequence.id()) == oid) {
                return shown(catalog, oid, sequence.schema(), sequence.name());
            }
        }
        return oid == 0 ? "-" : Long.toString(oid);
    }

    private static String shown(Catalog catalog, long oid, String schema, String name) {
        return Boolean.TRUE.equals(PgCatalog.isVisible(catalog, oid))
                ? Quoting.name(name)
                : Quoting.name(PgCatalog.called(schema)) + "." + Quoting.name(name);
    }
}
