package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.value.Tuple;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The rows of one execution, read at once and kept in memory, so that any order of access is possible. Later
/// changes do not show.
final class ScrollingResultSet extends JdbcResultSet {
    private final List<Tuple> rows = new ArrayList<>();

    /// Number of the current row, from 1; 0 before the first row, one more than the number of rows after the last.
    private int position;

    /// Reads all of `result`.
    ScrollingResultSet(
            JdbcStatement statement, Columns columns, Prepared.Result result, long rowsMax)
            throws SQLException {
        super(statement, columns, result, rowsMax);
        while (super.next()) {
            Tuple row = new Tuple(columns.count());
            for (int i = 0; i < columns.count(); i++) {
                row.copy(i, result, i, columns.shape(i));
            }
            rows.add(row);
        }
        stand(0);
    }

    /// Goes to row `wanted`, or the nearest place; returns whether there is a row.
    private boolean stand(long wanted) throws SQLException {
        checkOpen();
        position = Math.clamp(wanted, 0, rows.size() + 1);
        if (position == 0) {
            standBefore();
        } else if (position > rows.size()) {
            standAfter();
        } else {
            standOn(rows.get(position - 1), position);
            return true;
        }
        return false;
    }

    @Override
    public boolean next() throws SQLException {
        return stand(position + 1L);
    }

    @Override
    public boolean previous() throws SQLException {
        return stand(position - 1L);
    }

    @Override
    public boolean first() throws SQLException {
        return stand(rows.isEmpty() ? 0 : 1);
    }

    @Override
    public boolean last() throws SQLException {
        return stand(rows.size());
    }

    @Override
    public void beforeFirst() throws SQLException {
        stand(0);
    }

    @Override
    public void afterLast() throws SQLException {
        stand(rows.isEmpty() ? 0 : rows.size() + 1L);
    }

    /// Counts from the end if `row` is negative: -1 is the last row.
    @Override
    public boolean absolute(int row) throws SQLException {
        return stand(row < 0 ? rows.size() + 1L + row : row);
    }

    @Override
    public boolean relative(int count) throws SQLException {
        return stand((long) position + count);
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        checkOpen();
        return position == 0 && !rows.isEmpty();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        checkOpen();
        return position > rows.size() && !rows.isEmpty();
    }

    @Override
    public boolean isLast() throws SQLException {
        checkOpen();
        return position == rows.size() && !rows.isEmpty();
    }

    @Override
    public int getRow() throws SQLException {
        checkOpen();
        return position > rows.size() ? 0 : position;
    }

    /// A hint without effect for rows in memory.
    @Override
    public void setFetchDirection(int direction) throws SQLException {
        checkOpen();
        checkDirection(direction);
    }

    @Override
    public int getType() throws SQLException {
        checkOpen();
        return TYPE_SCROLL_INSENSITIVE;
    }

    /// The rows are in memory already.
    @Override
    void detach() {}
}
