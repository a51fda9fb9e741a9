package dev.oriel.sql.engine;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.run.Operator;
import dev.oriel.store.ClosedException;
import dev.oriel.table.Row;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of one run of a query. At its end it lets go of its snapshot by itself.
final class QueryResult implements Prepared.Result {
    private static final Probe NEXT = Probe.of(Prepared.Result.class, "next");

    private final PlannedStatement statement;
    private final Operator operator;
    private final boolean shared;
    private final boolean listed;

    /// That of the operator, or a copy of it.
    private Row row;

    private boolean copied;
    private boolean ended;
    private boolean closed;
    private long rows;

    /// @param shared whether it reads the transaction that the session writes in
    /// @param listed whether its rows were all there when it was opened
    QueryResult(PlannedStatement statement, Operator operator, boolean shared, boolean listed) {
        this.statement = statement;
        this.operator = operator;
        this.row = operator.row();
        this.shared = shared;
        this.listed = listed;
    }

    /// How many rows it has returned.
    long rows() {
        return rows;
    }

    boolean shared() {
        return shared;
    }

    boolean listed() {
        return listed;
    }

    /// Stays on its row, though what that is read from is about to be written to.
    void keepRow(List<Prepared.OutputColumn> columns) {
        if (rows > 0 && !ended && !copied) {
            row = KeptRows.copy(row, shapes(columns));
            copied = true;
        }
    }

    private static Type.Shape[] shapes(List<Prepared.OutputColumn> columns) {
        Type.Shape[] shapes = new Type.Shape[columns.size()];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = columns.get(i).type().shape();
        }
        return shapes;
    }

    /// Lets go of rows that were all there when it was opened.
    void letGo() {
        if (listed) {
            operator.close();
        }
    }

    /// Its rows may not be read any more; unless it has come to its end, asking for more is an
    /// error now.
    void revoked() {
        closed = !ended;
        ended = true;
    }

    @Override
    public boolean next() {
        if (ended) {
            if (closed) {
                throw new ClosedException("The result has been closed", "");
            }
            return false;
        }
        long entered = NEXT.enter();
        boolean found = false;
        try {
            if (copied) {
                row = operator.row();
                copied = false;
            }
            found = operator.next();
            ended = !found;
            if (found) {
                rows++;
            }
        } catch (SqlException failure) {
            statement.failed(failure);
            throw statement.placed(failure);
        } catch (RuntimeException | Error failure) {
            statement.failed(failure);
            throw failure;
        } finally {
            if (!found) {
                statement.closeResult(this);
            }
            NEXT.exit(entered);
        }
        return found;
    }

    @Override
    public void close() {
        statement.closeResult(this);
        ended = true;
        closed = true;
    }

    @Override
    public boolean isNull(int column) {
        return row.isNull(column);
    }

    @Override
    public long longAt(int column) {
        return row.longAt(column);
    }

    @Override
    public double doubleAt(int column) {
        return row.doubleAt(column);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return row.decimalAt(column);
    }

    @Override
    public @Nullable String textAt(int column) {
        return row.textAt(column);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return row.bytesAt(column);
    }
}
