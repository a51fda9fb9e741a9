package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;

/// Binds functions that return several rows for one value.
final class RowsFunctionBinder {
    private final ScalarBinder scalars;

    RowsFunctionBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Plan bind(RowsFunction called, Statement.From.Function from) {
        RowsFunction function = called.spelled();
        Expression.Call call = called.spelled(from.call());
        SqlText.Place place = scalars.source().at(call.position());
        boolean one = call.arguments().size() == 1 && !call.distinct() && call.extras() == null;
        if (!one) {
            throw place.error(Kind.UNKNOWN_FUNCTION, function + " takes one value");
        }
        Expression argument = call.arguments().getFirst();
        if (function != RowsFunction.UNNEST && function != RowsFunction.REGEXP_MATCHES) {
            Scalar json = new JsonBinder(scalars).json(argument, function.name());
            return new Plan.RowsOf(function, json, from.numbered(), place);
        }
        Scalar array = scalars.bind(argument, OpenType.ARRAY);
        if (array.type().element() == null) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            argument.position(),
                            "UNNEST needs an array, not " + array.type());
        }
        return new Plan.RowsOf(function, array, from.numbered(), place);
    }
}
