package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values of hypothetical rows, as in `RANK(value) WITHIN GROUP`, of the SELECT that is parsed.
final class DirectArguments {
    /// A call whose value is no literal, or null.
    private Expression.@Nullable Call call;

    void note(Expression.Call noted) {
        if (noted.arguments().stream().anyMatch(each -> !(each instanceof Expression.Literal))) {
            call = noted;
        }
    }

    /// Begins another SELECT; returns the state of the enclosing one.
    Expression.@Nullable Call begin() {
        Expression.Call outer = call;
        call = null;
        return outer;
    }

    /// Ends the SELECT grouped by `groups`. Beside GROUPING SETS such a value is refused: in a total its columns are
    /// NULL, but those of the rows that it is compared with are not.
    void end(
            TokenReader tokens,
            List<Statement.GroupElement> groups,
            Expression.@Nullable Call outer) {
        boolean sets = groups.stream().anyMatch(Statement.GroupElement.Sets.class::isInstance);
        if (call != null && sets) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    call.position(),
                    call.name()
                            + " WITHIN GROUP takes constants beside GROUPING SETS; compute it in a"
                            + " query of its own");
        }
        call = outer;
    }
}
