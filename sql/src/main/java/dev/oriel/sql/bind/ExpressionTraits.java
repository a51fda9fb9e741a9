package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import java.util.IdentityHashMap;
import java.util.function.Predicate;

/// Answers of each part of an expression that take a look at all of the part, found in one walk: to ask each part of
/// a deep expression by itself would take a time that grows with the square of its depth.
final class ExpressionTraits {
    private final IdentityHashMap<Expression, Traits> found = new IdentityHashMap<>();
    private final Predicate<Expression.Call> own;

    /// @param own whether an aggregate is one of the query, and not of one around it
    ExpressionTraits(Predicate<Expression.Call> own) {
        this.own = own;
    }

    /// @param grouped whether there is an aggregate or a function with OVER in it
    /// @param asks whether there is a subquery in it
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
