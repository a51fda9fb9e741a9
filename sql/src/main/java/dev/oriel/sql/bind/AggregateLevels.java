package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.value.OpenType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds the query that an aggregate belongs to. As in the standard, that is the innermost query with a column read by
/// its arguments, order or filter. If they read none, it is the query around the call. Results are kept for a
/// statement, since nested queries are bound more than once.
final class AggregateLevels {
    /// Levels of aggregate calls: whether a call belongs further out, seen from its own query, the next query out,
    /// and so on.
    private final IdentityHashMap<Expression.Call, List<Boolean>> outer = new IdentityHashMap<>(1);

    private final Set<Statement.Select> grouped =
            Collections.newSetFromMap(new IdentityHashMap<>(1));

    /// Notes that an aggregate in a nested query groups the rows of `select`.
    void group(Statement.Select select) {
        grouped.add(select);
    }

    /// Whether `select` groups its rows, as far as is known.
    ///
    /// @param rows binds expressions over its rows
    boolean isGrouped(Statement.Select select, ScalarBinder rows) {
        return grouped.contains(select) || groups(select, call -> !isOuter(call, rows, 0));
    }

    /// Whether `select` groups its rows if all aggregates in it are its own.
    static boolean isWrittenGrouped(Statement.Select select) {
        return groups(select, call -> true);
    }

    private static boolean groups(Statement.Select select, Predicate<Expression.Call> own) {
        if (!select.groupBy().isEmpty() || select.having() != null) {
            return true;
        }
        for (Statement.Item item : select.items()) {
            if (item instanceof Statement.Item.Value value && holds(value.expression(), own)) {
                return true;
            }
        }
        for (Statement.Order order : select.orderBy()) {
            if (holds(order.expression(), own)) {
                return true;
            }
        }
        return select.qualify() != null && holds(select.qualify(), own);
    }

    /// Whether `expression` has an aggregate of the query of `rows`, outside of nested queries.
    boolean holds(Expression expression, ScalarBinder rows) {
        return holds(expression, call -> !isOuter(call, rows, 0));
    }

    private static boolean holds(Expression expression, Predicate<Expression.Call> own) {
        Deque<Expression> open = new ArrayDeque<>();
        open.push(expression);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Expression.Call call && isAggregate(call) && own.test(call)) {
                return true;
            }
            Expression.operands(next).forEach(open::push);
        }
        return false;
    }

    /// Whether `call` is an aggregate or GROUPING.
    static boolean isAggregate(Expression.Call call) {
        return call.over() == null
                && (AggregateFunction.of(call.name()) != null || GroupedBinder.isGrouping(call));
    }

    /// Whether the aggregate `call`, in the query of `rows` or in a nested one, belongs to an outer query.
    ///
    /// @param hops number of queries between that query and the call
    boolean isOuter(Expression.Call call, ScalarBinder rows, int hops) {
        if (rows.around().correlation() == null) {
            return false;
        }
        List<Boolean> known = outer.computeIfAbsent(call, asked -> new ArrayList<>());
        if (known.size() == hops) {
            boolean found = readsOuterAlone(call, rows);
            if (known.size() == hops) { // a nested query has not looked it up
                known.add(found);
            }
        }
        return known.get(hops);
    }

    private static boolean readsOuterAlone(Expression.Call call, ScalarBinder rows) {
        boolean outside = false;
        List<Expression.Nested> nested = new ArrayList<>();
        Deque<Expression> open = new ArrayDeque<>(Expression.operands(call));
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Expression.Starred) {
                return false;
            }
            Expression.RowValue row = new WholeRows(rows).values(next);
            if (row != null) {
                row.values().forEach(open::push);
            } else if (next instanceof Expression.Name name) {
                if (rows.scope().find(rows.source(), name) != null) {
                    return false;
                }
                outside |= isOutside(rows.meaning(name), rows);
            } else if (next instanceof Expression.Nested query) {
                nested.add(query);
            }
            Expression.operands(next).forEach(open::push);
        }
        for (Expression.Nested query : nested) {
            Reads reads = reads(query, rows);
            if (reads == Reads.OWN) {
                return false;
            }
            outside |= reads == Reads.OUTER;
        }
        return outside;
    }

    /// Whether `meaning` is a column of an outer query. Arguments of a function and values of a body are none: they are
    /// constants of it.
    private static boolean isOutside(@Nullable Scalar meaning, ScalarBinder rows) {
        InlinedCall inlined = rows.around().binding().inlined();
        return meaning != null
                && !(meaning instanceof Scalar.ParameterRef)
                && (inlined == null || !inlined.gives(meaning));
    }

    /// Owner of the columns that a query within an aggregate reads.
    private enum Reads {
        OWN,
        OUTER,
        NOTHING
    }

    private static Reads reads(Expression.Nested nested, ScalarBinder rows) {
        Correlation around = rows.around().correlation();
        if (around == null) {
            return Reads.OWN;
        }
        Correlation probe = around.probing(rows.around().nextNumber());
        ScalarBinder binder = new ScalarBinder(rows.around().within(probe), rows.scope());
        Reads found = Reads.NOTHING;
        Deque<Scalar> open = new ArrayDeque<>();
        open.push(new SubqueryBinder(binder).bind(nested, OpenType.TEXT));
        while (!open.isEmpty()) {
            Scalar next = open.pop();
            if (next instanceof Scalar.ColumnRef) {
                return Reads.OWN;
            }
            if (next instanceof Scalar.Argument argument && argument.query() == probe.number()) {
                found = Reads.OUTER;
            }
            Scalar.operands(next).forEach(open::push);
        }
        return found;
    }
}
