package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.definition.SqlFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call of a function of SQL whose body is being bound.
///
/// @param given its arguments, as the body reads them
/// @param outer call in whose body it stands; null if it is in the statement
record InlinedCall(SqlFunction function, List<Scalar> given, @Nullable InlinedCall outer) {
    InlinedCall {
        given = List.copyOf(given);
    }

    /// Whether the body of `other` is being bound.
    boolean holds(SqlFunction other) {
        InlinedCall call = this;
        while (call != null && call.function.id() != other.id()) {
            call = call.outer;
        }
        return call != null;
    }

    /// Whether `scalar` is the object that stands for an argument.
    @SuppressWarnings("ReferenceEquality")
    boolean gives(Scalar scalar) {
        for (Scalar each : given) {
            if (each == scalar) {
                return true;
            }
        }
        return false;
    }
}
