package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import java.util.IdentityHashMap;
import java.util.function.Predicate;

/// Traits of all parts of an expression, computed in one walk. A walk for each part of a deep expression would take
/// time quadratic in its depth.
final class ExpressionTraits {
    private final IdentityHashMap<Expression, Traits> found = new IdentityHashMap<>();
    private final Predicate<Expression.Call> own;

    /// @param own whether an aggregate belongs to the query, and not to an outer one
    ExpressionTraits(Predicate<Expression.Call> own) {
        this.own = own;
    }

    /// @param grouped whether it contains an aggregate or a function with OVER
    /// @param asks whether it contains a subquery
    /// @param height levels of operators
    /// @param size number of its parts
    record Traits(boolean grouped, boolean asks, int height, int size) {}

    /// The traits of `expression`.
    Traits of(Expression expression) {
        Traits known = found.get(expression);
        if (known != null) {
            return known;
        }
        boolean grouped =
                expression instanceof Expression.Call call
                        && (call.over() != null
                                || (AggregateLevels.isAggregate(call) && own.test(call)));
        boolean asks = expression instanceof Expression.Nested;
        int height = 0;
        int size = 1;
        for (Expression operand : Expression.operands(expression)) {
            Traits part = of(operand);
            grouped |= part.grouped;
            asks |= part.asks;
            height = Math.max(height, part.height);
            size += part.size;
        }
        Traits traits = new Traits(grouped, asks, height + 1, size);
        found.put(expression, traits);
        return traits;
    }
}
