package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Type;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A call. As `{? = call name(...)}` it is a function of one value, which is parameter 1; the given parameters
/// follow. As `{call name(...)}` it is a procedure, or a function whose rows are the result.
///
/// The returned value stays readable until the next execution, even after the end of the transaction.
@SuppressWarnings("deprecation") // getBigDecimal with a scale
final class JdbcCallableStatement extends NumberedCallStatement {
    private static final int RETURNED = 1;
    private static final int COLUMN = 1;

    private final boolean returns;
    private boolean registered;
    private @Nullable JdbcResultSet value;

    JdbcCallableStatement(JdbcConnection connection, Prepared prepared, CallText call) {
        super(connection, prepared, call.returns() ? RETURNED + 1 : RETURNED);
        this.returns = call.returns();
    }

    @Override
    public void registerOutParameter(int parameter, int type) throws SQLException {
        checkOpen();
        checkReturned(parameter);
        registered = true;
    }

    /// A value has the type of its function, so `type` and `scale` are ignored.
    @Override
    public void registerOutParameter(int parameter, int type, int scale) throws SQLException {
        registerOutParameter(parameter, type);
    }

    @Override
    public void registerOutParameter(int parameter, int type, String typeName) throws SQLException {
        registerOutParameter(parameter, type);
    }

    @Override
    public void registerOutParameter(int parameter, SQLType type) throws SQLException {
        registerOutParameter(parameter, 0);
    }

    @Override
    public void registerOutParameter(int parameter, SQLType type, int scale) throws SQLException {
        registerOutParameter(parameter, 0);
    }

    @Override
    public void registerOutParameter(int parameter, SQLType type, String typeName)
            throws SQLException {
        registerOutParameter(parameter, 0);
    }

    private void checkReturned(int parameter) throws SQLException {
        if (!returns || parameter != RETURNED) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "Parameter "
                            + parameter
                            + " is not an OUT parameter; the only one is the result, parameter 1"
                            + " of {? = call name(...)}");
        }
    }

    @Override
    public boolean execute() throws SQLException {
        connection().enter();
        try {
            value = null;
            if (!returns) {
                return super.execute();
            }
            if (!registered) {
                throw SqlStates.exception(
                        SqlStates.PARAMETER_MISSING,
                        "Parameter 1 is the function's result: call registerOutParameter first");
            }
            try (JdbcResultSet row = (JdbcResultSet) executeQuery()) {
                if (row.next()) {
                    value = row.kept();
                }
            }
            begin(); // the result is in the parameter
            return false;
        } finally {
            connection().exit();
        }
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        connection().enter();
        try {
            if (!returns) {
                return super.executeLargeUpdate();
            }
            var _ = execute();
            return 0;
        } finally {
            connection().exit();
        }
    }

    /// The returned parameter, and the given ones.
    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        checkOpen();
        List<Type> types = new ArrayList<>();
        if (returns) {
            types.add(ran().columns().getFirst().type());
        }
        types.addAll(ran().parameters());
        return new JdbcParameterMetaData(List.copyOf(types), returns);
    }

    /// The row of the returned value.
    private JdbcResultSet returned(int parameter) throws SQLException {
        checkOpen();
        checkReturned(parameter);
        JdbcResultSet row = value;
        if (row == null) {
            throw SqlStates.exception(
                    SqlStates.CURSOR_STATE, "The call has not been executed: nothing was returned");
        }
        return row;
    }

    @Override
    public boolean wasNull() throws SQLException {
        return returned(RETURNED).wasNull();
    }

    @Override
    public @Nullable String getString(int parameter) throws SQLException {
        return returned(parameter).getString(COLUMN);
    }

    @Override
    public boolean getBoolean(int parameter) throws SQLException {
        return returned(parameter).getBoolean(COLUMN);
    }

    @Override
    public byte getByte(int parameter) throws SQLException {
        return returned(parameter).getByte(COLUMN);
    }

    @Override
    public short getShort(int parameter) throws SQLException {
        return returned(parameter).getShort(COLUMN);
    }

    @Override
    public int getInt(int parameter) throws SQLException {
        return returned(parameter).getInt(COLUMN);
    }

    @Override
    public long getLong(int parameter) throws SQLException {
        return returned(parameter).getLong(COLUMN);
    }

    @Override
    public float getFloat(int parameter) throws SQLException {
        return returned(parameter).getFloat(COLUMN);
    }

    @Override
    public double getDouble(int parameter) throws SQLException {
        return returned(parameter).getDouble(COLUMN);
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int parameter, int scale) throws SQLException {
        return returned(parameter).getBigDecimal(COLUMN, scale);
    }

    @Override
    public byte @Nullable [] getBytes(int parameter) throws SQLException {
        return returned(parameter).getBytes(COLUMN);
    }

    @Override
    public @Nullable Date getDate(int parameter) throws SQLException {
        return returned(parameter).getDate(COLUMN);
    }

    @Override
    public @Nullable Time getTime(int parameter) throws SQLException {
        return returned(parameter).getTime(COLUMN);
    }

    @Override
    public @Nullable Timestamp getTimestamp(int parameter) throws SQLException {
        return returned(parameter).getTimestamp(COLUMN);
    }

    @Override
    public @Nullable Object getObject(int parameter) throws SQLException {
        return returned(parameter).getObject(COLUMN);
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int parameter) throws SQLException {
        return returned(parameter).getBigDecimal(COLUMN);
    }

    @Override
    public @Nullable Object getObject(int parameter, Map<String, Class<?>> map)
            throws SQLException {
        return returned(parameter).getObject(COLUMN, map);
    }

    @Override
    public @Nullable Ref getRef(int parameter) throws SQLException {
        return returned(parameter).getRef(COLUMN);
    }

    @Override
    public @Nullable Blob getBlob(int parameter) throws SQLException {
        return returned(parameter).getBlob(COLUMN);
    }

    @Override
    public @Nullable Clob getClob(int parameter) throws SQLException {
        return returned(parameter).getClob(COLUMN);
    }

    @Override
    public @Nullable Array getArray(int parameter) throws SQLException {
        return returned(parameter).getArray(COLUMN);
    }

    @Override
    public @Nullable Date getDate(int parameter, @Nullable Calendar calendar) throws SQLException {
        return returned(parameter).getDate(COLUMN, calendar);
    }

    @Override
    public @Nullable Time getTime(int parameter, @Nullable Calendar calendar) throws SQLException {
        return returned(parameter).getTime(COLUMN, calendar);
    }

    @Override
    public @Nullable Timestamp getTimestamp(int parameter, @Nullable Calendar calendar)
            throws SQLException {
        return returned(parameter).getTimestamp(COLUMN, calendar);
    }

    @Override
    public @Nullable URL getURL(int parameter) throws SQLException {
        return returned(parameter).getURL(COLUMN);
    }

    @Override
    public @Nullable RowId getRowId(int parameter) throws SQLException {
        return returned(parameter).getRowId(COLUMN);
    }

    @Override
    public @Nullable NClob getNClob(int parameter) throws SQLException {
        return returned(parameter).getNClob(COLUMN);
    }

    @Override
    public @Nullable SQLXML getSQLXML(int parameter) throws SQLException {
        return returned(parameter).getSQLXML(COLUMN);
    }

    @Override
    public @Nullable String getNString(int parameter) throws SQLException {
        return returned(parameter).getNString(COLUMN);
    }

    @Override
    public @Nullable Reader getNCharacterStream(int parameter) throws SQLException {
        return returned(parameter).getNCharacterStream(COLUMN);
    }

    @Override
    public @Nullable Reader getCharacterStream(int parameter) throws SQLException {
        return returned(parameter).getCharacterStream(COLUMN);
    }

    @Override
    public <T> @Nullable T getObject(int parameter, Class<T> type) throws SQLException {
        return returned(parameter).getObject(COLUMN, type);
    }
}
