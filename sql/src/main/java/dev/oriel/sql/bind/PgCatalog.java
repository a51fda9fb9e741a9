package dev.oriel.sql.bind;

import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The definitions as PostgreSQL's tables of pg_catalog, with the columns that programs use. Tables, views,
/// sequences and schemas have the numbers of their definitions. Numbers of indexes and constraints are derived from
/// their table's number and their index in it.
final class PgCatalog {
    static final String NAME = "pg_catalog";

    /// Offset of the numbers of definitions, as in PostgreSQL for objects of users.
    private static final long FIRST = 16_384;

    /// First number of indexes and constraints, above all numbers of definitions.
    private static final long PARTS = 1L << 32;

    private static final int PARTS_MAX = 1 << 10;
    private static final int FIRST_CONSTRAINT = 1 << 9;
    private static final long CATALOG_SCHEMA = 11;
    private static final long PUBLIC_SCHEMA = 2_200;
    private static final long INFORMATION_SCHEMA = 13_000;
    private static final long TEMPORARY_SCHEMA = 13_001;
    private static final long OWNER = 10;
    private static final long HEAP = 2;
    private static final long BTREE = 403;

    private final Catalog catalog;
    private final PgRows rows;

    private PgCatalog(Catalog catalog, PgRows rows) {
        this.catalog = catalog;
        this.rows = rows;
    }

    /// The rows of the table `name`; null if there is no such table.
    static @Nullable BoundQuery bind(Catalog catalog, Identifier name) {
        boolean own = name.schema().equalsIgnoreCase(NAME);
        String table = name.name().toLowerCase(Locale.ROOT);
        boolean bare =
                name.schema().isEmpty() && table.startsWith("pg_") && !isUsers(catalog, name);
        PgRows rows = own || bare ? rows(table) : null;
        if (rows == null) {
            return null;
        }
        new PgCatalog(catalog, rows).fill(table);
        return rows.bound();
    }

    private static boolean isUsers(Catalog catalog, Identifier name) {
        return catalog.table(name.path()) != null || catalog.view(name.path()) != null;
    }

    /// An empty set of rows with the columns of `table`; null if there is no such table.
    private static @Nullable PgRows rows(String table) {
        String columns = PgColumns.of(table);
        return columns.isEmpty() ? null : new PgRows(columns);
    }

    private void fill(String table) {
        switch (table) {
            case "pg_namespace" -> namespaces();
            case "pg_class" -> classes();
            case "pg_attribute" -> attributes();
            case "pg_type" -> {
                PgTypes.fill(rows, CATALOG_SCHEMA, OWNER);
                PgTypes.fill(rows, catalog, PUBLIC_SCHEMA, OWNER);
            }
            case "pg_enum" -> PgTypes.labels(rows, catalog);
            case "pg_index" -> PgIndexes.rows(rows, catalog);
            case "pg_constraint" -> constraints();
            case "pg_attrdef" -> defaults();
            case "pg_sequence" -> sequences();
            case "pg_description" -> PgComments.fill(rows, catalog);
            case "pg_am" -> {
                rows.add(HEAP, "heap", "t");
                rows.add(BTREE, "btree", "i");
            }
            case "pg_collation" -> PgTypes.collations(rows, CATALOG_SCHEMA, OWNER);
            case "pg_depend" -> PgSequences.owners(rows, catalog);
            case "pg_database" -> rows.add(1, "oriel", OWNER, 6, false, true);
            case "pg_proc" -> FunctionInformation.fill(rows, catalog, this::schema, OWNER);
            case "pg_tables" -> tables();
            case "pg_views" -> {
                for (View view : catalog.views()) {
                    if (!PgPartitions.is(catalog, view)) {
                        rows.add(called(view.schema()), view.name(), "oriel", view.query());
                    }
                }
            }
            case "pg_matviews" -> materializedViews();
            case "pg_indexes" -> PgIndexes.texts(rows, catalog);
            case "pg_sequences" -> sequenceTexts();
            case "pg_trigger" -> TriggerInformation.fill(rows, catalog);
            case "pg_partitioned_table" -> PgPartitions.fill(rows, catalog);
            case "pg_inherits" -> PgPartitions.parents(rows, catalog);
            default -> {} // a table without rows
        }
    }

    /// Name of `schema` in PostgreSQL.
    static String called(String schema) {
        return SearchPath.shown(schema);
    }

    static long oid(long id) {
        return FIRST + id;
    }

    /// Number of the definition with the number `oid`, or with a part of that number.
    static long definition(long oid) {
        return (oid < PARTS ? oid : (oid - PARTS) / PARTS_MAX) - FIRST;
    }

    private long schema(String schema) {
        if (schema.isEmpty()) {
            return PUBLIC_SCHEMA;
        }
        NamedSchema named = catalog.named(schema);
        return named == null ? TEMPORARY_SCHEMA : oid(named.id());
    }

    /// Number of the index at `place` of the table; the primary key is at 0.
    static long index(Table table, int place) {
        return part(table.id(), place);
    }

    /// Number of a part of the definition `id`.
    static long part(long id, int place) {
        return PARTS + oid(id) * PARTS_MAX + place;
    }

    static long constraint(Table table, int place) {
        return index(table, FIRST_CONSTRAINT + place);
    }

    private void namespaces() {
        rows.add(CATALOG_SCHEMA, NAME, OWNER);
        rows.add(PUBLIC_SCHEMA, "public", OWNER);
        rows.add(INFORMATION_SCHEMA, "information_schema", OWNER);
        if (!catalog.temporary().isEmpty()) {
            rows.add(TEMPORARY_SCHEMA, catalog.temporary(), OWNER);
        }
        catalog.schemas().forEach(schema -> rows.add(oid(schema.id()), schema.name(), OWNER));
    }

    private void classes() {
        for (Table table : catalog.tables()) {
            boolean indexed = !table.primaryKey().isEmpty() || !table.indexes().isEmpty();
            int checks = table.constraints().declared().size();
            int columns = table.columns().size();
            boolean temporary = table.temporary();
            MaterializedView materialized = catalog.materialized(table.id());
            addClass(
                    table.id(),
                    table.name(),
                    table.schema(),
                    materialized == null ? "r" : "m",
                    columns,
                    indexed,
                    checks,
                    materialized == null || materialized.populated());
            for (Keyed key : keys(table)) {
                int keyColumns = key.columns.size() + key.terms();
                long number = index(table, key.place);
                rows.add(
                        number,
                        key.name,
                        schema(table.schema()),
                        0,
                        OWNER,
                        BTREE,
                        -1,
                        false,
                        false,
                        temporary ? "t" : "p",
                        "i",
                        keyColumns,
                        0,
                        false,
                        false,
                        false,
                        false,
                        "n",
                        false,
                        0,
                        0,
                        0,
                        false,
                        null,
                        true);
            }
        }
        for (View view : catalog.views()) {
            int columns = view.columns().size();
            addClass(view.id(), view.name(), view.schema(), "v", columns, false, 0, true);
        }
        for (UserType type : catalog.userTypes()) {
            if (type instanceof CompositeType composite) {
                addClass(type.id(), type.name(), "", "c", composite.size(), false, 0, true);
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            addClass(sequence.id(), sequence.name(), sequence.schema(), "S", 3, false, 0, true);
        }
    }

    private void addClass(
            long id,
            String name,
            String schema,
            String usual,
            int columns,
            boolean indexed,
            int checks,
            boolean populated) {
        String kind = PgPartitions.kind(catalog, id, usual);
        String bound = PgPartitions.bound(catalog, id);
        boolean own = !catalog.temporary().isEmpty() && schema.equals(catalog.temporary());
        boolean stored = kind.equals("r") || kind.equals("m");
        long method = stored ? HEAP : 0;
        rows.add(
                oid(id),
                name,
                schema(schema),
                kind.equals("c") ? oid(id) : 0,
                OWNER,
                method,
                -1,
                indexed,
                false,
                own ? "t" : "p",
                kind,
                columns,
                checks,
                kind.equals("v") || kind.equals("m"),
                !catalog.triggers(id).isEmpty(),
                false,
                false,
                stored || kind.equals("p") ? "d" : "n",
                bound != null,
                0,
                0,
                0,
                !catalog.partitions(id).isEmpty(),
                bound,
                populated);
    }

    /// A primary key, or an index.
    ///
    /// @param index null for the primary key
    record Keyed(String name, int place, List<Integer> columns, @Nullable Index index) {
        int terms() {
            Index.Terms terms = index == null ? null : index.terms();
            return terms == null ? 0 : terms.expressions().size();
        }

        boolean unique() {
            return index == null || index.unique() || index.deferred();
        }
    }

    static List<Keyed> keys(Table table) {
        List<Keyed> keys = new ArrayList<>();
        if (!table.primaryKey().isEmpty()) {
            keys.add(
                    new Keyed(ConstraintBinder.primaryKeyName(table), 0, table.primaryKey(), null));
        }
        int place = 1;
        for (Index index : table.indexes()) {
            keys.add(new Keyed(index.name(), place++, index.columns(), index));
        }
        return keys;
    }

    private void attributes() {
        for (Table table : catalog.tables()) {
            addAttributes(oid(table.id()), table.columns());
        }
        for (UserType type : catalog.userTypes()) {
            if (type instanceof CompositeType composite) {
                List<Column> columns = new ArrayList<>();
                composite
                        .attributes()
                        .forEach(each -> columns.add(new Column(each.name(), each.type(), true)));
                addAttributes(oid(composite.id()), columns);
            }
        }
        ViewReads reads = ViewReads.ofDefinitions();
        for (View view : catalog.views()) {
            addAttributes(oid(view.id()), Views.columns(catalog, view, reads));
        }
    }

    private void addAttributes(long of, List<Column> columns) {
        int number = 0;
        for (Column column : columns) {
            ColumnDefault filling = column.filling();
            boolean valued =
                    filling instanceof ColumnDefault.Default
                            || filling instanceof ColumnDefault.Generated;
            String identity =
                    filling instanceof ColumnDefault.Identity own ? own.always() ? "a" : "d" : "";
            rows.add(
                    of,
                    column.name(),
                    PgTypes.oid(column.type()),
                    PgTypes.length(column.type()),
                    ++number,
                    column.type().element() == null ? 0 : 1,
                    PgTypes.modifier(column.type()),
                    !column.nullable(),
                    valued,
                    identity,
                    filling instanceof ColumnDefault.Generated ? "s" : "",
                    false,
                    true,
                    0,
                    0);
        }
    }

    private void constraints() {
        for (Table table : catalog.tables()) {
            int place = 0;
            for (Keyed key : keys(table)) {
                Index index = key.index;
                if (index == null || index.constraint()) {
                    addConstraint(
                            table,
                            place++,
                            key.name,
                            index == null ? "p" : "u",
                            index(table, key.place),
                            numbers(key.columns),
                            null,
                            null,
                            index != null && index.deferred());
                }
            }
            for (Check check : table.constraints().declared()) {
                addConstraint(
                        table,
                        place++,
                        check.name(),
                        "c",
                        0,
                        used(table, check),
                        null,
                        check.expression(),
                        false);
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                addConstraint(
                        table,
                        place++,
                        key.name(),
                        "f",
                        0,
                        numbers(key.columns()),
                        key,
                        null,
                        false);
            }
        }
        domainChecks();
    }

    private void domainChecks() {
        for (UserType type : catalog.userTypes()) {
            if (type instanceof DomainType domain) {
                int place = 0;
                for (Check check : domain.checks()) {
                    rows.add(
                            part(domain.id(), FIRST_CONSTRAINT + place++),
                            check.name(),
                            PUBLIC_SCHEMA,
                            "c",
                            false,
                            false,
                            true,
                            0,
                            oid(domain.id()),
                            0,
                            0,
                            0,
                            " ",
                            " ",
                            " ",
                            true,
                            0,
                            false,
                            null,
                            null,
                            check.expression());
                }
            }
        }
    }

    /// Numbers of the columns that `check` reads, from 1.
    static @Nullable List<Integer> used(Table table, Check check) {
        BitSet columns = new BitSet();
        PlanParts.columns(TableExpressions.check(table, check.expression()), columns);
        return columns.isEmpty() ? null : columns.stream().map(i -> i + 1).boxed().toList();
    }

    private static List<Integer> numbers(List<Integer> columns) {
        return columns.stream().map(column -> column + 1).toList();
    }

    private void addConstraint(
            Table table,
            int place,
            String name,
            String kind,
            long index,
            @Nullable List<Integer> columns,
            @Nullable ForeignKey key,
            @Nullable String check,
            boolean atCommit) {
        boolean deferrable = atCommit || (key != null && key.deferrable());
        boolean deferred = atCommit || (key != null && key.deferred());
        rows.add(
                constraint(table, place),
                name,
                schema(table.schema()),
                kind,
                deferrable,
                deferred,
                true,
                oid(table.id()),
                0,
                index,
                0,
                key == null ? 0 : oid(key.parent()),
                key == null ? " " : action(key.onUpdate()),
                key == null ? " " : action(key.onDelete()),
                key == null ? " " : key.full() ? "f" : "s",
                true,
                0,
                !kind.equals("c"),
                columns,
                key == null ? null : numbers(key.parentColumns()),
                check);
    }

    private static String action(ForeignKey.Action action) {
        return switch (action) {
            case NO_ACTION -> "a";
            case RESTRICT -> "r";
            case CASCADE -> "c";
            case SET_NULL -> "n";
            case SET_DEFAULT -> "d";
        };
    }

    private void defaults() {
        for (Table table : catalog.tables()) {
            for (int i = 0; i < table.columns().size(); i++) {
                String text =
                        switch (table.columns().get(i).filling()) {
                            case ColumnDefault.Default value -> value.expression();
                            case ColumnDefault.Generated value -> value.expression();
                            case ColumnDefault.Identity _ -> null;
                            case null -> null;
                        };
                if (text != null) {
                    rows.add(constraint(table, i), oid(table.id()), i + 1, text);
                }
            }
        }
    }

    private void sequences() {
        for (Sequence sequence : catalog.sequences()) {
            rows.add(
                    oid(sequence.id()),
                    PgTypes.BIGINT,
                    sequence.start(),
                    sequence.increment(),
                    sequence.most(),
                    sequence.least(),
                    1,
                    sequence.cycle());
        }
    }

    private void materializedViews() {
        for (Table table : catalog.tables()) {
            MaterializedView view = catalog.materialized(table.id());
            if (view != null) {
                rows.add(
                        called(table.schema()),
                        table.name(),
                        "oriel",
                        null,
                        !table.indexes().isEmpty(),
                        view.populated(),
                        view.query() + ";");
            }
        }
    }

    private void tables() {
        for (Table table : catalog.tables()) {
            if (catalog.materialized(table.id()) != null) {
                continue;
            }
            rows.add(
                    called(table.schema()),
                    table.name(),
                    "oriel",
                    null,
                    !keys(table).isEmpty(),
                    false,
                    !catalog.triggers(table.id()).isEmpty(),
                    false);
        }
        for (View view : catalog.views()) {
            if (PgPartitions.is(catalog, view)) {
                String schema = called(view.schema());
                rows.add(schema, view.name(), "oriel", null, false, false, false, false);
            }
        }
    }

    /// Definition of a constraint by its number; null if there is none.
    static @Nullable String constraintDefinition(Catalog catalog, long oid) {
        for (Table table : catalog.tables()) {
            int place = 0;
            for (Keyed key : keys(table)) {
                Index index = key.index;
                if ((index == null || index.constraint()) && constraint(table, place++) == oid) {
                    String kind =
                            index == null ? "PRIMARY KEY" : "UNIQUE" + PgIndexes.nullsOf(index);
                    String time =
                            index != null && index.deferred()
                                    ? " DEFERRABLE INITIALLY DEFERRED"
                                    : "";
                    return kind + " (" + names(table, key.columns) + ")" + time;
                }
            }
            for (Check check : table.constraints().declared()) {
                if (constraint(table, place++) == oid) {
                    return "CHECK ((" + check.expression() + "))";
                }
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                if (constraint(table, place++) == oid) {
                    return definition(catalog, table, key);
                }
            }
        }
        for (UserType type : catalog.userTypes()) {
            List<Check> checks = type instanceof DomainType domain ? domain.checks() : List.of();
            for (int i = 0; i < checks.size(); i++) {
                if (part(type.id(), FIRST_CONSTRAINT + i) == oid) {
                    return "CHECK ((" + checks.get(i).expression() + "))";
                }
            }
        }
        return null;
    }

    private static String definition(Catalog catalog, Table table, ForeignKey key) {
        Table parent = catalog.table(key.parent());
        String to = parent == null ? "" : shown(catalog, parent);
        String referred = parent == null ? "" : names(parent, key.parentColumns());
        return "FOREIGN KEY ("
                + names(table, key.columns())
                + ") REFERENCES "
                + to
                + "("
                + referred
                + ")"
                + (key.full() ? " MATCH FULL" : "")
                + clause(" ON UPDATE ", key.onUpdate())
                + clause(" ON DELETE ", key.onDelete())
                + (key.deleted().isEmpty() ? "" : " (" + names(table, key.deleted()) + ")")
                + (key.deferrable() ? " DEFERRABLE" : "")
                + (key.deferred() ? " INITIALLY DEFERRED" : "");
    }

    private static String clause(String when, ForeignKey.Action action) {
        return action == ForeignKey.Action.NO_ACTION ? "" : when + action.name().replace('_', ' ');
    }

    private static String names(Table table, List<Integer> columns) {
        return String.join(
                ", ",
                columns.stream().map(i -> Quoting.name(table.columns().get(i).name())).toList());
    }

    /// Name of `table`, qualified with its schema if the name alone does not find it.
    static String shown(Catalog catalog, Table table) {
        Table meant = catalog.table(table.name());
        boolean visible = meant != null && meant.id() == table.id();
        return visible
                ? Quoting.name(table.name())
                : Quoting.name(called(table.schema())) + "." + Quoting.name(table.name());
    }

    /// Query of a view by its number; null if there is none.
    static @Nullable String viewDefinition(Catalog catalog, long oid) {
        for (View view : catalog.views()) {
            if (oid(view.id()) == oid) {
                return view.query() + ";";
            }
        }
        MaterializedView materialized = catalog.materialized(definition(oid));
        return materialized == null ? null : materialized.query() + ";";
    }

    /// Whether a table, view, sequence or index is found by its unqualified name; null if the number is unknown.
    static @Nullable Boolean isVisible(Catalog catalog, long oid) {
        for (Table table : catalog.tables()) {
            Table meant = catalog.table(table.name());
            boolean visible = meant != null && meant.id() == table.id();
            if (oid(table.id()) == oid) {
                return visible;
            }
            for (Keyed key : keys(table)) {
                if (index(table, key.place) == oid) {
                    return catalog.searched().contains(table.schema());
                }
            }
        }
        for (View view : catalog.views()) {
            if (oid(view.id()) == oid) {
                return view.equals(catalog.view(view.name()));
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            if (oid(sequence.id()) == oid) {
                return sequence.equals(catalog.sequence(sequence.name()));
            }
        }
        return null;
    }

    private void sequenceTexts() {
        for (Sequence sequence : catalog.sequences()) {
            rows.add(
                    called(sequence.schema()),
                    sequence.name(),
                    "oriel",
                    "bigint",
                    sequence.start(),
                    sequence.least(),
                    sequence.most(),
                    sequence.increment(),
                    sequence.cycle(),
                    1);
        }
    }
}
