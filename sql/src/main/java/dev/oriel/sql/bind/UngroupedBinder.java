package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;

/// Binds expressions over the rows of a query that is not grouped, as far as is known. If a nested query turns out
/// to have an aggregate of it, only the types of the result are valid. It must then be bound again over groups.
final class UngroupedBinder extends ScalarBinder {
    private boolean aggregated;

    UngroupedBinder(ScalarBinder rows) {
        super(rows.around(), rows.scope());
    }

    /// Whether there was an aggregate.
    boolean aggregated() {
        return aggregated;
    }

    @Override
    Scalar aggregate(Expression.Call call, AggregateFunction kind) {
        aggregated = true;
        return Scalar.Constant.ofNull(new AggregateBinder(this).bind(call, kind).type());
    }
}
