package dev.oriel.sql.engine;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.syntax.SessionStatement.Direction;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a cursor, read when it was declared, and its position: 0 before the first row, `n + 1` after the
/// last of `n`.
final class Cursor {
    private final List<Prepared.OutputColumn> columns;
    private final List<Tuple> rows;
    private final boolean hold;
    private final boolean forward;

    /// The columns behind the query's, which are the key of the row; null if there are none.
    private final @Nullable CursorKeys keys;

    private long at;

    /// @param columns of the query, and behind them the columns of `keys`
    Cursor(
            List<Prepared.OutputColumn> columns,
            List<Tuple> rows,
            boolean hold,
            boolean forward,
            @Nullable CursorKeys keys) {
        this.columns = columns;
        this.rows = rows;
        this.hold = hold;
        this.forward = forward;
        this.keys = keys;
    }

    /// Path of the table whose rows the cursor has; null if they are not rows of one table.
    @Nullable String table() {
        return keys == null ? null : keys.table();
    }

    /// The text of column `key` of the current row's primary key; null without a current row.
    @Nullable String key(int key) {
        if (at == 0 || at > rows.size()) {
            return null;
        }
        int column = columns().size() + key;
        return TextFormat.of(rows.get((int) at - 1), column, columns.get(column).type(), Zone.UTC);
    }

    List<Prepared.OutputColumn> columns() {
        return columns.subList(0, columns.size() - (keys == null ? 0 : keys.count()));
    }

    /// Whether it outlives its transaction.
    boolean hold() {
        return hold;
    }

    /// Whether the move goes backward in a cursor that only goes forward.
    boolean refuses(Direction direction, long count) {
        return forward
                && switch (direction) {
                    case FORWARD, RELATIVE -> count < 0;
                    case BACKWARD -> count > 0;
                    case ABSOLUTE -> count < 0 || count < at;
                };
    }

    /// Moves the cursor, and returns the rows that it passed or stopped at.
    List<Tuple> go(Direction direction, long count) {
        return switch (direction) {
            case FORWARD -> count < 0 ? back(-count) : forth(count);
            case BACKWARD -> count < 0 ? forth(-count) : back(count);
            case ABSOLUTE -> to(count < 0 ? rows.size() + 1 + count : count);
            case RELATIVE -> to(at + count);
        };
    }

    private List<Tuple> forth(long count) {
        if (count == 0) {
            return to(at);
        }
        List<Tuple> passed = new ArrayList<>();
        while (passed.size() < count && at <= rows.size()) {
            at++;
            if (at <= rows.size()) {
                passed.add(rows.get((int) at - 1));
            }
        }
        return passed;
    }

    private List<Tuple> back(long count) {
        if (count == 0) {
            return to(at);
        }
        List<Tuple> passed = new ArrayList<>();
        while (passed.size() < count && at > 0) {
            at--;
            if (at > 0) {
                passed.add(rows.get((int) at - 1));
            }
        }
        return passed;
    }

    private List<Tuple> to(long place) {
        at = Math.clamp(place, 0, rows.size() + 1L);
        return at == 0 || at > rows.size() ? List.of() : List.of(rows.get((int) at - 1));
    }
}
