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
import java.sql.Types;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A call. As `{? = call name(...)}` it is a function of one value, which is parameter 1; the given parameters
/// follow. As `{call name(...)}` it is a procedure, or a function whose rows are the result. Parameters that are OUT or
/// INOUT arguments of a procedure may be registered, and have its values then.
///
/// The returned value stays readable until the next execution, even after the end of the transaction.
@SuppressWarnings("deprecation") // getBigDecimal with a scale
final class JdbcCallableStatement extends NumberedCallStatement {
    private static final int RETURNED = 1;

    private final boolean returns;
    private final SortedSet<Integer> registered = new TreeSet<>();
    private @Nullable JdbcResultSet value;

    JdbcCallableStatement(JdbcConnection connection, Prepared prepared, CallText call) {
        super(connection, prepared, call.returns() ? RETURNED + 1 : RETURNED);
        this.returns = call.returns();
    }

    @Override
    public void registerOutParameter(int parameter, int type) throws SQLException {
        checkOpen();
        var _ = column(parameter);
        registered.add(parameter);
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

    /// The column of the returned row that has the value of `parameter`.
    private int column(int parameter) throws SQLException {
        int column = returns ? parameter : place(parameter) + 1;
        if (column == 0 || (returns && parameter != RETURNED)) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "Parameter "
                            + parameter
                            + " is not an OUT parameter; these are the result, parameter 1 of {? ="
                            + " call name(...)}, and the OUT and INOUT arguments of a procedure");
        }
        return column;
    }

    /// The position of `parameter` among the OUT and INOUT ones; -1 for others.
    private int place(int parameter) {
        List<Prepared.Output> outputs = ran().outputs();
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).parameter() == parameter - 1) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean execute() throws SQLException {
        connection().enter();
        try {
            value = null;
            if (!returns && registered.isEmpty()) {
                return super.execute();
            }
            for (int parameter : returns ? new TreeSet<Integer>() : registered) {
                if (!isGiven(parameter) && !ran().outputs().get(place(parameter)).in()) {
                    setNull(parameter, Types.NULL); // an OUT one takes no value
                }
            }
            if (registered.isEmpty()) {
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
            if (!returns && registered.isEmpty()) {
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
        return new JdbcParameterMetaData(List.copyOf(types), returns, ran().outputs());
    }

    /// The row of the returned values, one of which is that of `parameter`.
    private JdbcResultSet returned(int parameter) throws SQLException {
        checkOpen();
        var _ = column(parameter);
        return row();
    }

    private JdbcResultSet row() throws SQLException {
        checkOpen();
        JdbcResultSet row = value;
        if (row == null) {
            throw SqlStates.exception(
                    SqlStates.CURSOR_STATE, "The call has not been executed: nothing was returned");
        }
        return row;
    }

    @Override
    public boolean wasNull() throws SQLException {
        return row().wasNull();
    }

    @Override
    public @Nullable String getString(int parameter) throws SQLException {
        return returned(parameter).getString(column(parameter));
    }

    @Override
    public boolean getBoolean(int parameter) throws SQLException {
        return returned(parameter).getBoolean(column(parameter));
    }

    @Override
    public byte getByte(int parameter) throws SQLException {
        return returned(parameter).getByte(column(parameter));
    }

    @Override
    public short getShort(int parameter) throws SQLException {
        return returned(parameter).getShort(column(parameter));
    }

    @Override
    public int getInt(int parameter) throws SQLException {
        return returned(parameter).getInt(column(parameter));
    }

    @Override
    public long getLong(int parameter) throws SQLException {
        return returned(parameter).getLong(column(parameter));
    }

    @Override
    public float getFloat(int parameter) throws SQLException {
        return returned(parameter).getFloat(column(parameter));
    }

    @Override
    public double getDouble(int parameter) throws SQLException {
        return returned(parameter).getDouble(column(parameter));
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int parameter, int scale) throws SQLException {
        return returned(parameter).getBigDecimal(column(parameter), scale);
    }

    @Override
    public byte @Nullable [] getBytes(int parameter) throws SQLException {
        return returned(parameter).getBytes(column(parameter));
    }

    @Override
    public @Nullable Date getDate(int parameter) throws SQLException {
        return returned(parameter).getDate(column(parameter));
    }

    @Override
    public @Nullable Time getTime(int parameter) throws SQLException {
        return returned(parameter).getTime(column(parameter));
    }

    @Override
    public @Nullable Timestamp getTimestamp(int parameter) throws SQLException {
        return returned(parameter).getTimestamp(column(parameter));
    }

    @Override
    public @Nullable Object getObject(int parameter) throws SQLException {
        return returned(parameter).getObject(column(parameter));
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int parameter) throws SQLException {
        return returned(parameter).getBigDecimal(column(parameter));
    }

    @Override
    public @Nullable Object getObject(int parameter, Map<String, Class<?>> map)
            throws SQLException {
        return returned(parameter).getObject(column(parameter), map);
    }

    @Override
    public @Nullable Ref getRef(int parameter) throws SQLException {
        return returned(parameter).getRef(column(parameter));
    }

    @Override
    public @Nullable Blob getBlob(int parameter) throws SQLException {
        return returned(parameter).getBlob(column(parameter));
    }

    @Override
    public @Nullable Clob getClob(int parameter) throws SQLException {
        return returned(parameter).getClob(column(parameter));
    }

    @Override
    public @Nullable Array getArray(int parameter) throws SQLException {
        return returned(parameter).getArray(column(parameter));
    }

    @Override
    public @Nullable Date getDate(int parameter, @Nullable Calendar calendar) throws SQLException {
        return returned(parameter).getDate(column(parameter), calendar);
    }

    @Override
    public @Nullable Time getTime(int parameter, @Nullable Calendar calendar) throws SQLException {
        return returned(parameter).getTime(column(parameter), calendar);
    }

    @Override
    public @Nullable Timestamp getTimestamp(int parameter, @Nullable Calendar calendar)
            throws SQLException {
        return returned(parameter).getTimestamp(column(parameter), calendar);
    }

    @Override
    public @Nullable URL getURL(int parameter) throws SQLException {
        return returned(parameter).getURL(column(parameter));
    }

    @Override
    public @Nullable RowId getRowId(int parameter) throws SQLException {
        return returned(parameter).getRowId(column(parameter));
    }

    @Override
    public @Nullable NClob getNClob(int parameter) throws SQLException {
        return returned(parameter).getNClob(column(parameter));
    }

    @Override
    public @Nullable SQLXML getSQLXML(int parameter) throws SQLException {
        return returned(parameter).getSQLXML(column(parameter));
    }

    @Override
    public @Nullable String getNString(int parameter) throws SQLException {
        return returned(parameter).getNString(column(parameter));
    }

    @Override
    public @Nullable Reader getNCharacterStream(int parameter) throws SQLException {
        return returned(parameter).getNCharacterStream(column(parameter));
    }

    @Override
    public @Nullable Reader getCharacterStream(int parameter) throws SQLException {
        return returned(parameter).getCharacterStream(column(parameter));
    }

    @Override
    public <T> @Nullable T getObject(int parameter, Class<T> type) throws SQLException {
        return returned(parameter).getObject(column(parameter), type);
    }
}
