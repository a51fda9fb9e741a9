package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.GroupElement;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.syntax.Statement.Order;
import dev.oriel.sql.syntax.Statement.Tail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keys of GROUP BY and ORDER BY that repeat an item with a set-returning function, as in `SELECT f(a), COUNT(*) FROM t
/// GROUP BY f(a)`. They become the numbers of the items, as the item has the rows that are meant.
final class RowsKeys {
    private final List<Item> items;

    private RowsKeys(List<Item> items) {
        this.items = items;
    }

    static List<GroupElement> grouped(List<GroupElement> groupBy, List<Item> items) {
        RowsKeys keys = new RowsKeys(items);
        List<GroupElement> grouped = new ArrayList<>();
        for (GroupElement element : groupBy) {
            Expression number =
                    element instanceof GroupElement.Key key ? keys.number(key.expression()) : null;
            grouped.add(number == null ? element : new GroupElement.Key(number));
        }
        return List.copyOf(grouped);
    }

    static Tail ordered(Tail tail, List<Item> items) {
        RowsKeys keys = new RowsKeys(items);
        List<Order> orderBy = new ArrayList<>();
        for (Order order : tail.orderBy()) {
            Expression number = keys.number(order.expression());
            orderBy.add(
                    number == null
                            ? order
                            : new Order(number, order.descending(), order.nullsFirst()));
        }
        return new Tail(
                List.copyOf(orderBy), tail.limit(), tail.offset(), tail.ties(), tail.percent());
    }

    /// The number of the item that `key` repeats; null if it repeats none, or returns no rows.
    private @Nullable Expression number(Expression key) {
        if (!hasRows(key)) {
            return null;
        }
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Item.Value value && isSame(key, value.expression())) {
                return new Expression.Literal(
                        key.position(), Expression.Literal.Kind.INTEGER, Integer.toString(i + 1));
            }
        }
        return null;
    }

    private static boolean hasRows(Expression expression) {
        if (expression instanceof Expression.Call call && SelectedRows.builtIn(call) != null) {
            return true;
        }
        for (Expression operand : Expression.operands(expression)) {
            if (hasRows(operand)) {
                return true;
            }
        }
        return false;
    }

    /// Whether two expressions are written alike. Of rare kinds none is like another.
    private static boolean isSame(Expression a, Expression b) {
        boolean alike =
                switch (a) {
                    case Expression.Name name ->
                            b instanceof Expression.Name other
                                    && isSame(name.qualifier(), other.qualifier())
                                    && name.name().equalsIgnoreCase(other.name());
                    case Expression.Literal literal ->
                            b instanceof Expression.Literal other
                                    && literal.kind() == other.kind()
                                    && literal.text().equals(other.text());
                    case Expression.Call call ->
                            b instanceof Expression.Call other
                                    && call.extras() == null
                                    && other.extras() == null
                                    && call.name().equalsIgnoreCase(other.name());
                    case Expression.Cast cast ->
                            b instanceof Expression.Cast other && cast.type().equals(other.type());
                    case Expression.Binary binary ->
                            b instanceof Expression.Binary other
                                    && binary.operator() == other.operator();
                    case Expression.Negation _ -> b instanceof Expression.Negation;
                    case Expression.ArrayOf _ -> b instanceof Expression.ArrayOf;
                    default -> false;
                };
        List<Expression> ofA = Expression.operands(a);
        List<Expression> ofB = Expression.operands(b);
        if (!alike || ofA.size() != ofB.size()) {
            return false;
        }
        for (int i = 0; i < ofA.size(); i++) {
            if (!isSame(ofA.get(i), ofB.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(@Nullable String a, @Nullable String b) {
        return a == null ? b == null : a.equalsIgnoreCase(b);
    }
}
