package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.CommandParts;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Binds a statement with changes in its WITH. They run in the order in which they are written, and the statement
/// itself comes last. All of them see the tables as they were before: a table that has changed by then is read in
/// advance ([EarlierRows]). So an insertion may be postponed until all the others have run: those that change the rows
/// of its table then find no new ones.
final class WithChangesBinder {
    private final BindContext around;
    private final SqlText source;
    private final boolean recursive;
    private final List<Statement.CommonTable> tables;
    private final List<Command.Part> parts = new ArrayList<>();

    /// Numbers of the reads in advance that plans may have.
    private final BitSet advance = new BitSet();

    WithChangesBinder(BindContext around, boolean recursive, List<Statement.CommonTable> tables) {
        this.around = around;
        this.source = around.source();
        this.recursive = recursive;
        this.tables = tables;
    }

    /// Binds the statement, whose last part is `query`.
    Command bind(Statement.Query query) {
        BoundQuery bound = new QueryBinder(inside(changed(tables))).bind(query, List.of());
        return chain(new Command.Query(bound.plan(), bound.columns()));
    }

    /// Binds the statement, whose last part is `change`.
    Command bind(Statement.RowChange change) {
        Set<Long> earlier = changed(tables);
        Command.RowChange last = new ChangeBinder(inside(earlier)).bind(change);
        check(last, change.table(), earlier);
        return chain(last);
    }

    private Command chain(Command last) {
        List<Plan.Kept> before = new ArrayList<>();
        Predicate<Plan> collect = plan -> collect(plan, before);
        parts.forEach(part -> CommandParts.any(part.change(), collect));
        boolean _ =
                switch (last) {
                    case Command.Query query -> PlanParts.any(query.plan(), collect);
                    case Command.RowChange change -> CommandParts.any(change, collect);
                    default -> throw new IllegalStateException(last + " ends no WITH");
                };
        return new Command.Chain(List.copyOf(before), List.copyOf(parts), last);
    }

    /// Adds `plan` if its rows are to be kept in advance; false, to go on.
    private boolean collect(Plan plan, List<Plan.Kept> into) {
        if (plan instanceof Plan.Kept kept && advance.get(kept.number())) {
            advance.clear(kept.number());
            into.add(kept);
        }
        return false;
    }

    /// Ids of the tables that `tables` change.
    private Set<Long> changed(List<Statement.CommonTable> tables) {
        Set<Long> changed = new HashSet<>();
        for (Statement.CommonTable table : tables) {
            if (table.query() instanceof Statement.ChangedRows rows) {
                changed.add(target(rows.change()).id());
            }
        }
        return changed;
    }

    private Table target(Statement.RowChange change) {
        Identifier name = change.table();
        if (around.binding().catalog().external(name.path()) != null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "A change in WITH cannot be of an external table: change it by the statement"
                            + " itself");
        }
        return UpdatableViews.changed(around, name, !(change instanceof Statement.Delete)).table();
    }

    /// Context in which the names of WITH are known, and the tables in `changed` are read in advance.
    private BindContext inside(Set<Long> changed) {
        Set<Long> earlier = new HashSet<>();
        List<Command.Part> postponed = new ArrayList<>();
        BindContext inside = around;
        WithBinder.checkNames(source, tables);
        for (int i = 0; i < tables.size(); i++) {
            Statement.CommonTable table = tables.get(i);
            if (!(table.query() instanceof Statement.ChangedRows rows)) {
                // It may be read at any time.
                BindContext before = inside.before(new EarlierRows(changed, advance));
                inside = inside.with(new WithBinder(before).named(table, before, recursive));
                continue;
            }
            boolean last = isPostponed(i, rows.change());
            Set<Long> before = last ? changed : Set.copyOf(earlier);
            BindContext own = inside.before(new EarlierRows(before, advance));
            Bound bound = part(table, rows.change(), own, earlier);
            (last ? postponed : parts).add(bound.part);
            if (!last) {
                earlier.add(bound.part.change().table().id());
            }
            inside = inside.with(bound.rows);
        }
        parts.addAll(postponed);
        return inside.before(new EarlierRows(changed, advance));
    }

    /// Whether the change at `at` is an insertion whose rows no other part reads, and a later one changes its table.
    private boolean isPostponed(int at, Statement.RowChange change) {
        if (!(change instanceof Statement.Insert insert)
                || insert.onConflict() != null
                || tables.get(at).mentions() > 0) {
            return false;
        }
        long own = target(change).id();
        return tables.subList(at + 1, tables.size()).stream()
                .anyMatch(later ->
                        later.query() instanceof Statement.ChangedRows rows
                                && !isInsertion(rows.change())
                                && target(rows.change()).id() == own);
    }

    /// Whether `change` adds rows and changes none.
    private static boolean isInsertion(Statement.RowChange change) {
        return change instanceof Statement.Insert insert
                && (insert.onConflict() == null || insert.onConflict().assignments() == null);
    }

    /// A bound change, and its rows as a table.
    private record Bound(Command.Part part, CommonTable rows) {}

    private Bound part(
            Statement.CommonTable table,
            Statement.RowChange change,
            BindContext own,
            Set<Long> earlier) {
        String name = table.name().name();
        if (!table.marks().isNone()) {
            throw WithBinder.notRecursive(source, table.marks());
        }
        BindContext closed = recursive ? own.with(WithBinder.unusable(name, own)) : own;
        Command.RowChange bound = new ChangeBinder(closed).bind(change);
        check(bound, change.table(), earlier);
        Command.Returning returning = bound.returning();
        int number = around.nextNumber();
        Command.Part part = new Command.Part(number, name, bound);
        if (returning == null) {
            return new Bound(part, CommonTable.silent(name, own.commons()));
        }
        BoundQuery rows =
                new BoundQuery(
                        new Plan.Returned(
                                number,
                                name,
                                returning.columns().stream().map(column -> column.type()).toList()),
                        returning.columns(),
                        List.of());
        List<Column> columns =
                FromBinder.renamed(source, table.name(), table.columns(), rows.asTable());
        return new Bound(part, CommonTable.of(name, columns, rows.plan(), own.commons()));
    }

    /// Refuses a change of rows that an earlier part may have changed.
    private void check(Command.RowChange change, Identifier table, Set<Long> earlier) {
        if (earlier.contains(change.table().id()) && !CommandParts.adds(change)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    table.position(),
                    "Another part of WITH changes \""
                            + change.table().name()
                            + "\" too: make it two statements in one transaction");
        }
    }
}
