package dev.oriel;

import java.io.InputStream;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Map;

/// Refuses to scroll, and to read what no column holds.
@SuppressWarnings("deprecation") // the interface's own deprecated methods
abstract class ForwardResultSet extends ReadOnlyResultSet {

    private static SQLException scrolling() {
        return SqlStates.unsupported(
                "Scrolling is not supported yet; results are read forwards, with next()");
    }

    @Override
    public void beforeFirst() throws SQLException {
        throw scrolling();
    }

    @Override
    public void afterLast() throws SQLException {
        throw scrolling();
    }

    @Override
    public boolean first() throws SQLException {
        throw scrolling();
    }

    @Override
    public boolean last() throws SQLException {
        throw scrolling();
    }

    @Override
    public boolean absolute(int rows) throws SQLException {
        throw scrolling();
    }

    @Override
    public boolean relative(int rows) throws SQLException {
        throw scrolling();
    }

    @Override
    public boolean previous() throws SQLException {
        throw scrolling();
    }

    @Override
    public InputStream getUnicodeStream(int column) throws SQLException {
        throw SqlStates.unsupported(
                "getUnicodeStream is not supported yet; use getCharacterStream");
    }

    @Override
    public InputStream getUnicodeStream(String label) throws SQLException {
        throw SqlStates.unsupported(
                "getUnicodeStream is not supported yet; use getCharacterStream");
    }

    @Override
    public String getCursorName() throws SQLException {
        throw SqlStates.unsupported("getCursorName is not supported yet");
    }

    @Override
    public Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
        throw SqlStates.unsupported(
                "A map of types is not supported yet; use getObject with a class");
    }

    @Override
    public Ref getRef(int column) throws SQLException {
        throw SqlStates.unsupported("getRef is not supported yet");
    }

    @Override
    public Blob getBlob(int column) throws SQLException {
        throw SqlStates.unsupported(
                "getBlob is not supported yet; use getBytes or getBinaryStream");
    }

    @Override
    public Clob getClob(int column) throws SQLException {
        throw SqlStates.unsupported(
                "getClob is not supported yet; use getString or getCharacterStream");
    }

    @Override
    public Object getObject(String label, Map<String, Class<?>> map) throws SQLException {
        throw SqlStates.unsupported(
                "A map of types is not supported yet; use getObject with a class");
    }

    @Override
    public Ref getRef(String label) throws SQLException {
        throw SqlStates.unsupported("getRef is not supported yet");
    }

    @Override
    public Blob getBlob(String label) throws SQLException {
        throw SqlStates.unsupported(
                "getBlob is not supported yet; use getBytes or getBinaryStream");
    }

    @Override
    public Clob getClob(String label) throws SQLException {
        throw SqlStates.unsupported(
                "getClob is not supported yet; use getString or getCharacterStream");
    }

    @Override
    public URL getURL(int column) throws SQLException {
        throw SqlStates.unsupported("getURL is not supported yet");
    }

    @Override
    public URL getURL(String label) throws SQLException {
        throw SqlStates.unsupported("getURL is not supported yet");
    }

    @Override
    public RowId getRowId(int column) throws SQLException {
        throw SqlStates.unsupported("getRowId is not supported yet");
    }

    @Override
    public RowId getRowId(String label) throws SQLException {
        throw SqlStates.unsupported("getRowId is not supported yet");
    }

    @Override
    public NClob getNClob(int column) throws SQLException {
        throw SqlStates.unsupported(
                "getNClob is not supported yet; use getString or getCharacterStream");
    }

    @Override
    public NClob getNClob(String label) throws SQLException {
        throw SqlStates.unsupported(
                "getNClob is not supported yet; use getString or getCharacterStream");
    }

    @Override
    public SQLXML getSQLXML(int column) throws SQLException {
        throw SqlStates.unsupported("getSQLXML is not supported yet");
    }

    @Override
    public SQLXML getSQLXML(String label) throws SQLException {
        throw SqlStates.unsupported("getSQLXML is not supported yet");
    }
}
