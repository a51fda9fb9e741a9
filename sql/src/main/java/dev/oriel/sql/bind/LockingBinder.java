package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds SELECT ... FOR UPDATE and its variants. The keys of the rows to lock are columns after the requested
/// ones; LIMIT and OFFSET count locked rows. In a subquery of a statement all rows are locked and kept at the
/// first request, so that each is locked once.
final class LockingBinder {
    private final BindContext around;
    private final SqlText source;

    LockingBinder(BindContext around) {
        this.around = around;
        this.source = around.source();
    }

    Command bind(Statement.Locking locking) {
        BoundQuery bound = locked(locking, List.of());
        return new Command.LockingQuery(bound.plan(), bound.columns());
    }

    /// Binds a subquery of a statement that changes rows; `expected` as in [QueryBinder#bind].
    BoundQuery bind(Statement.Locking locking, List<Type> expected) {
        BoundQuery bound = locked(locking, expected);
        Plan kept = new Plan.Kept(around.nextNumber(), "locked rows", bound.plan());
        return new BoundQuery(kept, bound.columns(), bound.untyped());
    }

    private BoundQuery locked(Statement.Locking locking, List<Type> expected) {
        Statement.Select select = locking.query();
        if (AggregateLevels.isWrittenGrouped(select) || select.distinct()) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    locking.position(),
                    "Rows of a SELECT that groups them or makes them DISTINCT cannot be locked");
        }
        if (select.tail().ties() || select.tail().percent()) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    locking.position(),
                    "Rows of a SELECT WITH TIES or PERCENT cannot be locked");
        }
        List<From.Named> named = new ArrayList<>();
        if (select.from() != null) {
            collect(select.from(), named);
        }
        List<From.Named> chosen = chosen(locking, named);
        List<Table> tables = new ArrayList<>();
        List<Statement.Item> items = new ArrayList<>(select.items());
        List<Type> types = new ArrayList<>(expected);
        IdentityHashMap<From.Named, ChangedRelation> relations = new IdentityHashMap<>();
        for (From.Named from : chosen) {
            Identifier table = from.table();
            ChangedRelation found = UpdatableViews.locked(around, table);
            check(table, found, select.from());
            tables.add(found.table());
            relations.put(from, found);
            String name = from.alias() == null ? found.path() : called(from);
            items.add(
                    new Statement.Item.Value(
                            new Expression.Name(table.position(), name, ""), null));
            types.add(Typing.BYTES);
        }
        if (tables.isEmpty()) {
            throw source.error(
                    Kind.NOT_SUPPORTED, locking.position(), "There is no table to lock rows of");
        }
        Statement.Select keyed =
                new Statement.Select(
                        select.position(),
                        false,
                        items,
                        select.from(),
                        select.where(),
                        List.of(),
                        null,
                        select.windows(),
                        select.qualify(),
                        new Statement.Tail(select.orderBy(), null, null, false, false));
        BoundQuery bound =
                new QueryBinder(ChangeBinder.keyed(around, relations))
                        .bind(keyed, expected.isEmpty() ? expected : types);
        Plan.Lock locked =
                new Plan.Lock(bound.plan(), List.copyOf(tables), locking.mode(), locking.waiting());
        return new BoundQuery(
                QueryBinder.limits(around, select.tail()).above(locked, List.of()),
                bound.columns().subList(0, locked.visible()),
                bound.untyped().subList(0, locked.visible()));
    }

    private void check(Identifier table, ChangedRelation found, @Nullable From from) {
        if (!found.conditions().isEmpty() && isOuter(from)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    table.position(),
                    "Rows of view \""
                            + table.name()
                            + "\" cannot be locked in an outer join, as it has a condition; lock"
                            + " them in a SELECT of their own");
        }
        EarlierRows earlier = around.binding().earlier();
        if (earlier != null && earlier.hold(found.table())) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    table.position(),
                    "Rows of \""
                            + table.name()
                            + "\" cannot be locked beside a change of it in WITH; write that"
                            + " change last");
        }
    }

    /// Checks that the rows of all tables in FROM can be locked.
    private void checkAll(Statement.Locking locking, @Nullable From from) {
        if (from instanceof From.Join join) {
            checkAll(locking, join.left());
            checkAll(locking, join.right());
        } else if (from instanceof From.Derived derived
                && !(derived.query() instanceof Statement.RowList)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    locking.position(),
                    "Rows of a query in FROM cannot be locked: name the tables to lock with OF");
        }
    }

    private static boolean isOuter(@Nullable From from) {
        return from instanceof From.Join join
                && ((join.kind() != Statement.JoinKind.INNER
                                && join.kind() != Statement.JoinKind.CROSS)
                        || isOuter(join.left())
                        || isOuter(join.right()));
    }

    private static String called(From.Named from) {
        return from.alias() == null ? from.table().name() : from.alias().name();
    }

    private static void collect(From from, List<From.Named> into) {
        switch (from) {
            case From.Named named -> into.add(named);
            case From.Derived derived -> {}
            case From.Computed computed -> {}
            case From.Function function -> {}
            case From.Join join -> {
                collect(join.left(), into);
                collect(join.right(), into);
            }
        }
    }

    private List<From.Named> chosen(Statement.Locking locking, List<From.Named> named) {
        if (locking.of().isEmpty()) {
            checkAll(locking, locking.query().from());
            return named;
        }
        List<From.Named> chosen = new ArrayList<>();
        for (Identifier name : locking.of()) {
            List<From.Named> found =
                    named.stream()
                            .filter(from -> called(from).equalsIgnoreCase(name.name()))
                            .toList();
            if (found.isEmpty()) {
                List<String> names = named.stream().map(LockingBinder::called).toList();
                throw source.error(
                        Kind.UNKNOWN_TABLE,
                        name.position(),
                        "The query reads no table \""
                                + name.name()
                                + "\""
                                + Nearest.hint(name.name(), names));
            }
            chosen.addAll(found);
        }
        return chosen;
    }
}
