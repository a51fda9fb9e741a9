package dev.oriel.sql.engine;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.run.SpoolOperator;
import dev.oriel.store.ClosedException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of one run of a query. Releases its snapshot at the end by itself.
final class QueryResult implements Prepared.Result {
    private static final Probe NEXT = Probe.of(Prepared.Result.class, "next");

    private final PlannedStatement statement;
    private final boolean listed;

    /// Source of the next rows.
    private Operator operator;

    private boolean shared;

    /// The operator's row, or a copy of its current one.
    private Row row;

    private boolean copied;

    /// Error that ended the reading ahead; thrown when the caller reaches it.
    private @Nullable RuntimeException failure;

    private boolean kept;
    private boolean ended;
    private boolean closed;
    private long rows;

    /// @param shared whether it reads the session's write transaction
    /// @param listed whether all rows were known when it was opened
    QueryResult(PlannedStatement statement, Operator operator, boolean shared, boolean listed) {
        this.statement = statement;
        this.operator = operator;
        this.row = operator.row();
        this.shared = shared;
        this.listed = listed;
    }

    /// Number of rows returned.
    long rows() {
        return rows;
    }

    boolean shared() {
        return shared;
    }

    boolean listed() {
        return listed;
    }

    /// Copies the current row, before its source is written to.
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

    /// Reads the remaining rows ahead, and detaches from the transaction. An error in a row is thrown when the
    /// caller reaches it. Lack of memory, or a cancel, is thrown here too.
    void keepRows(
            List<Prepared.OutputColumn> columns, Cancellation cancellation, QueryMemory memory) {
        keepRow(columns);
        RowSpool rest = new RowSpool(cancellation, memory.share(), shapes(columns));
        try {
            while (advances(cancellation)) {
                rest.add(operator.row());
            }
        } catch (RuntimeException refused) {
            failure = refused;
            throw refused;
        } catch (Error fatal) {
            failure = new ClosedException("The result's rows could not be kept", "", fatal);
            throw fatal;
        } finally {
            operator = new SpoolOperator(rest);
            shared = false;
            copied = true;
            kept = true;
        }
    }

    private boolean advances(Cancellation cancellation) {
        cancellation.poll();
        try {
            return operator.next();
        } catch (RuntimeException unread) {
            if (unread instanceof SqlException known && known.kind() == Kind.CANCELLED) {
                throw unread;
            }
            failure = unread;
            return false;
        }
    }

    private void leaveCopy() {
        if (kept) {
            operator.open();
        }
        row = operator.row();
        copied = false;
    }

    /// Releases rows read ahead or known since the opening.
    void letGo() {
        if (listed || kept) {
            operator.close();
        }
    }

    /// Revokes the result: unless it is at its end, asking for more rows is an error now.
    void revoked() {
        closed = !ended;
        ended = true;
    }

    @Override
    public boolean next() {
        Cancellation cancellation = statement.cancellation();
        if (cancellation != null) {
            cancellation.enter();
        }
        try {
            return advanced();
        } catch (Error error) {
            throw Exhaustion.limit(error);
        } finally {
            if (cancellation != null) {
                cancellation.leave();
            }
        }
    }

    private boolean advanced() {
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
                leaveCopy();
            }
            found = operator.next();
            ended = !found;
            if (found) {
                rows++;
            } else if (failure != null) {
                throw failure;
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
        try {
            statement.closeResult(this);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        } finally {
            ended = true;
            closed = true;
        }
    }

    @Override
    public boolean isNull(int column) {
        try {
            return row.isNull(column); // computed now, if the column is an expression
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public long longAt(int column) {
        try {
            return row.longAt(column); // computed now, if the column is an expression
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public double doubleAt(int column) {
        try {
            return row.doubleAt(column); // computed now, if the column is an expression
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        try {
            return row.decimalAt(column);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public @Nullable String textAt(int column) {
        try {
            return row.textAt(column);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        try {
            return row.bytesAt(column);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }
}
