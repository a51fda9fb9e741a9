package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.value.Tuple;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement with a plan and parameters.
///
/// Each execution makes one small [JdbcResultSet], so that a reference to a closed one stays closed; everything
/// else is reused by the next execution.
sealed class JdbcPreparedStatement extends LongValueStatement permits NumberedCallStatement {
    /// Rows of a batch that are kept for the next one.
    private static final int KEPT_ROWS_MAX = 1024;

    private final Prepared prepared;
    private final Parameters parameters;
    private final List<Tuple> batch = new ArrayList<>();

    /// Types of the rows of the batch; empty if all have the same.
    private final List<Prepared.ValueTypes> batchTypes = new ArrayList<>();

    private Columns columns;
    private int batched;

    JdbcPreparedStatement(JdbcConnection connection, Prepared prepared) {
        this(connection, prepared, 1);
    }

    /// @param firstParameter number of the first given parameter
    JdbcPreparedStatement(JdbcConnection connection, Prepared prepared, int firstParameter) {
        super(connection);
        this.prepared = prepared;
        this.parameters = new Parameters(connection, prepared, firstParameter);
        this.columns = new Columns(prepared.columns());
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        connection().enter();
        try {
            begin();
            give();
            return query(prepared);
        } finally {
            connection().exit();
        }
    }

    @Override
    public int executeUpdate() throws SQLException {
        return count(executeLargeUpdate());
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        connection().enter();
        try {
            begin();
            give();
            return update(prepared);
        } finally {
            connection().exit();
        }
    }

    @Override
    public boolean execute() throws SQLException {
        connection().enter();
        try {
            begin();
            give();
            return execute(prepared);
        } finally {
            connection().exit();
        }
    }

    /// Whether `parameter` has a value.
    final boolean isGiven(int parameter) {
        return parameters.isGiven(parameter);
    }

    /// Hands the values given so far to the next run.
    private void give() throws SQLException {
        parameters.checkGiven();
        var _ = parameters.copyTo(prepared.values());
    }

    @Override
    Prepared ran() {
        return prepared;
    }

    /// The columns of the last execution, unless a definition has changed.
    @Override
    Columns columnsOf(Prepared statement) {
        if (!columns.areOf(statement.columns())) {
            columns = new Columns(statement.columns());
        }
        return columns;
    }

    @Override
    public void addBatch() throws SQLException {
        connection().enter();
        try {
            checkOpen();
            parameters.checkGiven();
            if (batched == batch.size()) {
                batch.add(new Tuple(parameters.count()));
            }
            Prepared.ValueTypes types = parameters.copyTo(batch.get(batched));
            if (types != null) {
                while (batchTypes.size() < batched) { // rows before the first with other types
                    batchTypes.add(parameters.usualTypes());
                }
                batchTypes.add(types);
            }
            batched++;
        } finally {
            connection().exit();
        }
    }

    @Override
    public void clearBatch() throws SQLException {
        connection().enter();
        try {
            checkOpen();
            batched = 0;
            batchTypes.clear();
            if (batch.size() > KEPT_ROWS_MAX) {
                batch.subList(KEPT_ROWS_MAX, batch.size()).clear();
            }
        } finally {
            connection().exit();
        }
    }

    /// Runs the batch as one statement: either all of it is done, or nothing.
    @Override
    public long[] executeLargeBatch() throws SQLException {
        connection().enter();
        try {
            begin();
            if (batched == 0) {
                return new long[0];
            }
            connection().results().detach();
            startDeadline();
            try {
                return prepared.batch(batch.subList(0, batched), batchTypes);
            } catch (RuntimeException e) {
                throw batchFailure(failure(e), new long[0]);
            } finally {
                finished();
                clearBatch();
            }
        } finally {
            connection().exit();
        }
    }

    @Override
    void release() throws SQLException {
        if (!connection().isClosed()) {
            release(prepared);
        }
    }

    @Override
    public @Nullable ResultSetMetaData getMetaData() throws SQLException {
        connection().enter();
        try {
            checkOpen();
            return prepared.isQuery() ? new JdbcResultSetMetaData(columnsOf(prepared)) : null;
        } finally {
            connection().exit();
        }
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        connection().enter();
        try {
            checkOpen();
            return new JdbcParameterMetaData(List.copyOf(prepared.parameters()));
        } finally {
            connection().exit();
        }
    }

    @Override
    public void clearParameters() throws SQLException {
        checkOpen();
        parameters.clear();
    }

    @Override
    public void setNull(int parameter, int type) throws SQLException {
        checkOpen();
        parameters.setNull(parameter, type);
    }

    @Override
    public void setNull(int parameter, int type, @Nullable String typeName) throws SQLException {
        setNull(parameter, type);
    }

    @Override
    public void setBoolean(int parameter, boolean value) throws SQLException {
        checkOpen();
        parameters.setBoolean(parameter, value);
    }

    @Override
    public void setByte(int parameter, byte value) throws SQLException {
        setShort(parameter, value);
    }

    @Override
    public void setShort(int parameter, short value) throws SQLException {
        checkOpen();
        parameters.setLong(parameter, value, ValueType.SMALLINT);
    }

    @Override
    public void setInt(int parameter, int value) throws SQLException {
        checkOpen();
        parameters.setLong(parameter, value, ValueType.INTEGER);
    }

    @Override
    public void setLong(int parameter, long value) throws SQLException {
        checkOpen();
        parameters.setLong(parameter, value);
    }

    @Override
    public void setFloat(int parameter, float value) throws SQLException {
        checkOpen();
        parameters.setFloat(parameter, value);
    }

    @Override
    public void setDouble(int parameter, double value) throws SQLException {
        checkOpen();
        parameters.setDouble(parameter, value);
    }

    @Override
    public void setBigDecimal(int parameter, @Nullable BigDecimal value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setString(int parameter, @Nullable String value) throws SQLException {
        checkOpen();
        if (value == null) {
            parameters.setNull(parameter, Types.VARCHAR);
        } else {
            parameters.setText(parameter, value);
        }
    }

    /// The array is not copied: it must not change before the statement has run.
    @Override
    public void setArray(int parameter, @Nullable Array value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setBytes(int parameter, byte @Nullable [] value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setDate(int parameter, @Nullable Date value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setTime(int parameter, @Nullable Time value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setTimestamp(int parameter, @Nullable Timestamp value) throws SQLException {
        setObject(parameter, value);
    }

    @Override
    public void setDate(int parameter, @Nullable Date value, @Nullable Calendar calendar)
            throws SQLException {
        checkOpen();
        if (value == null) {
            parameters.setNull(parameter);
        } else {
            JavaTime.setSqlDate(parameters, parameter, value, JdbcResultSet.zone(calendar));
        }
    }

    @Override
    public void setTime(int parameter, @Nullable Time value, @Nullable Calendar calendar)
            throws SQLException {
        checkOpen();
        if (value == null) {
            parameters.setNull(parameter);
        } else {
            JavaTime.setSqlTime(parameters, parameter, value, JdbcResultSet.zone(calendar));
        }
    }

    @Override
    public void setTimestamp(int parameter, @Nullable Timestamp value, @Nullable Calendar calendar)
            throws SQLException {
        checkOpen();
        if (value == null) {
            parameters.setNull(parameter);
        } else {
            JavaTime.setSqlTimestamp(parameters, parameter, value, JdbcResultSet.zone(calendar));
        }
    }

    @Override
    public void setObject(int parameter, @Nullable Object value) throws SQLException {
        checkOpen();
        switch (value) {
            case Blob blob -> setBlob(parameter, blob);
            case Clob clob -> setClob(parameter, clob);
            case InputStream stream -> setBinaryStream(parameter, stream);
            case Reader reader -> setCharacterStream(parameter, reader);
            case null, default -> parameters.setObject(parameter, value);
        }
    }

    /// Converts the value to `type`, then to the parameter's own type. A number keeps all its digits, which JDBC would
    /// cut to none.
    @Override
    public void setObject(int parameter, @Nullable Object value, int type) throws SQLException {
        checkOpen();
        setObject(parameter, TargetType.convert(connection(), parameter, value, type));
    }

    /// `scale` is the number of digits after the point of a DECIMAL or NUMERIC, and the length of a stream.
    @Override
    public void setObject(int parameter, @Nullable Object value, int type, int scale)
            throws SQLException {
        checkOpen();
        switch (value) {
            case InputStream stream -> {
                TargetType.check(type);
                setBinaryStream(parameter, stream, scale);
            }
            case Reader reader -> {
                TargetType.check(type);
                setCharacterStream(parameter, reader, scale);
            }
            case null, default ->
                    setObject(
                            parameter,
                            TargetType.convert(connection(), parameter, value, type, scale));
        }
    }

    @Override
    public void setObject(int parameter, @Nullable Object value, SQLType type) throws SQLException {
        setObject(parameter, value, TargetType.codeOf(type));
    }

    @Override
    public void setObject(int parameter, @Nullable Object value, SQLType type, int scale)
            throws SQLException {
        setObject(parameter, value, TargetType.codeOf(type), scale);
    }
}
