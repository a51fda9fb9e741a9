package dev.oriel;

import java.io.InputStream;
import java.net.URL;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;

/// Methods that no prepared statement supports: another text, or values that no column holds.
@SuppressWarnings("deprecation") // setUnicodeStream
abstract class UnsupportedPreparedStatement extends JdbcStatement implements PreparedStatement {

    UnsupportedPreparedStatement(JdbcConnection connection) {
        super(connection);
    }

    private static SQLException anotherText() {
        return SqlStates.exception(
                "07005",
                "A prepared statement runs its own SQL; for another one prepare it, or use createStatement()");
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        throw anotherText();
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        throw anotherText();
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        throw anotherText();
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        throw anotherText();
    }

    @Override
    public int executeUpdate(String sql, int keys) throws SQLException {
        throw anotherText();
    }

    @Override
    public boolean execute(String sql, int keys) throws SQLException {
        throw anotherText();
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        throw anotherText();
    }

    @Override
    public long executeLargeUpdate(String sql, int keys) throws SQLException {
        throw anotherText();
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        throw anotherText();
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        throw anotherText();
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        throw anotherText();
    }

    @Override
    public void setUnicodeStream(int parameter, InputStream value, int length) throws SQLException {
        throw SqlStates.unsupported("setUnicodeStream is not supported yet");
    }

    @Override
    public void setRef(int parameter, Ref value) throws SQLException {
        throw SqlStates.unsupported("setRef is not supported yet");
    }

    @Override
    public void setURL(int parameter, URL value) throws SQLException {
        throw SqlStates.unsupported("setURL is not supported yet");
    }

    @Override
    public void setRowId(int parameter, RowId value) throws SQLException {
        throw SqlStates.unsupported("setRowId is not supported yet");
    }

    @Override
    public void setSQLXML(int parameter, SQLXML value) throws SQLException {
        throw SqlStates.unsupported("setSQLXML is not supported yet");
    }
}
