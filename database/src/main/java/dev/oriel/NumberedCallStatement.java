package dev.oriel;

import dev.oriel.sql.Prepared;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Refuses parameter names, which functions do not have here.
abstract sealed class NumberedCallStatement extends JdbcPreparedStatement
        implements CallableStatement permits JdbcCallableStatement {

    NumberedCallStatement(JdbcConnection connection, Prepared prepared, int firstParameter) {
        super(connection, prepared, firstParameter);
    }

    private static SQLException byNumber(String name) {
        return SqlStates.unsupported(
                "Parameters of a call have numbers, not names, so there is no \"" + name + "\"");
    }

    @Override
    public void registerOutParameter(String name, int type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void registerOutParameter(String name, int type, int detail) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void registerOutParameter(String name, int type, String detail) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setObject(String name, @Nullable Object value, SQLType type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setObject(String name, @Nullable Object value, SQLType type, int scale)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void registerOutParameter(String name, SQLType type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, int scale) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, String typeName)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setURL(String name, @Nullable URL value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNull(String name, int value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBoolean(String name, boolean value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setByte(String name, byte value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setShort(String name, short value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setInt(String name, int value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setLong(String name, long value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setFloat(String name, float value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setDouble(String name, double value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBigDecimal(String name, @Nullable BigDecimal value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setString(String name, @Nullable String value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setDate(String name, @Nullable Date value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setTime(String name, @Nullable Time value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setTimestamp(String name, @Nullable Timestamp value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setAsciiStream(String name, @Nullable InputStream value, int other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBinaryStream(String name, @Nullable InputStream value, int other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setObject(String name, @Nullable Object value, int other, int more)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setObject(String name, @Nullable Object value, int other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setCharacterStream(String name, @Nullable Reader value, int other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setDate(String name, @Nullable Date value, Calendar other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setTime(String name, @Nullable Time value, Calendar other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setTimestamp(String name, @Nullable Timestamp value, Calendar other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNull(String name, int value, String other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public String getString(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public boolean getBoolean(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public byte getByte(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public short getShort(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public int getInt(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public long getLong(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public float getFloat(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public double getDouble(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public byte[] getBytes(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Date getDate(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Time getTime(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Timestamp getTimestamp(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Object getObject(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public BigDecimal getBigDecimal(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Object getObject(String name, Map<String, Class<?>> type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Ref getRef(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Blob getBlob(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Clob getClob(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Array getArray(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Date getDate(String name, Calendar type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Time getTime(String name, Calendar type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Timestamp getTimestamp(String name, Calendar type) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public URL getURL(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public RowId getRowId(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setRowId(String name, @Nullable RowId value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNString(String name, @Nullable String value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNCharacterStream(String name, @Nullable Reader value, long other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNClob(String name, @Nullable NClob value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setClob(String name, @Nullable Reader value, long other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBlob(String name, @Nullable InputStream value, long other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNClob(String name, @Nullable Reader value, long other) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public NClob getNClob(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setSQLXML(String name, @Nullable SQLXML value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public SQLXML getSQLXML(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public String getNString(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Reader getNCharacterStream(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public Reader getCharacterStream(String name) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBlob(String name, @Nullable Blob value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setClob(String name, @Nullable Clob value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setAsciiStream(String name, @Nullable InputStream value, long other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBinaryStream(String name, @Nullable InputStream value, long other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setCharacterStream(String name, @Nullable Reader value, long other)
            throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setAsciiStream(String name, @Nullable InputStream value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBinaryStream(String name, @Nullable InputStream value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setCharacterStream(String name, @Nullable Reader value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNCharacterStream(String name, @Nullable Reader value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setClob(String name, @Nullable Reader value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setBlob(String name, @Nullable InputStream value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public void setNClob(String name, @Nullable Reader value) throws SQLException {
        throw byNumber(name);
    }

    @Override
    public <T> T getObject(String name, Class<T> type) throws SQLException {
        throw byNumber(name);
    }
}
