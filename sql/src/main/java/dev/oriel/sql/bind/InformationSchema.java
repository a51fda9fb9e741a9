package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The definitions as tables of the standard's information schema. Their rows are constants in the plan, which is
/// replaced after every change of a definition.
final class InformationSchema {
    private static final String NAME = "INFORMATION_SCHEMA";
    private static final List<String> NAMES =
            List.of(
                    "schemata",
                    "tables",
                    "columns",
                    "views",
                    "sequences",
                    "table_constraints",
                    "key_column_usage",
                    "referential_constraints",
                    "check_constraints",
                    "constraint_column_usage",
                    "column_column_usage",
                    "routines",
                    "parameters",
                    "triggers",
                    "indexes",
                    "index_columns",
                    "information_schema_catalog_name",
                    "table_privileges",
                    "column_privileges");

    /// The only catalog, as CURRENT_DATABASE calls it.
    static final String CATALOG = "oriel";

    /// Most digits of the first field of an interval, which no type limits.
    private static final Integer INTERVAL_DIGITS = 18;

    private final Catalog catalog;
    private final List<String> names;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    InformationSchema(Catalog catalog, String... names) {
        this.catalog = catalog;
        this.names = new ArrayList<>(List.of(names));
    }

    /// Adds columns with the value of the first one to the rows so far.
    InformationSchema repeating(String... more) {
        names.addAll(List.of(more));
        rows.forEach(row -> {
            for (String _ : more) {
                row.add(row.getFirst());
            }
        });
        return this;
    }

    /// Adds columns with the name of the catalog to the rows so far.
    InformationSchema ofCatalog(String... more) {
        names.addAll(List.of(more));
        rows.forEach(row -> {
            for (String _ : more) {
                row.add(CATALOG);
            }
        });
        return this;
    }

    /// Whether the information schema has a table of this name.
    static boolean holds(Statement.Identifier name) {
        return name.schema().equalsIgnoreCase(NAME);
    }

    /// User-visible name of `schema`.
    static String called(String schema) {
        return SearchPath.shown(schema);
    }

    /// The rows of the table `name`.
    static BoundQuery bind(SqlText source, Catalog catalog, Statement.Identifier name) {
        String inside = name.name().toLowerCase(Locale.ROOT);
        InformationSchema table = of(inside, catalog, SystemTables.all());
        if (table == null) {
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no table \"" + name.text() + "\"" + Nearest.hint(inside, names()));
        }
        return table.bound();
    }

    /// Names of all its tables.
    static List<String> names() {
        List<String> all = new ArrayList<>(NAMES);
        all.addAll(TypeInformation.NAMES);
        all.addAll(GraphInformation.NAMES);
        return all;
    }

    /// The table `name`, or null if there is none.
    ///
    /// @param own tables listed beside those of the catalog
    static @Nullable InformationSchema of(String name, Catalog catalog, List<SystemTables> own) {
        InformationSchema graphs = GraphInformation.of(name, catalog);
        return switch (name) {
            case "schemata" -> schemata(catalog);
            case "tables" -> tables(catalog, own);
            case "columns" -> columns(catalog, own);
            case "views" -> views(catalog);
            case "sequences" -> sequences(catalog);
            case "table_constraints" -> constraints(catalog);
            case "key_column_usage" -> keyColumns(catalog);
            case "referential_constraints" -> references(catalog);
            case "check_constraints" -> checks(catalog);
            case "constraint_column_usage" -> ColumnUsage.ofConstraints(catalog);
            case "column_column_usage" -> ColumnUsage.ofColumns(catalog);
            case "routines" -> FunctionInformation.routines(catalog);
            case "parameters" -> FunctionInformation.parameters(catalog);
            case "triggers" -> TriggerInformation.triggers(catalog);
            case "indexes" -> IndexInformation.indexes(catalog);
            case "index_columns" -> IndexInformation.columns(catalog);
            case "information_schema_catalog_name" ->
                    new InformationSchema(catalog, "catalog_name").ofOne();
            case "table_privileges" -> privileges(catalog, "with_hierarchy");
            case "column_privileges" -> privileges(catalog, "column_name");
            default -> graphs == null ? TypeInformation.of(name, catalog) : graphs;
        };
    }

    private InformationSchema ofOne() {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(CATALOG);
        rows.add(row);
        return this;
    }

    /// The standard's columns of privileges, of which there are none without roles.
    private static InformationSchema privileges(Catalog catalog, String more) {
        return new InformationSchema(
                catalog,
                "table_schema",
                "table_name",
                more,
                "grantor",
                "grantee",
                "privilege_type",
                "is_grantable",
                "table_catalog");
    }

    /// @param schema schema of the described object
    void add(String schema, @Nullable Object... values) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(called(schema));
        for (Object value : values) {
            row.add(value);
        }
        rows.add(row);
    }

    /// The columns: texts, or numbers if they contain any.
    List<Prepared.OutputColumn> columns() {
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean number = false;
            for (List<@Nullable Object> row : rows) {
                number |= row.get(i) instanceof Number;
            }
            Type type = number || isNumber(names.get(i)) ? Typing.BIGINT : Typing.TEXT;
            columns.add(new Prepared.OutputColumn(names.get(i), type, true, ""));
        }
        return List.copyOf(columns);
    }

    private BoundQuery bound() {
        List<Prepared.OutputColumn> columns = columns();
        List<Boolean> untyped = columns.stream().map(_ -> false).toList();
        List<List<Scalar>> values = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<Scalar> scalars = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                Type type = columns.get(i).type();
                Object value = row.get(i);
                scalars.add(
                        switch (value) {
                            case null -> Scalar.Constant.ofNull(type);
                            case Number number -> Scalar.Constant.of(type, number.longValue());
                            default -> Scalar.Constant.of(type, value);
                        });
            }
            values.add(List.copyOf(scalars));
        }
        List<Type> types = columns.stream().map(Prepared.OutputColumn::type).toList();
        return new BoundQuery(new Plan.Rows(List.copyOf(values), types), columns, untyped);
    }

    private static boolean isNumber(String column) {
        return column.endsWith("_length")
                || column.endsWith("_precision")
                || column.endsWith("_scale")
                || column.endsWith("_position")
                || column.endsWith("_value")
                || column.endsWith("_radix")
                || column.endsWith("_cardinality")
                || column.equals("action_order")
                || column.equals("position_in_unique_constraint")
                || column.equals("increment")
                || column.equals("cache");
    }

    private static InformationSchema schemata(Catalog catalog) {
        InformationSchema made = new InformationSchema(catalog, "schema_name", "remarks");
        List<String> builtIn = List.of("", "information_schema", "pg_catalog", "sys");
        builtIn.forEach(name -> made.add(name, new @Nullable Object[] {null}));
        if (!catalog.temporary().isEmpty()) {
            made.add(catalog.temporary(), new @Nullable Object[] {null});
        }
        for (NamedSchema schema : catalog.schemas()) {
            made.add(schema.name(), made.remark(schema.id()));
        }
        return made.ofCatalog("catalog_name");
    }

    private static InformationSchema tables(Catalog catalog, List<SystemTables> own) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "table_schema",
                        "table_name",
                        "table_type",
                        "is_insertable_into",
                        "commit_action",
                        "remarks");
        catalog.tables()
                .forEach(table ->
                        made.add(
                                table.schema(),
                                table.name(),
                                kind(catalog, table),
                                isStored(catalog, table) ? "NO" : "YES",
                                null,
                                made.remark(table.id())));
        catalog.externals()
                .forEach(table ->
                        made.add(
                                "",
                                table.name(),
                                "EXTERNAL",
                                "YES",
                                null,
                                made.remark(table.id())));
        UpdatableViews updatable = UpdatableViews.of(catalog);
        for (View view : catalog.views()) {
            String remark = made.remark(view.id());
            String kind = PgPartitions.is(catalog, view) ? "BASE TABLE" : "VIEW";
            made.add(view.schema(), view.name(), kind, isWritable(updatable, view), null, remark);
        }
        own.forEach(each -> made.add(each.schema(), each.name(), each.kind(), "NO", null, null));
        return made.ofCatalog("table_catalog");
    }

    private static boolean isStored(Catalog catalog, Table table) {
        return catalog.materialized(table.id()) != null;
    }

    private static String kind(Catalog catalog, Table table) {
        return isStored(catalog, table)
                ? "MATERIALIZED VIEW"
                : table.temporary() ? "LOCAL TEMPORARY" : "BASE TABLE";
    }

    /// The comment on the definition with number `of`, or null.
    @Nullable String remark(long of) {
        return catalog.comments(of).text(Comments.Subject.WHOLE);
    }

    private static InformationSchema columns(Catalog catalog, List<SystemTables> own) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "table_schema",
                        "table_name",
                        "column_name",
                        "ordinal_position",
                        "column_default",
                        "is_nullable",
                        "data_type",
                        "character_maximum_length",
                        "numeric_precision",
                        "numeric_scale",
                        "datetime_precision",
                        "is_identity",
                        "identity_generation",
                        "is_generated",
                        "generation_expression",
                        "is_updatable",
                        "remarks",
                        "character_octet_length",
                        "numeric_precision_radix",
                        "maximum_cardinality",
                        "dtd_identifier",
                        "interval_type",
                        "domain_catalog",
                        "domain_schema",
                        "domain_name",
                        "udt_schema",
                        "udt_name",
                        "identity_start",
                        "identity_increment",
                        "identity_maximum",
                        "identity_minimum",
                        "identity_cycle",
                        "column_on_update",
                        "is_visible",
                        "default_on_null",
                        "declared_data_type",
                        "declared_numeric_precision",
                        "declared_numeric_scale",
                        "interval_precision");
        for (Table table : catalog.tables()) {
            boolean writable = !isStored(catalog, table);
            made.addColumns(
                    table.schema(), table.name(), table.id(), table.columns(), _ -> writable);
        }
        for (ExternalTable table : catalog.externals()) {
            made.addColumns("", table.name(), table.id(), table.columns(), _ -> true);
        }
        ViewReads reads = ViewReads.ofDefinitions();
        UpdatableViews updatable = UpdatableViews.of(catalog);
        for (View view : catalog.views()) {
            List<Column> columns = Views.columns(catalog, view, reads);
            ChangedRelation changed = updatable.find(view);
            made.addColumns(
                    view.schema(),
                    view.name(),
                    view.id(),
                    columns,
                    i -> changed != null && changed.target(i) >= 0);
        }
        for (SystemTables table : own) {
            made.addColumns(table.schema(), table.name(), 0, table.columns(), _ -> false);
        }
        return made.ofCatalog("table_catalog", "udt_catalog");
    }

    /// @param writable whether the column at a position can be changed
    private void addColumns(
            String schema, String table, long id, List<Column> columns, IntPredicate writable) {
        Comments comments = catalog.comments(id);
        int position = 0;
        for (Column column : columns) {
            Type type = column.type();
            ColumnDefault filling = column.filling();
            boolean decimal = type.name() == Type.Name.DECIMAL && type.length() > 0;
            DomainType domain = PgRows.isVector(type) ? null : type.domain();
            Sequence sequence =
                    filling instanceof ColumnDefault.Identity identity
                            ? catalog.sequence(identity.sequence())
                            : null;
            add(
                    schema,
                    table,
                    column.name(),
                    ++position,
                    filling instanceof ColumnDefault.Default value ? value.expression() : null,
                    column.allowsNull() ? "YES" : "NO",
                    TypeInformation.called(type),
                    TypeInformation.length(type),
                    TypeInformation.precision(type),
                    TypeInformation.scale(type),
                    TypeInformation.secondDigits(type),
                    filling instanceof ColumnDefault.Identity ? "YES" : "NO",
                    filling instanceof ColumnDefault.Identity identity
                            ? identity.always() ? "ALWAYS" : "BY DEFAULT"
                            : null,
                    filling instanceof ColumnDefault.Generated ? "ALWAYS" : "NEVER",
                    filling instanceof ColumnDefault.Generated value ? value.expression() : null,
                    writable.test(position - 1) ? "YES" : "NO",
                    comments.text(Comments.Subject.column(column.name())),
                    octets(type),
                    decimal ? 10 : null,
                    null,
                    Integer.toString(position),
                    TypeInformation.fields(type),
                    domain == null ? null : CATALOG,
                    domain == null ? null : called(""),
                    domain == null ? null : domain.name(),
                    TypeInformation.schema(type),
                    PgTypes.called(type),
                    sequence == null ? null : Long.toString(sequence.start()),
                    sequence == null ? null : Long.toString(sequence.increment()),
                    sequence == null ? null : Long.toString(sequence.most()),
                    sequence == null ? null : Long.toString(sequence.least()),
                    sequence == null ? null : sequence.cycle() ? "YES" : "NO",
                    column.update(),
                    "TRUE",
                    column.fillsNull() ? "TRUE" : "FALSE",
                    Typing.isNumber(type) ? TypeInformation.called(type) : null,
                    TypeInformation.precision(type),
                    TypeInformation.scale(type),
                    type.name() == Type.Name.INTERVAL ? INTERVAL_DIGITS : null);
        }
    }

    /// Maximum length in bytes, of up to four for a character; null if there is none.
    static @Nullable Integer octets(Type type) {
        return switch (Typing.family(type)) {
            case TEXT ->
                    type.length() == 0
                            ? null
                            : (Integer) Math.multiplyExact(4, Math.min(type.length(), 1 << 28));
            case BYTES -> type.length() == 0 ? null : (Integer) type.length();
            default -> null;
        };
    }

    private static InformationSchema views(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "table_schema",
                        "table_name",
                        "view_definition",
                        "check_option",
                        "is_updatable",
                        "is_insertable_into",
                        "insertable_into",
                        "is_trigger_updatable",
                        "is_trigger_deletable",
                        "is_trigger_insertable_into",
                        "status",
                        "remarks");
        UpdatableViews updatable = UpdatableViews.of(catalog);
        for (View view : catalog.views()) {
            if (PgPartitions.is(catalog, view)) {
                continue;
            }
            String writable = isWritable(updatable, view);
            made.add(
                    view.schema(),
                    view.name(),
                    view.query(),
                    view.checkOption().name(),
                    writable,
                    writable,
                    writable,
                    TriggerInformation.instead(catalog, view, Event.UPDATE),
                    TriggerInformation.instead(catalog, view, Event.DELETE),
                    TriggerInformation.instead(catalog, view, Event.INSERT),
                    "VALID",
                    made.remark(view.id()));
        }
        return made.ofCatalog("table_catalog");
    }

    private static String isWritable(UpdatableViews updatable, View view) {
        ChangedRelation changed = updatable.find(view);
        return changed != null && changed.isWritable() ? "YES" : "NO";
    }

    private static InformationSchema sequences(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "sequence_schema",
                        "sequence_name",
                        "start_value",
                        "minimum_value",
                        "maximum_value",
                        "increment",
                        "cycle_option",
                        "remarks",
                        "data_type",
                        "numeric_precision",
                        "numeric_scale",
                        "numeric_precision_radix",
                        "declared_data_type",
                        "declared_numeric_precision",
                        "declared_numeric_scale",
                        "cache");
        for (Sequence sequence : catalog.sequences()) {
            made.add(
                    sequence.schema(),
                    sequence.name(),
                    sequence.start(),
                    sequence.least(),
                    sequence.most(),
                    sequence.increment(),
                    sequence.cycle() ? "YES" : "NO",
                    made.remark(sequence.id()),
                    "BIGINT",
                    Long.SIZE,
                    0,
                    2,
                    null,
                    null,
                    null,
                    1);
        }
        return made.ofCatalog("sequence_catalog");
    }

    private static InformationSchema constraints(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "constraint_schema",
                        "constraint_name",
                        "table_name",
                        "constraint_type",
                        "initially_deferred",
                        "is_deferrable",
                        "nulls_distinct",
                        "enforced",
                        "index_name",
                        "index_schema",
                        "remarks");
        for (Table table : catalog.tables()) {
            if (!table.primaryKey().isEmpty()) {
                String key = ConstraintBinder.primaryKeyName(table);
                made.addConstraint(table, key, "PRIMARY KEY", "NO", "NO", null, key);
            }
            for (Index index : table.indexes()) {
                String distinct = distinct(index);
                String name = index.name();
                if (index.constraint()) {
                    String later = index.deferred() ? "YES" : "NO";
                    made.addConstraint(table, name, "UNIQUE", later, later, distinct, name);
                }
            }
            for (Check check : table.constraints().declared()) {
                made.addConstraint(table, check.name(), "CHECK", "NO", "NO", null, null);
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                String deferred = key.deferred() ? "YES" : "NO";
                String deferrable = key.deferrable() ? "YES" : "NO";
                made.addConstraint(
                        table, key.name(), "FOREIGN KEY", deferred, deferrable, null, null);
            }
        }
        return made.repeating("table_schema").ofCatalog("constraint_catalog", "table_catalog");
    }

    /// Which NULLs of a unique index are distinct.
    static String distinct(Index index) {
        return switch (index.nulls()) {
            case DISTINCT -> "YES";
            case NOT_DISTINCT -> "NO";
            case ALL_DISTINCT -> "ALL";
        };
    }

    private void addConstraint(
            Table table,
            String name,
            String kind,
            String deferred,
            String deferrable,
            @Nullable String distinct,
            @Nullable String index) {
        String remark = catalog.comments(table.id()).text(Comments.Subject.constraint(name));
        add(
                table.schema(),
                name,
                table.name(),
                kind,
                deferred,
                deferrable,
                distinct,
                "YES",
                index,
                index == null ? null : called(table.schema()),
                remark);
    }

    private static InformationSchema keyColumns(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "constraint_schema",
                        "constraint_name",
                        "table_name",
                        "column_name",
                        "ordinal_position",
                        "position_in_unique_constraint");
        for (Table table : catalog.tables()) {
            if (!table.primaryKey().isEmpty()) {
                made.addKey(
                        ConstraintBinder.primaryKeyName(table), table, table.primaryKey(), false);
            }
            for (Index index : table.indexes()) {
                if (index.constraint()) {
                    made.addKey(index.name(), table, index.columns(), false);
                }
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                made.addKey(key.name(), table, key.columns(), true);
            }
        }
        return made.repeating("table_schema").ofCatalog("constraint_catalog", "table_catalog");
    }

    private void addKey(String name, Table table, List<Integer> columns, boolean foreign) {
        for (int i = 0; i < columns.size(); i++) {
            String column = table.columns().get(columns.get(i)).name();
            add(table.schema(), name, table.name(), column, i + 1, foreign ? i + 1 : null);
        }
    }

    private static InformationSchema references(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "constraint_schema",
                        "constraint_name",
                        "unique_constraint_name",
                        "match_option",
                        "update_rule",
                        "delete_rule",
                        "unique_constraint_schema");
        for (Table table : catalog.tables()) {
            for (ForeignKey key : table.constraints().foreignKeys()) {
                made.add(
                        table.schema(),
                        key.name(),
                        made.referred(key),
                        "NONE",
                        rule(key.onUpdate()),
                        rule(key.onDelete()),
                        made.schemaOf(key.parent()));
            }
        }
        return made.ofCatalog("constraint_catalog", "unique_constraint_catalog");
    }

    private @Nullable String schemaOf(long table) {
        Table found = catalog.table(table);
        return found == null ? null : called(found.schema());
    }

    private @Nullable String referred(ForeignKey key) {
        Table parent = catalog.table(key.parent());
        if (parent == null) {
            return null;
        }
        if (sameColumns(parent.primaryKey(), key.parentColumns())) {
            return ConstraintBinder.primaryKeyName(parent);
        }
        for (Index index : parent.indexes()) {
            if (index.unique() && sameColumns(index.columns(), key.parentColumns())) {
                return index.name();
            }
        }
        return null;
    }

    private static boolean sameColumns(List<Integer> a, List<Integer> b) {
        return a.size() == b.size() && a.containsAll(b);
    }

    private static String rule(ForeignKey.Action action) {
        return action.name().replace('_', ' ');
    }

    private static InformationSchema checks(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog, "constraint_schema", "constraint_name", "check_clause");
        for (Table table : catalog.tables()) {
            for (Check check : table.constraints().declared()) {
                made.add(table.schema(), check.name(), check.expression());
            }
        }
        for (UserType type : catalog.userTypes()) {
            if (type instanceof DomainType domain) {
                domain.checks().forEach(each -> made.add("", each.name(), each.expression()));
            }
        }
        return made.ofCatalog("constraint_catalog");
    }
}
