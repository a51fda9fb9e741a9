package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.syntax.RecursionMarks;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds WITH. A query read once is inlined; one that is read more often runs once, and its rows are kept. Rows of a
/// volatile query are kept too if a nested query reads it, since that may run for each outer row.
final class WithBinder {
    private final BindContext outside;
    private final SqlText source;

    /// Scan of the statement's tokens; null until a name read more than once needs it.
    private @Nullable NamesRead namesRead;

    WithBinder(BindContext around) {
        this.outside = around;
        this.source = around.source();
    }

    BoundQuery bind(Statement.With with, List<Type> expected) {
        BindContext inside = inside(with.tables(), with.recursive());
        return new QueryBinder(inside).bind(with.query(), expected);
    }

    /// Context in which `tables` are known.
    BindContext inside(List<Statement.CommonTable> tables, boolean recursive) {
        BindContext inside = outside;
        checkNames(source, tables);
        for (Statement.CommonTable table : tables) {
            inside = inside.with(named(table, inside, recursive));
        }
        return inside;
    }

    /// Refuses a name that `tables` have twice.
    static void checkNames(SqlText source, List<Statement.CommonTable> tables) {
        Set<String> names = new HashSet<>();
        for (Statement.CommonTable table : tables) {
            if (!names.add(table.name().name().toUpperCase(Locale.ROOT))) {
                throw source.error(
                        Kind.DUPLICATE_ALIAS,
                        table.name().position(),
                        "WITH names \"" + table.name().name() + "\" twice");
            }
        }
    }

    /// The query `table` with its name.
    CommonTable named(Statement.CommonTable table, BindContext around, boolean recursive) {
        if (!table.marks().isNone()) {
            return named(marked(table, around, recursive), around, true);
        }
        String name = table.name().name();
        BoundQuery bound;
        if (!recursive) {
            bound = new QueryBinder(around).bind(table.query(), List.of());
        } else if (table.query() instanceof Statement.SetOperation operation
                && operation.kind() == Statement.SetKind.UNION
                && operation.tail().isNone()) {
            bound = recursive(table, operation, around);
        } else {
            BindContext closed = around.with(unusable(name, around));
            bound = new QueryBinder(closed).bind(table.query(), List.of());
        }
        Plan plan = bound.plan();
        Replan replan = bound.replan();
        boolean several = table.mentions() > 1;
        if (several) {
            BitSet asked = namesRead().of(table, bound);
            plan = PushDown.filtered(plan, replan, List.of(), asked);
            replan = null;
            plan = new Plan.Kept(around.nextNumber(), name, plan);
        }
        List<Column> columns =
                FromBinder.renamed(source, table.name(), table.columns(), bound.asTable());
        boolean once = !several && PlanParts.isVolatile(plan) && !isRecursive(plan);
        return new CommonTable(
                name, columns, plan, replan, once, false, around.correlation(), around.commons());
    }

    private NamesRead namesRead() {
        NamesRead names = namesRead;
        if (names == null) {
            names = new NamesRead(source);
            namesRead = names;
        }
        return names;
    }

    /// Whether the plan contains a recursive query, which may not end by itself.
    private static boolean isRecursive(Plan plan) {
        return PlanParts.any(plan, part -> part instanceof Plan.Recursive);
    }

    /// `table` with its SEARCH and CYCLE clauses expanded.
    private Statement.CommonTable marked(
            Statement.CommonTable table, BindContext around, boolean recursive) {
        if (!recursive
                || !(table.query() instanceof Statement.SetOperation operation)
                || operation.kind() != Statement.SetKind.UNION
                || !operation.tail().isNone()) {
            throw notRecursive(source, table.marks());
        }
        BindContext closed = around.with(unusable(table.name().name(), around));
        BoundQuery first = new QueryBinder(closed).bind(operation.left(), List.of());
        List<Column> columns =
                FromBinder.renamed(source, table.name(), table.columns(), first.asTable());
        MarkedRecursion marks = new MarkedRecursion(source, table, columns);
        return new Statement.CommonTable(
                table.name(),
                marks.names(),
                marks.of(operation),
                table.end(),
                table.mentions(),
                RecursionMarks.NONE);
    }

    static SqlException notRecursive(SqlText source, RecursionMarks marks) {
        return source.error(
                Kind.SYNTAX,
                marks.position(),
                marks.called() + " belongs to a recursive query: WITH RECURSIVE ... UNION ...");
    }

    static CommonTable unusable(String name, BindContext around) {
        return CommonTable.of(name, List.of(), null, around.commons());
    }

    private BoundQuery recursive(
            Statement.CommonTable table, Statement.SetOperation operation, BindContext around) {
        return recursive(table, operation, around, List.of());
    }

    /// @param taken types of the columns; empty to take those of the first operand
    private BoundQuery recursive(
            Statement.CommonTable table,
            Statement.SetOperation operation,
            BindContext around,
            List<Type> taken) {
        Identifier name = table.name();
        BindContext closed = around.with(unusable(name.name(), around));
        BoundQuery first = new QueryBinder(closed).bind(operation.left(), List.of());
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        for (Prepared.OutputColumn column : first.columns()) {
            Type type = taken.isEmpty() ? Typing.plain(column.type()) : taken.get(columns.size());
            columns.add(new Prepared.OutputColumn(column.name(), type, true, ""));
        }
        BoundQuery typed = new BoundQuery(first.plan(), List.copyOf(columns), first.untyped());
        List<Column> known = FromBinder.renamed(source, name, table.columns(), typed.asTable());
        List<Type> types = columns.stream().map(Prepared.OutputColumn::type).toList();
        int number = around.nextNumber();
        Plan working = new Plan.Working(number, name.name(), types);
        BindContext open =
                around.with(CommonTable.of(name.name(), known, working, around.commons()));
        BoundQuery step = new QueryBinder(open).bind(operation.right(), types);
        checkWidth(operation, types, step);
        List<Type> adapted = adapted(types, step);
        if (!adapted.equals(types)) {
            return recursive(table, operation, around, adapted);
        }
        check(operation, types, step);
        QueryBinder binder = new QueryBinder(around);
        Plan begin = binder.converted(first, columns, operation.position());
        Plan next = binder.converted(step, columns, operation.position());
        boolean all = operation.all();
        Plan plan = new Plan.Recursive(number, name.name(), begin, next, all);
        if (!PlanParts.reads(next, number)) {
            // Not recursive: a plain UNION.
            plan = Plan.Append.of(List.of(begin, next));
            plan = all ? plan : new Plan.Distinct(plan);
        }
        return new BoundQuery(plan, List.copyOf(columns), typed.untyped());
    }

    /// Whether `type` can hold any value of type `own`.
    private static boolean holds(Type type, Type own) {
        if (type.element() != null && own.element() != null) {
            return holds(type.element(), own.element());
        }
        Type common = Typing.either(type, own);
        Typing.Family family = Typing.family(type);
        boolean widens = family == Typing.Family.NUMBER || family == Typing.Family.DATE;
        return common != null
                && common.shape() == type.shape()
                && (!widens || common.name() == type.name());
    }

    /// `types`; of columns with an open type the types of `step`.
    private static List<Type> adapted(List<Type> types, BoundQuery step) {
        List<Type> adapted = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            Type own = Typing.plain(step.columns().get(i).type());
            adapted.add(OpenType.adapts(types.get(i), own) ? own : types.get(i));
        }
        return List.copyOf(adapted);
    }

    private void checkWidth(Statement.SetOperation operation, List<Type> types, BoundQuery step) {
        if (types.size() != step.columns().size()) {
            throw source.error(
                    Kind.SYNTAX,
                    operation.position(),
                    "UNION needs the same number of columns on both sides, not "
                            + types.size()
                            + " and "
                            + step.columns().size());
        }
    }

    private void check(Statement.SetOperation operation, List<Type> types, BoundQuery step) {
        for (int i = 0; i < types.size(); i++) {
            Type type = types.get(i);
            Type own = step.columns().get(i).type();
            if (!holds(type, own)) {
                throw source.error(
                        Kind.TYPE_MISMATCH,
                        operation.position(),
                        "Column "
                                + (i + 1)
                                + " of the recursive query is of type "
                                + type
                                + " in the first operand, but of type "
                                + own
                                + " in the second; CAST the first");
            }
        }
    }
}
