package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.value.Tuple;
import java.util.List;

/// The literal values of one statement for a shared plan. Immutable.
///
/// @param values never written
/// @param first the statement from which the plan was made, to which its errors point
/// @param before the tokens of `first`
/// @param now the tokens of the statement itself
public record LiteralBindings(Tuple values, SqlText first, List<Token> before, List<Token> now) {
    /// `failure`, which points into the first statement, as one in `source`.
    public SqlException placed(SqlException failure, SqlText source) {
        int position = failure.position();
        return position < 0 ? failure : source.moved(failure, first, moved(position));
    }

    private int moved(int position) {
        int low = 0;
        int high = before.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (before.get(middle).position() <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int within = position - before.get(low).position();
        if (within < 0) {
            return position; // before the first token
        }
        // They differ only in literals and blanks, and an error there points at the first character
        // alone.
        int end =
                low + 1 < now.size()
                        ? now.get(low + 1).position() - now.get(low).position()
                        : within;
        return now.get(low).position() + Math.min(within, end);
    }
}
