package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.syntax.SelectedRows;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.JoinKind;
import dev.oriel.sql.syntax.UsingColumns;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds the FROM clause of a query.
public final class FromBinder {
    private final BindContext around;
    private final SqlText source;
    private final boolean several;

    /// Paths of the relations in this FROM, by their names.
    private final Map<String, Set<String>> names = new HashMap<>();

    /// Conditions of views in this FROM that are expanded, not yet part of a join.
    private final List<Scalar> open = new ArrayList<>();

    private int slots;
    private int columns;

    private FromBinder(BindContext around, boolean several) {
        this.around = around;
        this.source = around.source();
        this.several = several;
    }

    /// A bound FROM, and the names of its columns.
    record Bound(BoundFrom from, Scope scope) {}

    /// Binds `from`.
    ///
    /// @param conditions takes those of views that are expanded
    static Bound bind(BindContext around, From from, List<Scalar> conditions) {
        FromBinder binder = new FromBinder(around, from instanceof From.Join);
        Bound bound = binder.bind(from, Scope.EMPTY);
        conditions.addAll(binder.open);
        return bound;
    }

    /// @param before the preceding items of the same FROM
    private Bound bind(From from, Scope before) {
        return switch (from) {
            case From.Named named -> named(named);
            case From.Computed computed -> computed(computed, before);
            case From.Derived derived -> derived(derived, before);
            case From.Function function -> function(function, before);
            case From.Join join -> join(join, before);
        };
    }

    private Bound computed(From.Named named) {
        Identifier table = named.table();
        Identifier schema = new Identifier(table.position(), table.schema());
        return computed(
                new From.Computed(
                        table.position(),
                        schema,
                        new Identifier(table.position(), table.name()),
                        null,
                        false,
                        named.alias(),
                        named.columns()),
                Scope.EMPTY);
    }

    private Bound named(From.Named named) {
        Identifier name = named.alias() == null ? named.table() : named.alias();
        ChangedRelation changed = around.binding().changed().get(named);
        if (changed != null) {
            return changed(changed, named, name);
        }
        CommonTable common =
                named.table().schema().isEmpty() ? around.common(named.table().name()) : null;
        if (common != null) {
            Read read = readOf(common, named);
            return leaf(name, "", named.columns(), common.columns(), null, read);
        }
        if (InformationSchema.holds(named.table())) {
            BoundQuery query =
                    InformationSchema.bind(source, around.binding().catalog(), named.table());
            return leaf(
                    name,
                    path(named, named.table().schema()),
                    named.columns(),
                    query.asTable(),
                    null,
                    Read.of(query, null));
        }
        boolean isPg = named.table().name().regionMatches(true, 0, "pg_", 0, "pg_".length());
        BoundQuery pg = isPg ? PgCatalog.bind(around.binding().catalog(), named.table()) : null;
        if (pg != null) {
            String path = path(named, PgCatalog.NAME);
            return leaf(name, path, named.columns(), pg.asTable(), null, Read.of(pg, null));
        }
        if (isComputed(named.table())) {
            return computed(named);
        }
        View view =
                named.table().only()
                        ? onlyOf(named.table())
                        : around.binding().catalog().view(named.table().path());
        if (view != null) {
            spell(named, view.schema(), view.name());
            return view(named, name, view);
        }
        ExternalTable external = around.binding().catalog().external(named.table().path());
        if (external != null) {
            Plan plan = new Plan.FileScan(external, source.at(named.position()));
            return leaf(
                    name,
                    path(named, ""),
                    named.columns(),
                    external.columns(),
                    null,
                    new Read(plan, null, null));
        }
        return table(named, name);
    }

    /// The view for ONLY `name`: without rows if it has partitions. Null if it is a table.
    private @Nullable View onlyOf(Identifier name) {
        Catalog catalog = around.binding().catalog();
        Partition place = SelectBinder.place(catalog, name.path());
        return place == null || place.strategy() == Partition.Strategy.NONE
                ? catalog.view(name.path())
                : Partitions.around(catalog, place).without(place);
    }

    /// One row, as DUAL has in Oracle, MySQL and H2.
    private Bound dual(From.Named named, Identifier name) {
        int position = named.position();
        Expression value = new Expression.Literal(position, Expression.Literal.Kind.STRING, "X");
        Statement.Query row =
                new Statement.RowList(
                        position,
                        List.of(new Statement.Values(position, List.of(value))),
                        Statement.Tail.NONE);
        List<Identifier> columns =
                named.columns().isEmpty()
                        ? List.of(new Identifier(position, "DUMMY"))
                        : named.columns();
        return derived(new From.Derived(position, row, name, columns, false), Scope.EMPTY);
    }

    private Bound table(From.Named named, Identifier name) {
        String path = named.table().path();
        boolean written = !around.binding().isStored();
        boolean none = around.binding().catalog().table(path) == null;
        if (written && none && path.equalsIgnoreCase("DUAL")) {
            return dual(named, name);
        }
        Table table = SelectBinder.table(source, around.binding().catalog(), named.table());
        spell(named, table.schema(), table.name());
        MaterializedView materialized = around.binding().catalog().materialized(table.id());
        if (materialized != null && !materialized.populated()) {
            around.binding()
                    .numbers()
                    .unreadable(
                            source.error(
                                    Kind.OBJECT_STATE,
                                    named.position(),
                                    "Materialized view \""
                                            + table.name()
                                            + "\" has not been filled: say REFRESH MATERIALIZED"
                                            + " VIEW "
                                            + named.table().text()));
        }
        String qualifier = path(named, table.schema());
        EarlierRows earlier = around.binding().earlier();
        if (earlier != null && earlier.hold(table)) {
            BoundQuery rows = earlier.rows(around, named, table);
            return leaf(
                    name, qualifier, named.columns(), table.columns(), null, Read.of(rows, null));
        }
        return leaf(name, qualifier, named.columns(), table.columns(), table, Read.NOTHING);
    }

    private Bound view(From.Named named, Identifier name, View view) {
        BoundQuery query = Views.bind(around, view);
        List<Column> own = query.asTable();
        String path = path(named, view.schema());
        boolean partition = around.binding().catalog().partition(view.id()) != null;
        Scope.Relation relation =
                new Scope.Relation(
                        name.name(),
                        partition ? SearchPath.named(view.schema(), view.name()) : "",
                        path,
                        renamed(source, name, named.columns(), own),
                        columns,
                        false,
                        several && !name.name().isEmpty(),
                        List.of(),
                        false);
        return leaf(name, relation, own.size(), null, Read.of(query, null));
    }

    /// A table behind views. A join takes the conditions of the views as its own.
    private Bound changed(ChangedRelation relation, From.Named named, Identifier name) {
        String path = named.alias() == null ? relation.path() : "";
        List<Column> called = renamed(source, name, named.columns(), relation.columns());
        open.addAll(relation.conditions(several ? name.name() + "." : "", columns));
        Scope.Relation own = relation.renamed(called).relation(name.name(), path, columns, several);
        return leaf(name, own, relation.table().columns().size(), relation.table(), Read.NOTHING);
    }

    private Read readOf(CommonTable common, From.Named named) {
        Plan plan = common.plan();
        if (common.silent()) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    named.position(),
                    "\"" + common.name() + "\" is a change without RETURNING: it has no rows");
        }
        if (plan == null) {
            throw source.error(
                    Kind.INVALID_RECURSION,
                    named.position(),
                    "\""
                            + common.name()
                            + "\" reads itself: only the second operand of its UNION may, in WITH"
                            + " RECURSIVE");
        }
        boolean kept = common.once() && common.correlation() != around.correlation();
        return kept
                ? new Read(new Plan.Kept(around.nextNumber(), common.name(), plan), null, null)
                : new Read(plan, common.replan(), null);
    }

    /// Qualified name by which the query may refer to `named`; empty if it has an alias.
    private static String path(From.Named named, String schema) {
        return named.alias() == null ? SearchPath.named(schema, named.table().name()) : "";
    }

    /// Whether `name` is in a schema that has only computed tables.
    private boolean isComputed(Identifier name) {
        return !name.schema().isEmpty()
                && around.binding().catalog().schema(name.schema()) == null
                && !name.schema().equalsIgnoreCase(SearchPath.OWN_TEMPORARY)
                && around.binding().catalog().table(name.path()) == null;
    }

    /// Reports the meaning of `named` if a view definition is being expanded.
    private void spell(From.Named named, String schema, String name) {
        ViewDeparser spelled = around.binding().spelled();
        if (spelled != null) {
            boolean own = schema.equals(around.binding().catalog().temporary());
            String needed = named.table().schema().isEmpty() && !own ? schema : "";
            boolean aliased = named.alias() != null;
            spelled.relation(named.table(), SearchPath.named(schema, name), needed, aliased);
        }
    }

    /// @param before the preceding items of the same FROM
    private Bound computed(From.Computed from, Scope before) {
        SqlFunction defined = new FunctionLookup(around).find(from);
        if (defined != null && defined.returnsSet()) {
            return rows(defined, from, before);
        }
        ComputedBinder binder = new ComputedBinder(around);
        Identifier name = from.alias() == null ? from.name() : from.alias();
        Statement.Query value = binder.ofValue(from, name);
        if (value != null) {
            return derived(
                    new From.Derived(from.position(), value, name, from.columns(), true), before);
        }
        Plan.Computed plan = binder.bind(from);
        Identifier schema = from.schema();
        String path =
                from.alias() == null && schema != null
                        ? SearchPath.named(schema.name(), from.name().name())
                        : "";
        return leaf(
                name,
                path,
                from.columns(),
                plan.table().columns(),
                null,
                new Read(plan, null, null));
    }

    /// The rows of a function of SQL. It sees the preceding items, as LATERAL does.
    private Bound rows(SqlFunction function, From.Computed from, Scope before) {
        ScalarBinder binder = new ScalarBinder(around, before);
        FunctionInlining.Rows rows =
                new FunctionInlining(binder, function, source.at(from.name().position()))
                        .rows(Objects.requireNonNull(from.arguments()), around.nextNumber());
        Identifier name = from.alias() == null ? from.name() : from.alias();
        List<Column> columns = new ArrayList<>();
        for (Column column : rows.query().asTable()) {
            // As in PostgreSQL, a single value has the name of the table.
            columns.add(
                    column.name().isEmpty()
                            ? new Column(name.name(), column.type(), true)
                            : column);
        }
        return leaf(name, "", from.columns(), columns, null, Read.of(rows.query(), rows.lateral()));
    }

    private Bound derived(From.Derived derived, Scope before) {
        BindContext inside = around;
        Correlation correlation = null;
        if (derived.lateral()) {
            int number = around.nextNumber();
            correlation = new Correlation(new ScalarBinder(around, before), number, true);
            inside = around.within(correlation);
        }
        BoundQuery query = new QueryBinder(inside).bind(derived.query(), List.of());
        BoundFrom.Lateral lateral = null;
        if (correlation != null && !correlation.arguments().isEmpty()) {
            lateral = new BoundFrom.Lateral(correlation.number(), correlation.arguments());
        }
        Identifier name =
                derived.alias() == null ? new Identifier(derived.position(), "") : derived.alias();
        return leaf(name, "", derived.columns(), query.asTable(), null, Read.of(query, lateral));
    }

    /// A table function. It sees the preceding items, as LATERAL does.
    private Bound function(From.Function function, Scope before) {
        int number = around.nextNumber();
        Correlation correlation = new Correlation(new ScalarBinder(around, before), number, true);
        BindContext inside = around.within(correlation);
        ScalarBinder binder = new ScalarBinder(inside, Scope.EMPTY);
        RowsFunction rows = RowsFunction.of(function.call().name());
        Plan plan =
                rows == null
                        ? new SeriesBinder(binder).bind(function.call())
                        : new RowsFunctionBinder(binder).bind(rows, function);
        BoundFrom.Lateral lateral =
                correlation.arguments().isEmpty()
                        ? null
                        : new BoundFrom.Lateral(number, correlation.arguments());
        Identifier name =
                function.alias() == null
                        ? new Identifier(function.position(), function.call().name())
                        : function.alias();
        // As in PostgreSQL, a single column has the name of the table, or both names.
        boolean own = rows != null && rows.namesColumn();
        List<Column> columns = new ArrayList<>();
        if (rows == RowsFunction.UNNEST && SpreadComposites.are(plan)) {
            plan = SpreadComposites.spread(plan, columns);
            Read read = new Read(plan, null, lateral);
            return leaf(name, "", function.columns(), columns, null, read);
        }
        List<String> names = rows == null ? List.of("") : rows.columns();
        for (int i = 0; i < names.size(); i++) {
            String called = names.size() == 1 && !own ? name.name() : names.get(i);
            columns.add(new Column(called, plan.types().get(i), rows != null));
        }
        if (function.numbered()) {
            columns.add(new Column("ordinality", Typing.BIGINT, false));
        }
        Read read = new Read(plan, null, lateral, own);
        return leaf(name, "", function.columns(), columns, null, read);
    }

    /// A source of rows that is no table.
    ///
    /// @param single as in [Scope.Relation]
    private record Read(
            @Nullable Plan plan,
            @Nullable Replan replan,
            BoundFrom.@Nullable Lateral lateral,
            boolean single) {
        static final Read NOTHING = new Read(null, null, null);

        Read(@Nullable Plan plan, @Nullable Replan replan, BoundFrom.@Nullable Lateral lateral) {
            this(plan, replan, lateral, false);
        }

        static Read of(BoundQuery query, BoundFrom.@Nullable Lateral lateral) {
            return new Read(query.plan(), query.replan(), lateral);
        }
    }

    private Bound leaf(
            Identifier name,
            String path,
            List<Identifier> renamed,
            List<Column> own,
            @Nullable Table table,
            Read read) {
        List<Column> called = renamed(source, name, renamed, own);
        Scope.Relation relation =
                new Scope.Relation(
                        name.name(),
                        table == null ? "" : table.path(),
                        path,
                        called,
                        columns,
                        false,
                        several && !name.name().isEmpty(),
                        List.of(),
                        read.single());
        return leaf(name, relation, own.size(), table, read);
    }

    /// @param width number of columns in the row
    private Bound leaf(
            Identifier name, Scope.Relation relation, int width, @Nullable Table table, Read read) {
        String known = name.name().toUpperCase(Locale.ROOT);
        if (!name.name().isEmpty() && !isNew(known, relation.path())) {
            throw source.error(
                    Kind.DUPLICATE_ALIAS,
                    name.position(),
                    "\""
                            + name.name()
                            + "\" is in this FROM already: give one of them another name");
        }
        BoundFrom.Leaf leaf =
                new BoundFrom.Leaf(
                        slots++,
                        name.name(),
                        columns,
                        width,
                        table,
                        read.plan(),
                        read.replan(),
                        read.lateral());
        columns += width;
        return new Bound(leaf, Scope.of(relation));
    }

    /// Adds a name; false if it is taken. Tables may share a name if their schemas tell them apart.
    private boolean isNew(String name, String path) {
        Set<String> paths = names.computeIfAbsent(name, _ -> new HashSet<>());
        boolean apart = paths.isEmpty() || (!path.isEmpty() && !paths.contains(""));
        return paths.add(path.toUpperCase(Locale.ROOT)) && apart;
    }

    /// `own` with its first columns renamed to `renamed`.
    public static List<Column> renamed(
            SqlText source, Identifier name, List<Identifier> renamed, List<Column> own) {
        if (renamed.size() > own.size()) {
            String called =
                    SelectedRows.isHidden(name.name()) ? "The query" : "\"" + name.name() + "\"";
            throw source.error(
                    Kind.INVALID_REFERENCE,
                    renamed.get(own.size()).position(),
                    called
                            + " has "
                            + own.size()
                            + (own.size() == 1 ? " column" : " columns")
                            + ", not "
                            + renamed.size());
        }
        List<Column> columns = new ArrayList<>(own);
        for (int i = 0; i < renamed.size(); i++) {
            Column column = own.get(i);
            columns.set(i, new Column(renamed.get(i).name(), column.type(), column.nullable()));
        }
        return List.copyOf(columns);
    }

    private Bound join(From.Join join, Scope before) {
        Bound left = bind(join.left(), before);
        boolean leftOuter = join.kind() == JoinKind.RIGHT || join.kind() == JoinKind.FULL;
        // The preserved right side is bound by itself: LATERAL cannot see the left one.
        Bound right = bind(join.right(), leftOuter ? before : before.beside(left.scope));
        boolean rightOuter = join.kind() == JoinKind.LEFT || join.kind() == JoinKind.FULL;
        Scope leftScope = leftOuter ? left.scope.nullable() : left.scope;
        Scope rightScope = rightOuter ? right.scope.nullable() : right.scope;
        List<Scalar> on = new ArrayList<>(open);
        open.clear();
        Scope scope = leftScope.beside(rightScope);
        if (join.on() != null) {
            on.add(SelectBinder.filter(new ScalarBinder(around, scope), join.on(), "ON"));
        } else if (join.natural() || join.using() != null) {
            scope = merged(join, leftScope, rightScope, on);
        }
        BoundFrom bound =
                switch (join.kind()) {
                    case CROSS, INNER -> joined(BoundFrom.Kind.INNER, left, right, on);
                    case LEFT -> joined(BoundFrom.Kind.LEFT, left, right, on);
                    case RIGHT -> joined(BoundFrom.Kind.LEFT, right, left, on);
                    case FULL -> joined(BoundFrom.Kind.FULL, left, right, on);
                };
        return new Bound(bound, scope);
    }

    private static BoundFrom joined(BoundFrom.Kind kind, Bound left, Bound right, List<Scalar> on) {
        List<Scalar> conditions = new ArrayList<>();
        on.forEach(condition -> AccessPlanner.split(condition, conditions));
        return new BoundFrom.Join(kind, left.from, right.from, List.copyOf(conditions));
    }

    /// Scope in which the columns merged by USING or NATURAL come first, and once.
    private Scope merged(From.Join join, Scope left, Scope right, List<Scalar> on) {
        List<Scope.Entry> first = new ArrayList<>();
        List<Scope.Entry> restLeft = new ArrayList<>(left.entries());
        List<Scope.Entry> restRight = new ArrayList<>(right.entries());
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        UsingColumns given = join.using();
        List<Identifier> using = given == null ? common(join, left, right) : given.names();
        if (given == null) {
            ViewDeparser spelled = around.binding().spelled();
            if (spelled != null) {
                spelled.natural(join, using);
            }
        }
        for (Identifier name : using) {
            Scope.Entry a = side(name, left, "left");
            Scope.Entry b = side(name, right, "right");
            Scalar[] pair =
                    binder.compared(
                            a.scalar(), b.scalar(), name.position(), Expression.Operator.EQUAL);
            on.add(new Condition.Comparison(Expression.Operator.EQUAL, pair[0], pair[1]));
            Scalar one =
                    switch (join.kind()) {
                        case CROSS, INNER, LEFT -> asCompared(a.scalar(), b.scalar(), name);
                        case RIGHT -> asCompared(b.scalar(), a.scalar(), name);
                        case FULL -> {
                            List<Scalar> both = List.of(pair[0], pair[1]);
                            yield new Conditional.Coalesce(both, ScalarBinder.common(both));
                        }
                    };
            first.add(new Scope.Entry(a.name(), one, a.place()));
            restLeft.remove(a);
            restRight.remove(b);
        }
        List<Scope.Relation> relations = new ArrayList<>(left.beside(right).relations());
        if (given != null && given.alias() != null) {
            relations.add(mergedAs(given.alias().name(), first));
        }
        first.addAll(restLeft);
        first.addAll(restRight);
        return new Scope(List.copyOf(relations), List.copyOf(first));
    }

    /// The merged columns of USING as a table of their own.
    private static Scope.Relation mergedAs(String name, List<Scope.Entry> merged) {
        List<Column> columns = new ArrayList<>();
        List<Scalar> values = new ArrayList<>();
        for (Scope.Entry entry : merged) {
            Scalar value = entry.scalar();
            columns.add(new Column(entry.name(), value.type(), value.nullable()));
            values.add(value);
        }
        return new Scope.Relation(name, "", "", columns, 0, false, false, values, false);
    }

    /// `column` in the type in which it is compared with `other`.
    private Scalar asCompared(Scalar column, Scalar other, Identifier name) {
        Type type = Typing.common(column.type(), other.type());
        if (type == null || column.type().name() == type.name()) {
            return column;
        }
        if (column instanceof Scalar.ColumnRef ref
                && Typing.isInteger(ref.type())
                && Typing.isInteger(type)) {
            return new Scalar.ColumnRef(ref.column(), type, ref.nullable(), ref.name());
        }
        return new ScalarBinder(around, Scope.EMPTY)
                .converted(Scope.nullable(column), type, name.position());
    }

    private static List<Identifier> common(From.Join join, Scope left, Scope right) {
        List<Identifier> common = new ArrayList<>();
        for (Scope.Entry entry : left.entries()) {
            if (!right.entries(entry.name()).isEmpty()) {
                common.add(new Identifier(join.position(), entry.name()));
            }
        }
        return common;
    }

    private Scope.Entry side(Identifier name, Scope scope, String which) {
        List<Scope.Entry> found = scope.entries(name.name());
        if (found.size() > 1) {
            throw Scope.ambiguous(source, name.position(), name.name(), found);
        }
        if (found.isEmpty()) {
            List<String> columns = new ArrayList<>();
            scope.entries().forEach(entry -> columns.add(entry.name()));
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    name.position(),
                    "There is no column \""
                            + name.name()
                            + "\" on the "
                            + which
                            + " side of the join"
                            + Nearest.hint(name.name(), columns));
        }
        return found.getFirst();
    }
}
