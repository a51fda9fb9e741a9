package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;

/// Binds expressions over the rows of a query that makes no groups of them, as far as is known. An aggregate of it may
/// turn up in a query within: then what this binds is good for its types alone, and must be bound over groups.
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
