package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.JoinPlanner;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Overriding;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Arbiter;
import dev.oriel.table.Catalog;
import dev.oriel.table.Column;
import dev.oriel.table.ColumnDefault;
import dev.oriel.table.ExternalTable;
import dev.oriel.table.Index;
import dev.oriel.table.SearchPath;
import dev.oriel.table.Table;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds and plans INSERT, UPDATE, DELETE and MERGE.
final class ChangeBinder {
    private final BindContext around;
    private final SqlText source;
    private final Catalog catalog;

    ChangeBinder(BindContext around) {
        this.around = around;
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
        Table table = SelectBinder.table(source, catalog, change.table());
        return switch (change) {
            case Statement.Insert insert -> insert(table, insert);
            case Statement.Update update -> update(table, update);
            case Statement.Delete delete -> delete(table, delete);
            case Statement.Merge merge -> merge(table, merge);
            case Statement.CopyFrom copy -> new CopyBinder(around).from(this, table, copy);
            case Statement.WithChange with -> throw new IllegalStateException("WITH within WITH");
        };
    }

    private static String called(Identifier name, @Nullable Identifier alias) {
        return alias == null ? name.name() : alias.name();
    }

    // INSERT

    Command.RowChange insert(Table table, Statement.Insert insert) {
        List<Integer> targets = targets(table, insert.columns());
        return switch (insert.source()) {
            case Statement.InsertSource.Rows rows -> {
                int given = rows.rows().getFirst().expressions().size();
                List<Integer> own = first(targets, insert.columns(), given);
                Command.OnConflict conflict = conflict(table, insert, own);
                yield new Command.InsertRows(
                        table,
                        rows(table, own, rows.rows(), insert.overriding()),
                        conflict,
                        returning(table, insert));
            }
            case Statement.InsertSource.Defaults _ ->
                    new Command.InsertRows(
                            table,
                            List.of(filled(table, new @Nullable Scalar[table.columns().size()])),
                            conflict(table, insert, targets),
                            returning(table, insert));
            case Statement.InsertSource.OfQuery query ->
                    insertQuery(table, targets, insert, query.query());
        };
    }

    private Command.@Nullable OnConflict conflict(
            Table table, Statement.Insert insert, List<Integer> targets) {
        Statement.OnConflict conflict = insert.onConflict();
        return conflict == null ? null : conflict(table, insert, conflict, targets);
    }

    private Command.@Nullable Returning returning(Table table, Statement.Insert insert) {
        return returning(
                insert.returning(), Scope.of(table, called(insert.table(), insert.alias())));
    }

    /// The `targets` that get a value: if no columns are listed, as many as there are values.
    private static List<Integer> first(List<Integer> targets, List<Identifier> listed, int given) {
        return listed.isEmpty() && given < targets.size() ? targets.subList(0, given) : targets;
    }

    /// Positions of the columns of an INSERT: the listed ones, or all.
    List<Integer> targets(Table table, List<Identifier> names) {
        List<Integer> targets = new ArrayList<>();
        if (names.isEmpty()) {
            for (int i = 0; i < table.columns().size(); i++) {
                targets.add(i);
            }
        }
        Set<Integer> seen = new HashSet<>();
        for (Identifier name : names) {
            int column = Compiler.column(source, table, name);
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
            Table table,
            List<Integer> targets,
            List<Statement.Values> rows,
            Overriding overriding) {
        List<List<Scalar>> bound = new ArrayList<>();
        for (Statement.Values row : rows) {
            bound.add(row(table, targets, row, overriding, Scope.EMPTY));
        }
        return List.copyOf(bound);
    }

    private List<Scalar> row(
            Table table,
            List<Integer> targets,
            Statement.Values row,
            Overriding overriding,
            Scope scope) {
        ScalarBinder binder = new ScalarBinder(around, scope);
        int given = row.expressions().size();
        checkCount(targets.size(), given, row.position());
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int i = 0; i < given; i++) {
            Expression expression = row.expressions().get(i);
            if (isDefault(expression, scope)) {
                continue;
            }
            int target = targets.get(i);
            checkGiven(table, target, overriding, expression.position());
            Column column = table.columns().get(target);
            Scalar value = binder.assign(expression, column.type(), what(column));
            values[target] = isIgnored(column, overriding) ? null : value;
        }
        return filled(table, values);
    }

    /// Whether it is DEFAULT, which looks like a name; a column in scope with that name takes precedence.
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
            filled.add(value == null ? TableExpressions.filling(catalog, table, i) : value);
        }
        return List.copyOf(filled);
    }

    private Command.RowChange insertQuery(
            Table table, List<Integer> all, Statement.Insert insert, Statement.Query query) {
        BoundQuery bound = new QueryBinder(around).bind(query, types(table, all));
        List<Integer> targets = first(all, insert.columns(), bound.columns().size());
        if (targets.size() < all.size() && bound.untyped().contains(true)) {
            // Literals take the types of the target columns, known now.
            bound = new QueryBinder(around).bind(query, types(table, targets));
        }
        checkCount(targets.size(), bound.columns().size(), query.position());
        Command.OnConflict conflict = conflict(table, insert, targets);
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int i = 0; i < bound.columns().size(); i++) {
            int target = targets.get(i);
            checkGiven(table, target, insert.overriding(), query.position());
            Column column = table.columns().get(target);
            Prepared.OutputColumn output = bound.columns().get(i);
            Scalar read = new Scalar.ColumnRef(i, output.type(), output.nullable(), output.name());
            Scalar value =
                    ScalarBinder.assigned(
                            read, column.type(), source.at(query.position()), what(column));
            values[target] = isIgnored(column, insert.overriding()) ? null : value;
        }
        return new Command.InsertQuery(
                table, bound.plan(), filled(table, values), conflict, returning(table, insert));
    }

    private static List<Type> types(Table table, List<Integer> columns) {
        List<Type> types = new ArrayList<>();
        columns.forEach(column -> types.add(table.columns().get(column).type()));
        return types;
    }

    // ON CONFLICT

    private Command.OnConflict conflict(
            Table table,
            Statement.Insert insert,
            Statement.OnConflict conflict,
            List<Integer> targets) {
        Arbiter arbiter = conflict.all() ? primaryKey(table, conflict) : arbiter(table, conflict);
        if (conflict.assignments() == null) {
            return new Command.OnConflict(arbiter, null);
        }
        if (arbiter.any()) {
            throw source.error(
                    Kind.SYNTAX,
                    conflict.position(),
                    "ON CONFLICT DO UPDATE needs the key that decides: ON CONFLICT (columns)");
        }
        int width = table.columns().size();
        Scope scope =
                Scope.of(table, called(insert.table(), insert.alias()))
                        .beside(
                                Scope.of(
                                        new Scope.Relation(
                                                "EXCLUDED",
                                                table.path(),
                                                "",
                                                table.columns(),
                                                width,
                                                false,
                                                true)));
        // Unqualified names mean the existing row.
        Scope named =
                new Scope(
                        scope.relations(),
                        Scope.of(table, called(insert.table(), insert.alias())).entries());
        ScalarBinder binder = new ScalarBinder(around, named);
        List<Command.Assignment> assignments =
                conflict.all()
                        ? allExcluded(table, targets, width)
                        : assignments(table, conflict.assignments(), binder);
        Scalar where =
                conflict.where() == null ? null : binder.condition(conflict.where(), "WHERE");
        return new Command.OnConflict(
                arbiter,
                new Command.ConflictUpdate(assignments, where, source.at(conflict.position())));
    }

    private Arbiter primaryKey(Table table, Statement.OnConflict conflict) {
        if (table.primaryKey().isEmpty()) {
            throw source.error(
                    Kind.INVALID_REFERENCE,
                    conflict.position(),
                    "UPSERT needs a primary key, but table \"" + table.name() + "\" has none");
        }
        return Arbiter.PRIMARY_KEY;
    }

    private static List<Command.Assignment> allExcluded(
            Table table, List<Integer> targets, int width) {
        List<Command.Assignment> assignments = new ArrayList<>();
        for (int target : targets) {
            Column column = table.columns().get(target);
            if (!table.primaryKey().contains(target) && !column.generated()) {
                assignments.add(
                        new Command.Assignment(
                                target,
                                new Scalar.ColumnRef(
                                        width + target,
                                        column.type(),
                                        true,
                                        "EXCLUDED." + column.name())));
            }
        }
        return List.copyOf(assignments);
    }

    private Arbiter arbiter(Table table, Statement.OnConflict conflict) {
        Identifier name = conflict.constraint();
        if (name != null) {
            Index index = table.index(name.name());
            if (index != null && index.constraint()) {
                return new Arbiter(false, index);
            }
            if (!table.primaryKey().isEmpty()
                    && ConstraintBinder.primaryKeyName(table).equalsIgnoreCase(name.name())) {
                return Arbiter.PRIMARY_KEY;
            }
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    name.position(),
                    "Table \""
                            + table.name()
                            + "\" has no unique constraint \""
                            + name.name()
                            + "\""
                            + Nearest.hint(name.name(), ConstraintBinder.names(table)));
        }
        if (conflict.index() != null) {
            return new ConflictIndexes(source, table).arbiter(conflict.index());
        }
        if (conflict.columns().isEmpty()) {
            return Arbiter.ANY;
        }
        Set<Integer> columns =
                new HashSet<>(
                        new ConstraintBinder(source, catalog).positions(table, conflict.columns()));
        if (columns.equals(new HashSet<>(table.primaryKey()))) {
            return Arbiter.PRIMARY_KEY;
        }
        for (Index index : table.indexes()) {
            if (index.unique() && columns.equals(new HashSet<>(index.columns()))) {
                return new Arbiter(false, index);
            }
        }
        throw source.error(
                Kind.INVALID_REFERENCE,
                conflict.columns().getFirst().position(),
                "ON CONFLICT needs the columns of a primary key or of a unique index, all of them");
    }

    // UPDATE and DELETE

    List<Command.Assignment> assignments(
            Table table, List<Statement.Assignment> wanted, ScalarBinder binder) {
        List<Command.Assignment> assignments = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        List<Scalar> row = List.of();
        for (Statement.Assignment assignment : wanted) {
            int column = Compiler.column(source, table, assignment.column());
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
                row = rowOf(expression, wanted, table, binder);
            }
            Scalar value =
                    assignment.part() < 0
                            ? binder.assign(expression, target.type(), what(target))
                            : ScalarBinder.assigned(
                                    row.get(assignment.part()),
                                    target.type(),
                                    source.at(expression.position()),
                                    what(target));
            assignments.add(new Command.Assignment(column, value));
        }
        return List.copyOf(assignments);
    }

    /// Values of a query that several columns are set to.
    @SuppressWarnings("ReferenceEquality") // same query
    private List<Scalar> rowOf(
            Expression query, List<Statement.Assignment> wanted, Table table, ScalarBinder binder) {
        List<Type> expected = new ArrayList<>();
        for (Statement.Assignment assignment : wanted) {
            if (assignment.value() == query) {
                int column = Compiler.column(source, table, assignment.column());
                expected.add(table.columns().get(column).type());
            }
        }
        return new SubqueryBinder(binder).row((Expression.Subquery) query, expected);
    }

    private Command.RowChange update(Table table, Statement.Update update) {
        if (update.from() != null) {
            Target target = target(table, update.table(), update.alias(), update.from());
            ScalarBinder binder = new ScalarBinder(around, target.scope());
            List<Command.Assignment> assignments = assignments(table, update.assignments(), binder);
            Scalar where =
                    update.where() == null ? null : binder.condition(update.where(), "WHERE");
            Command.Action action =
                    new Command.Action(true, null, new Command.Deed.Update(assignments));
            return joined(table, target, where, List.of(action), update);
        }
        ScalarBinder binder = binder(table, update.table(), update.alias());
        List<Command.Assignment> assignments = assignments(table, update.assignments(), binder);
        AccessPlanner.Access access = access(table, binder, update.where());
        return new Command.Update(
                table,
                access.scan(),
                access.filter(),
                assignments,
                returning(update.returning(), binder.scope()));
    }

    private Command.RowChange delete(Table table, Statement.Delete delete) {
        if (delete.using() != null) {
            Target target = target(table, delete.table(), delete.alias(), delete.using());
            ScalarBinder binder = new ScalarBinder(around, target.scope());
            Scalar where =
                    delete.where() == null ? null : binder.condition(delete.where(), "WHERE");
            Command.Action action = new Command.Action(true, null, new Command.Deed.Delete());
            return joined(table, target, where, List.of(action), delete);
        }
        ScalarBinder binder = binder(table, delete.table(), delete.alias());
        AccessPlanner.Access access = access(table, binder, delete.where());
        return new Command.Delete(
                table,
                access.scan(),
                access.filter(),
                returning(delete.returning(), binder.scope()));
    }

    ScalarBinder binder(Table table, Identifier name, @Nullable Identifier alias) {
        return new ScalarBinder(around, Scope.of(table, called(name, alias)));
    }

    private static AccessPlanner.Access access(
            Table table, ScalarBinder binder, @Nullable Expression where) {
        Scalar condition = where == null ? null : binder.condition(where, "WHERE");
        return AccessPlanner.choose(binder.around().estimate(), table, condition, List.of());
    }

    // Joins

    /// The target table, joined with the other tables of the statement.
    ///
    /// @param first position of its columns in the joined row
    private record Target(BoundFrom from, Scope scope, int first) {}

    private Target target(Table table, Identifier name, @Nullable Identifier alias, From others) {
        From own = new From.Named(name, alias, List.of());
        return bound(
                table,
                known(table, alias),
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

    /// Unambiguous name of `table` in its statement.
    private static String known(Table table, @Nullable Identifier alias) {
        return alias == null ? SearchPath.named(table.schema(), table.name()) : alias.name();
    }

    private Target bound(Table table, String called, From from) {
        FromBinder.Bound bound = FromBinder.bind(keyed(around, List.of(table)), from);
        Scope.Relation relation = bound.scope().relation(called);
        if (relation == null) {
            throw new IllegalStateException("the table that is changed is not in its join");
        }
        return new Target(bound.from(), bound.scope(), relation.firstColumn());
    }

    /// `around` with row keys added to the rows of `tables`.
    static BindContext keyed(BindContext around, List<Table> tables) {
        BindContext.Binding binding = around.binding();
        Catalog keyed = binding.catalog().with(tables.stream().map(Table::keyed).toList());
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
                        binding.spelled()),
                around.commons(),
                around.correlation());
    }

    private Command.RowChange joined(
            Table table,
            Target target,
            @Nullable Scalar where,
            List<Command.Action> actions,
            Statement.RowChange change) {
        BitSet used = new BitSet();
        used.set(0, width(target.from()));
        Plan plan = JoinPlanner.plan(around.estimate(), target.from(), where, used);
        return new Command.Joined(
                table,
                plan,
                target.first(),
                actions,
                change instanceof Statement.Merge,
                source.at(change.position()),
                returning(change.returning(), target.scope()));
    }

    private static int width(BoundFrom from) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> leaf.firstColumn() + leaf.width();
            case BoundFrom.Join join -> Math.max(width(join.left()), width(join.right()));
        };
    }

    private Command.RowChange merge(Table table, Statement.Merge merge) {
        String known = known(table, merge.alias());
        From own = new From.Named(merge.table(), merge.alias(), List.of());
        boolean inserts = merge.whens().stream().anyMatch(when -> !when.matched());
        From join =
                new From.Join(
                        merge.position(),
                        inserts ? Statement.JoinKind.LEFT : Statement.JoinKind.INNER,
                        false,
                        merge.source(),
                        own,
                        merge.on(),
                        null,
                        merge.position());
        Target target = bound(table, known, join);
        Scope sourceScope = without(target.scope(), known);
        List<Command.Action> actions = new ArrayList<>();
        for (Statement.MergeWhen when : merge.whens()) {
            Scope scope = when.matched() ? target.scope() : sourceScope;
            ScalarBinder binder = new ScalarBinder(around, scope);
            Scalar condition =
                    when.condition() == null
                            ? null
                            : binder.condition(when.condition(), "WHEN ... AND");
            actions.add(
                    new Command.Action(
                            when.matched(), condition, deed(table, when.action(), binder)));
        }
        return joined(table, target, null, List.copyOf(actions), merge);
    }

    /// The scope without the target table.
    private static Scope without(Scope scope, String name) {
        List<Scope.Relation> relations = new ArrayList<>(scope.relations());
        Scope.Relation own = scope.relation(name);
        relations.remove(own);
        List<Scope.Entry> entries = new ArrayList<>();
        for (Scope.Entry entry : scope.entries()) {
            boolean ofOwn =
                    own != null
                            && entry.scalar() instanceof Scalar.ColumnRef ref
                            && ref.column() >= own.firstColumn()
                            && ref.column() < own.firstColumn() + own.columns().size();
            if (!ofOwn) {
                entries.add(entry);
            }
        }
        return new Scope(List.copyOf(relations), List.copyOf(entries));
    }

    private Command.Deed deed(Table table, Statement.MergeAction action, ScalarBinder binder) {
        return switch (action) {
            case Statement.MergeAction.Nothing nothing -> new Command.Deed.Nothing();
            case Statement.MergeAction.Delete delete -> new Command.Deed.Delete();
            case Statement.MergeAction.Update update ->
                    new Command.Deed.Update(assignments(table, update.assignments(), binder));
            case Statement.MergeAction.Insert insert -> {
                Statement.Values values = insert.values();
                List<Integer> all = targets(table, insert.columns());
                List<Integer> targets =
                        values == null
                                ? all
                                : first(all, insert.columns(), values.expressions().size());
                yield new Command.Deed.Insert(
                        values == null
                                ? filled(table, new @Nullable Scalar[table.columns().size()])
                                : row(table, targets, values, Overriding.NONE, binder.scope()));
            }
        };
    }

    // RETURNING

    private Command.@Nullable Returning returning(List<Statement.Item> items, Scope scope) {
        if (items.isEmpty()) {
            return null;
        }
        ScalarBinder binder = new ScalarBinder(around, scope);
        List<Scalar> values = new ArrayList<>();
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        for (Statement.Item item : items) {
            switch (item) {
                case Statement.Item.Star star -> {
                    for (Expression.Starred column : scope.star(source, star)) {
                        add(binder.bind(column), column.name(), scope, values, columns);
                    }
                }
                case Statement.Item.Value value -> {
                    if (around.binding().levels().holds(value.expression(), binder)) {
                        throw source.error(
                                Kind.GROUPING,
                                value.position(),
                                "RETURNING cannot contain an aggregate");
                    }
                    String name =
                            value.alias() == null
                                    ? SelectBinder.name(value.expression())
                                    : value.alias().name();
                    add(binder.bind(value.expression()), name, scope, values, columns);
                }
            }
        }
        return new Command.Returning(List.copyOf(values), List.copyOf(columns));
    }

    private static void add(
            Scalar value,
            String name,
            Scope scope,
            List<Scalar> values,
            List<Prepared.OutputColumn> columns) {
        values.add(value);
        String table =
                value instanceof Scalar.ColumnRef column ? scope.tableOf(column.column()) : "";
        columns.add(new Prepared.OutputColumn(name, value.type(), value.nullable(), table));
    }
}
