package dev.oriel;

import java.io.InputStream;
import java.net.URL;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Refuses to scroll, and to read types that no column has.
@SuppressWarnings("deprecation") // the interface's own deprecated methods
abstract class ForwardResultSet extends ReadOnlyResultSet {

    private static SQLException scrolling() {
        return SqlStates.unsupported(
                "This result is read forwards, with next(); ask for TYPE_SCROLL_INSENSITIVE");
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
    public @Nullable Object getObject(int column, @Nullable Map<String, Class<?>> map)
            throws SQLException {
        checkTypes(map);
        return getObject(column);
    }

    /// A map is refused: there are no named types.
    static void checkTypes(@Nullable Map<String, Class<?>> map) throws SQLException {
        if (map != null && !map.isEmpty()) {
            throw SqlStates.unsupported(
                    "There are no named types to map; use getObject with a class");
        }
    }

    @Override
    public Ref getRef(int column) throws SQLException {
        throw SqlStates.unsupported("getRef is not supported yet");
    }

    @Override
    public @Nullable Object getObject(String label, @Nullable Map<String, Class<?>> map)
            throws SQLException {
        checkTypes(map);
        return getObject(label);
    }

    @Override
    public Ref getRef(String label) throws SQLException {
        throw SqlStates.unsupported("getRef is not supported yet");
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
    public SQLXML getSQLXML(int column) throws SQLException {
        throw SqlStates.unsupported("getSQLXML is not supported yet");
    }

    @Override
    public SQLXML getSQLXML(String label) throws SQLException {
        throw SqlStates.unsupported("getSQLXML is not supported yet");
    }
}
