package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.JoinPlanner;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Matching;
import dev.oriel.sql.syntax.Statement.Overriding;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds and plans INSERT, UPDATE, DELETE and MERGE.
final class ChangeBinder {
    /// Name of the column of a MERGE's source by which its rows are told from none.
    private static final String MARKER = "?source";

    private final BindContext around;
    private final BindContext reading;
    private final SqlText source;
    private final Catalog catalog;

    ChangeBinder(BindContext around) {
        this(around, around);
    }

    /// @param reading binds the query of an INSERT
    ChangeBinder(BindContext around, BindContext reading) {
        this.around = around;
        this.reading = reading;
        this.source = around.source();
        this.catalog = around.binding().catalog();
    }

    Command.RowChange bind(Statement.RowChange change) {
        if (change instanceof Statement.WithChange with) {
            BindContext inside = new WithBinder(around).inside(with.tables(), with.recursive());
            return new ChangeBinder(inside).bind(with.change());
        }
        ExternalTable external = catalog.external(change.table().path());
        if (external != null) {
            return new ExternalBinder(around, this).bind(external, change);
        }
        Command.RowChange instead =
                catalog.hasTriggers() ? InsteadBinder.bind(around, this, change) : null;
        if (instead != null) {
            return instead;
        }
        ChangedRelation changed =
                UpdatableViews.changed(
                        around, change.table(), !(change instanceof Statement.Delete));
        return switch (change) {
            case Statement.Insert insert -> insert(changed, insert);
            case Statement.Update update -> update(changed, update);
            case Statement.Delete delete -> delete(changed, delete);
            case Statement.Merge merge -> merge(changed, merge);
            case Statement.CopyFrom copy -> new CopyBinder(around).from(this, changed, copy);
            case Statement.WithChange with -> throw new IllegalStateException("WITH within WITH");
        };
    }

    static String called(Identifier name, @Nullable Identifier alias) {
        return alias == null ? name.name() : alias.name();
    }

    // INSERT

    Command.RowChange insert(ChangedRelation changed, Statement.Insert insert) {
        List<Integer> targets = targets(changed, insert.columns());
        Table table = changed.table();
        return switch (insert.source()) {
            case Statement.InsertSource.Rows rows -> {
                int given = rows.rows().getFirst().expressions().size();
                List<Integer> own = first(targets, insert.columns(), given);
                Command.OnConflict conflict = conflict(changed, insert, own);
                yield new Command.InsertRows(
                        table,
                        rows(changed, own, rows.rows(), insert.overriding()),
                        conflict,
                        changed.checks(),
                        returning(changed, insert));
            }
            case Statement.InsertSource.Defaults _ ->
                    new Command.InsertRows(
                            table,
                            List.of(filled(table, new @Nullable Scalar[table.columns().size()])),
                            conflict(changed, insert, targets),
                            changed.checks(),
                            returning(changed, insert));
            case Statement.InsertSource.OfQuery query ->
                    insertQuery(changed, targets, insert, query.query());
        };
    }

    private Command.@Nullable OnConflict conflict(
            ChangedRelation changed, Statement.Insert insert, List<Integer> targets) {
        Statement.OnConflict conflict = insert.onConflict();
        return conflict == null
                ? null
                : new ConflictBinder(around, this, changed).bind(insert, conflict, targets);
    }

    private Command.@Nullable Returning returning(
            ChangedRelation changed, Statement.Insert insert) {
        return returning(
                changed, insert.returning(), changed.scope(called(insert.table(), insert.alias())));
    }

    private Command.@Nullable Returning returning(
            ChangedRelation changed, List<Statement.Item> items, Scope scope) {
        return items.isEmpty()
                ? null
                : new ReturningBinder(around, changed)
                        .bind(items, scope, changed.table().columns().size());
    }

    /// The `targets` that get a value: if no columns are listed, as many as there are values.
    private static List<Integer> first(List<Integer> targets, List<Identifier> listed, int given) {
        return listed.isEmpty() && given < targets.size() ? targets.subList(0, given) : targets;
    }

    /// Positions of the columns of an INSERT, as in [ChangedRelation#target]: the listed ones, or all.
    List<Integer> targets(ChangedRelation changed, List<Identifier> names) {
        List<Integer> targets = new ArrayList<>();
        if (names.isEmpty()) {
            for (int i = 0; i < changed.columns().size(); i++) {
                targets.add(changed.target(i));
            }
        }
        Set<Integer> seen = new HashSet<>();
        for (Identifier name : names) {
            int column = changed.target(source, name);
            if (!seen.add(column)) {
                throw givenTwice(name);
            }
            targets.add(column);
        }
        return targets;
    }

    private SqlException givenTwice(Identifier name) {
        return source.error(
                Kind.DUPLICATE_COLUMN,
                name.position(),
                "Column \"" + name.name() + "\" is given twice");
    }

    private List<List<Scalar>> rows(
            ChangedRelation changed,
            List<Integer> targets,
            List<Statement.Values> rows,
            Overriding overriding) {
        List<List<Scalar>> bound = new ArrayList<>();
        for (Statement.Values row : rows) {
            bound.add(row(changed, targets, row, overriding, Scope.EMPTY));
        }
        return List.copyOf(bound);
    }

    private List<Scalar> row(
            ChangedRelation changed,
            List<Integer> targets,
            Statement.Values row,
            Overriding overriding,
            Scope scope) {
        ScalarBinder binder = new ScalarBinder(around, scope);
        Table table = changed.table();
        int given = row.expressions().size();
        checkCount(targets.size(), given, row.position());
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int i = 0; i < given; i++) {
            Expression expression = row.expressions().get(i);
            int target = changed.written(source, targets.get(i), expression.position());
            if (isDefault(expression, scope)) {
                continue;
            }
            checkGiven(table, target, overriding, expression.position());
            Column column = table.columns().get(target);
            checkFirst(values[target], column, expression.position());
            Scalar value = binder.assign(expression, column.type(), what(column));
            values[target] = isIgnored(column, overriding) ? null : value;
        }
        return filled(table, values);
    }

    /// Whether `expression` is the keyword DEFAULT, parsed as a name; a column in scope with that name takes
    /// precedence.
    private static boolean isDefault(Expression expression, Scope scope) {
        return expression instanceof Expression.Name name
                && name.qualifier() == null
                && name.name().equalsIgnoreCase("DEFAULT")
                && scope.entries(name.name()).isEmpty();
    }

    /// Whether a value given for `column` is ignored.
    private static boolean isIgnored(Column column, Overriding overriding) {
        return overriding == Overriding.USER && column.filling() instanceof ColumnDefault.Identity;
    }

    private void checkGiven(Table table, int column, Overriding overriding, int position) {
        Column target = table.columns().get(column);
        boolean identity =
                target.filling() instanceof ColumnDefault.Identity filling && filling.always();
        if (target.generated() || (identity && overriding == Overriding.NONE)) {
            throw source.error(
                    Kind.GENERATED_ALWAYS,
                    position,
                    "Column \""
                            + target.name()
                            + "\" is always generated: give it DEFAULT"
                            + (identity ? ", or say OVERRIDING SYSTEM VALUE" : ""));
        }
    }

    /// Checks that a column of the table gets no second value, by another name of it in the view.
    private void checkFirst(@Nullable Scalar value, Column column, int position) {
        if (value != null) {
            throw givenTwice(new Identifier(position, column.name()));
        }
    }

    private void checkCount(int columns, int values, int position) {
        if (columns != values) {
            throw source.error(
                    Kind.SYNTAX,
                    position,
                    (values == 1 ? "There is " : "There are ")
                            + values
                            + (values == 1 ? " value for " : " values for ")
                            + columns
                            + (columns == 1 ? " column" : " columns"));
        }
    }

    static String what(Column column) {
        return "Column \"" + column.name() + "\"";
    }

    /// `values` with the defaults of columns without a value.
    List<Scalar> filled(Table table, @Nullable Scalar[] values) {
        List<Scalar> filled = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Scalar value = values[i];
            filled.add(
                    value == null
                            ? TableExpressions.filling(catalog, table, i)
                            : notNull(table, i, value));
        }
        return List.copyOf(filled);
    }

    /// `value` of a column, or its default if that is NULL and the column has DEFAULT ON NULL.
    private Scalar notNull(Table table, int column, Scalar value) {
        Column target = table.columns().get(column);
        if (!target.fillsNull() || !value.nullable()) {
            return value;
        }
        Scalar usual = TableExpressions.filling(catalog, table, column);
        return new Conditional.Coalesce(List.of(value, usual), target.type());
    }

    private Command.RowChange insertQuery(
            ChangedRelation changed,
            List<Integer> all,
            Statement.Insert insert,
            Statement.Query query) {
        Table table = changed.table();
        BoundQuery bound = new QueryBinder(reading).bind(query, types(changed, all));
        List<Integer> targets = first(all, insert.columns(), bound.columns().size());
        if (targets.size() < all.size() && bound.untyped().contains(true)) {
            // Literals take the types of the target columns, known now.
            bound = new QueryBinder(reading).bind(query, types(changed, targets));
        }
        checkCount(targets.size(), bound.columns().size(), query.position());
        Command.OnConflict conflict = conflict(changed, insert, targets);
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int i = 0; i < bound.columns().size(); i++) {
            int target = changed.written(source, targets.get(i), query.position());
            checkGiven(table, target, insert.overriding(), query.position());
            Column column = table.columns().get(target);
            checkFirst(values[target], column, query.position());
            Prepared.OutputColumn output = bound.columns().get(i);
            Scalar read = new Scalar.ColumnRef(i, output.type(), output.nullable(), output.name());
            Scalar value =
                    ScalarBinder.assigned(
                            read, column.type(), source.at(query.position()), what(column));
            values[target] = isIgnored(column, insert.overriding()) ? null : value;
        }
        return new Command.InsertQuery(
                table,
                bound.plan(),
                filled(table, values),
                conflict,
                changed.checks(),
                returning(changed, insert));
    }

    private static List<Type> types(ChangedRelation changed, List<Integer> targets) {
        List<Type> types = new ArrayList<>();
        targets.forEach(target -> types.add(changed.column(target).type()));
        return types;
    }

    // UPDATE and DELETE

    List<Command.Assignment> assignments(
            ChangedRelation changed, List<Statement.Assignment> given, ScalarBinder binder) {
        Table table = changed.table();
        boolean parts = given.stream().anyMatch(each -> each.value() instanceof Expression.Call);
        List<Statement.Assignment> wanted =
                parts ? QualifiedTargets.resolved(changed, given) : given;
        List<Command.Assignment> assignments = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        List<Scalar> row = List.of();
        for (Statement.Assignment assignment : wanted) {
            int column = changed.written(source, assignment.column());
            if (!seen.add(column)) {
                throw givenTwice(assignment.column());
            }
            Column target = table.columns().get(column);
            Expression expression = assignment.value();
            if (expression == null) {
                Scalar value = TableExpressions.filling(catalog, table, column);
                assignments.add(new Command.Assignment(column, value));
                continue;
            }
            checkGiven(table, column, Overriding.NONE, assignment.column().position());
            if (assignment.part() == 0) {
                row = rowOf(expression, wanted, changed, binder);
            }
            Scalar value =
                    assignment.part() < 0
                            ? binder.assign(expression, target.type(), what(target))
                            : ScalarBinder.assigned(
                                    row.get(assignment.part()),
                                    target.type(),
                                    source.at(expression.position()),
                                    what(target));
            assignments.add(new Command.Assignment(column, notNull(table, column, value)));
        }
        return hasOnUpdate(table)
                ? UpdatedColumns.with(table, assignments, binder)
                : List.copyOf(assignments);
    }

    /// Whether a change sets columns of `table` that it does not name.
    static boolean hasOnUpdate(Table table) {
        for (Column column : table.columns()) {
            if (column.update() != null) {
                return true;
            }
        }
        return false;
    }

    /// Values of a query that several columns are set to.
    @SuppressWarnings("ReferenceEquality") // same query
    private List<Scalar> rowOf(
            Expression query,
            List<Statement.Assignment> wanted,
            ChangedRelation changed,
            ScalarBinder binder) {
        List<Type> expected = new ArrayList<>();
        for (Statement.Assignment assignment : wanted) {
            if (assignment.value() == query) {
                expected.add(changed.column(changed.target(source, assignment.column())).type());
            }
        }
        return new SubqueryBinder(binder).row((Expression.Subquery) query, expected);
    }

    private Command.RowChange update(ChangedRelation changed, Statement.Update update) {
        if (update.from() != null) {
            Target target = target(changed, update.table(), update.alias(), update.from());
            ScalarBinder binder = new ScalarBinder(around, target.scope());
            List<Command.Assignment> assignments =
                    assignments(changed, update.assignments(), binder);
            Scalar where =
                    update.where() == null
                            ? null
                            : SelectBinder.filter(binder, update.where(), "WHERE");
            Command.Action action =
                    new Command.Action(
                            Matching.MATCHED, null, new Command.Deed.Update(assignments));
            return joined(changed, target, -1, where, List.of(action), update);
        }
        ScalarBinder binder = binder(changed, update.table(), update.alias());
        List<Command.Assignment> assignments = assignments(changed, update.assignments(), binder);
        AccessPlanner.Access access = access(changed, binder, update.where());
        return new Command.Update(
                changed.table(),
                access.scan(),
                access.filter(),
                QueryBinder.count(around, update.limit(), "LIMIT"),
                assignments,
                changed.checks(),
                returning(changed, update.returning(), binder.scope()));
    }

    private Command.RowChange delete(ChangedRelation changed, Statement.Delete delete) {
        if (delete.using() != null) {
            Target target = target(changed, delete.table(), delete.alias(), delete.using());
            ScalarBinder binder = new ScalarBinder(around, target.scope());
            Scalar where =
                    delete.where() == null
                            ? null
                            : SelectBinder.filter(binder, delete.where(), "WHERE");
            Command.Action action =
                    new Command.Action(Matching.MATCHED, null, new Command.Deed.Delete());
            return joined(changed, target, -1, where, List.of(action), delete);
        }
        ScalarBinder binder = binder(changed, delete.table(), delete.alias());
        AccessPlanner.Access access = access(changed, binder, delete.where());
        return new Command.Delete(
                changed.table(),
                access.scan(),
                access.filter(),
                QueryBinder.count(around, delete.limit(), "LIMIT"),
                returning(changed, delete.returning(), binder.scope()));
    }

    ScalarBinder binder(ChangedRelation changed, Identifier name, @Nullable Identifier alias) {
        return new ScalarBinder(around, changed.scope(called(name, alias)));
    }

    private static AccessPlanner.Access access(
            ChangedRelation changed, ScalarBinder binder, @Nullable Expression where) {
        Scalar condition = where == null ? null : SelectBinder.filter(binder, where, "WHERE");
        return AccessPlanner.choose(
                binder.around().estimate(),
                changed.table(),
                changed.filtered(condition),
                List.of());
    }

    // Joins

    /// The target table, joined with the other tables of the statement.
    ///
    /// @param first position of its columns in the joined row
    private record Target(BoundFrom from, Scope scope, int first) {}

    private Target target(
            ChangedRelation changed, Identifier name, @Nullable Identifier alias, From others) {
        From.Named own = new From.Named(name, alias, List.of());
        return bound(
                changed,
                own,
                new From.Join(
                        name.position(),
                        Statement.JoinKind.CROSS,
                        false,
                        own,
                        others,
                        null,
                        null,
                        name.position()));
    }

    /// Unambiguous name of the changed relation in its statement.
    private static String known(ChangedRelation changed, @Nullable Identifier alias) {
        return alias == null ? changed.path() : alias.name();
    }

    private Target bound(ChangedRelation changed, From.Named own, From from) {
        BindContext keyed = keyed(around, BindContext.only(own, changed));
        FromBinder.Bound bound = FromBinder.bind(keyed, from, new ArrayList<>());
        Scope.Relation relation = bound.scope().relation(known(changed, own.alias()));
        if (relation == null) {
            throw new IllegalStateException("the table that is changed is not in its join");
        }
        return new Target(bound.from(), bound.scope(), relation.firstColumn());
    }

    /// `around` with row keys added to the rows of `relations`, which a FROM reads.
    static BindContext keyed(
            BindContext around, IdentityHashMap<From.Named, ChangedRelation> relations) {
        BindContext.Binding binding = around.binding();
        List<Table> tables = new ArrayList<>();
        IdentityHashMap<From.Named, ChangedRelation> views = new IdentityHashMap<>();
        relations.forEach((from, relation) -> {
            if (relation.view() == null) {
                tables.add(relation.table().keyed());
            } else {
                views.put(from, relation.keyed());
            }
        });
        Catalog keyed = binding.catalog().with(tables);
        return new BindContext(
                new BindContext.Binding(
                        binding.source(),
                        keyed,
                        binding.computed(),
                        binding.parameters(),
                        binding.numbers(),
                        binding.levels(),
                        binding.depth(),
                        binding.estimate(),
                        ViewReads.ofStatement(), // other plans read tables without keys
                        binding.spelled(),
                        binding.earlier(),
                        views,
                        binding.inlined()),
                around.commons(),
                around.correlation());
    }

    private Command.RowChange joined(
            ChangedRelation changed,
            Target target,
            int marker,
            @Nullable Scalar where,
            List<Command.Action> actions,
            Statement.RowChange change) {
        BitSet used = new BitSet();
        used.set(0, width(target.from()));
        Plan plan = JoinPlanner.plan(around.estimate(), target.from(), where, used);
        return new Command.Joined(
                changed.table(),
                plan,
                target.first(),
                marker,
                actions,
                change instanceof Statement.Merge,
                source.at(change.position()),
                changed.checks(),
                change.returning().isEmpty()
                        ? null
                        : new ReturningBinder(around, changed)
                                .bind(
                                        change.returning(),
                                        visible(target.scope()),
                                        width(target.from())));
    }

    private static int width(BoundFrom from) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> leaf.firstColumn() + leaf.width();
            case BoundFrom.Join join -> Math.max(width(join.left()), width(join.right()));
        };
    }

    private Command.RowChange merge(ChangedRelation changed, Statement.Merge merge) {
        String known = known(changed, merge.alias());
        From.Named own = new From.Named(merge.table(), merge.alias(), List.of());
        boolean marked = has(merge, Matching.NOT_BY_SOURCE);
        From join =
                new From.Join(
                        merge.position(),
                        kind(has(merge, Matching.NOT_BY_TARGET), marked),
                        false,
                        marked ? marked(merge.source()) : merge.source(),
                        own,
                        merge.on(),
                        null,
                        merge.position());
        Target target = bound(changed, own, join);
        Scope visible = visible(target.scope());
        Scope sourceScope = without(visible, known);
        List<Command.Action> actions = new ArrayList<>();
        for (Statement.MergeWhen when : merge.whens()) {
            Scope scope =
                    switch (when.rows()) {
                        case MATCHED -> visible;
                        case NOT_BY_TARGET -> sourceScope;
                        case NOT_BY_SOURCE ->
                                Scope.of(Objects.requireNonNull(visible.relation(known)));
                    };
            ScalarBinder binder = new ScalarBinder(around, scope);
            Scalar condition =
                    when.condition() == null
                            ? null
                            : binder.condition(when.condition(), "WHEN ... AND");
            actions.add(
                    new Command.Action(
                            when.rows(), condition, deed(changed, when.action(), binder)));
        }
        Scope.Relation marker = marked ? target.scope().relation(MARKER) : null;
        int place = marker == null ? -1 : marker.firstColumn();
        return joined(changed, target, place, null, List.copyOf(actions), merge);
    }

    private static boolean has(Statement.Merge merge, Matching rows) {
        return merge.whens().stream().anyMatch(when -> when.rows() == rows);
    }

    private static Statement.JoinKind kind(boolean ofSource, boolean ofTarget) {
        return ofTarget
                ? ofSource ? Statement.JoinKind.FULL : Statement.JoinKind.RIGHT
                : ofSource ? Statement.JoinKind.LEFT : Statement.JoinKind.INNER;
    }

    /// `source` with one more column, TRUE in all its rows: rows of the target that it does not match have NULL.
    private static From marked(From source) {
        int position = source.position();
        Expression mark = new Expression.Literal(position, Expression.Literal.Kind.BOOLEAN, "TRUE");
        Statement.Query row =
                new Statement.RowList(
                        position,
                        List.of(new Statement.Values(position, List.of(mark))),
                        Statement.Tail.NONE);
        Identifier marker = new Identifier(position, MARKER);
        return new From.Join(
                position,
                Statement.JoinKind.CROSS,
                false,
                source,
                new From.Derived(position, row, marker, List.of(marker), false),
                null,
                null,
                position);
    }

    /// The scope without the marker of a source.
    private static Scope visible(Scope scope) {
        return scope.relation(MARKER) == null ? scope : without(scope, MARKER);
    }

    /// The scope without the target table.
    private static Scope without(Scope scope, String name) {
        List<Scope.Relation> relations = new ArrayList<>(scope.relations());
        Scope.Relation own = scope.relation(name);
        relations.remove(own);
        List<Scope.Entry> entries = new ArrayList<>(scope.entries());
        if (own != null) {
            entries.removeAll(Scope.of(own).entries());
        }
        return new Scope(List.copyOf(relations), List.copyOf(entries));
    }

    private Command.Deed deed(
            ChangedRelation changed, Statement.MergeAction action, ScalarBinder binder) {
        return switch (action) {
            case Statement.MergeAction.Nothing nothing -> new Command.Deed.Nothing();
            case Statement.MergeAction.Delete delete -> new Command.Deed.Delete();
            case Statement.MergeAction.Update update ->
                    new Command.Deed.Update(assignments(changed, update.assignments(), binder));
            case Statement.MergeAction.Insert insert -> {
                Table table = changed.table();
                Statement.Values values = insert.values();
                List<Integer> all = targets(changed, insert.columns());
                List<Integer> targets =
                        values == null
                                ? all
                                : first(all, insert.columns(), values.expressions().size());
                yield new Command.Deed.Insert(
                        values == null
                                ? filled(table, new @Nullable Scalar[table.columns().size()])
                                : row(
                                        changed,
                                        targets,
                                        values,
                                        insert.overriding(),
                                        binder.scope()));
            }
        };
    }
}
