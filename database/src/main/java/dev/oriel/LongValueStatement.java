package dev.oriel;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Parameters given as streams: they are read whole, and set as a text or as bytes.
abstract class LongValueStatement extends UnsupportedPreparedStatement {
    private static final long WHOLE = -1;

    LongValueStatement(JdbcConnection connection) {
        super(connection);
    }

    private void setBytesOf(int parameter, @Nullable InputStream stream, long length)
            throws SQLException {
        if (stream == null) {
            setObject(parameter, null);
            return;
        }
        try {
            byte[] bytes =
                    length == WHOLE ? stream.readAllBytes() : stream.readNBytes(lengthOf(length));
            checkLength(length, bytes.length);
            setBytes(parameter, bytes);
        } catch (IOException e) {
            throw unreadable(parameter, e);
        }
    }

    private void setTextOf(int parameter, @Nullable Reader reader, long length)
            throws SQLException {
        if (reader == null) {
            setObject(parameter, null);
            return;
        }
        try {
            Writer text = new StringWriter();
            if (length == WHOLE) {
                reader.transferTo(text);
            } else {
                copy(reader, text, lengthOf(length));
            }
            String value = text.toString();
            checkLength(length, value.length());
            setString(parameter, value);
        } catch (IOException e) {
            throw unreadable(parameter, e);
        }
    }

    private static void copy(Reader reader, Writer text, int length) throws IOException {
        char[] buffer = new char[Math.min(length, 8192)];
        int left = length;
        while (left > 0) {
            int count = reader.read(buffer, 0, Math.min(left, buffer.length));
            if (count < 0) {
                return;
            }
            text.write(buffer, 0, count);
            left -= count;
        }
    }

    private void setAscii(int parameter, @Nullable InputStream stream, long length)
            throws SQLException {
        if (stream == null) {
            setObject(parameter, null);
            return;
        }
        try {
            byte[] bytes =
                    length == WHOLE ? stream.readAllBytes() : stream.readNBytes(lengthOf(length));
            checkLength(length, bytes.length);
            setString(parameter, new String(bytes, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw unreadable(parameter, e);
        }
    }

    private static int lengthOf(long length) throws SQLException {
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw Values.outOfRange(length, "the length of a value");
        }
        return (int) length;
    }

    private static void checkLength(long promised, long found) throws SQLException {
        if (promised != WHOLE && promised != found) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "The stream ended after " + found + " of " + promised);
        }
    }

    private static SQLException unreadable(int parameter, IOException cause) {
        return SqlStates.exception(
                SqlStates.INVALID_ARGUMENT,
                "The stream of parameter " + parameter + " cannot be read: " + cause,
                cause);
    }

    @Override
    public void setAsciiStream(int parameter, @Nullable InputStream stream, int length)
            throws SQLException {
        setAscii(parameter, stream, lengthOf(length));
    }

    @Override
    public void setBinaryStream(int parameter, @Nullable InputStream stream, int length)
            throws SQLException {
        setBytesOf(parameter, stream, lengthOf(length));
    }

    @Override
    public void setCharacterStream(int parameter, @Nullable Reader reader, int length)
            throws SQLException {
        setTextOf(parameter, reader, lengthOf(length));
    }

    @Override
    public void setAsciiStream(int parameter, @Nullable InputStream stream, long length)
            throws SQLException {
        setAscii(parameter, stream, lengthOf(length));
    }

    @Override
    public void setBinaryStream(int parameter, @Nullable InputStream stream, long length)
            throws SQLException {
        setBytesOf(parameter, stream, lengthOf(length));
    }

    @Override
    public void setCharacterStream(int parameter, @Nullable Reader reader, long length)
            throws SQLException {
        setTextOf(parameter, reader, lengthOf(length));
    }

    @Override
    public void setNCharacterStream(int parameter, @Nullable Reader reader, long length)
            throws SQLException {
        setTextOf(parameter, reader, lengthOf(length));
    }

    @Override
    public void setClob(int parameter, @Nullable Reader reader, long length) throws SQLException {
        setTextOf(parameter, reader, lengthOf(length));
    }

    @Override
    public void setNClob(int parameter, @Nullable Reader reader, long length) throws SQLException {
        setTextOf(parameter, reader, lengthOf(length));
    }

    @Override
    public void setBlob(int parameter, @Nullable InputStream stream, long length)
            throws SQLException {
        setBytesOf(parameter, stream, lengthOf(length));
    }

    @Override
    public void setAsciiStream(int parameter, @Nullable InputStream stream) throws SQLException {
        setAscii(parameter, stream, WHOLE);
    }

    @Override
    public void setBinaryStream(int parameter, @Nullable InputStream stream) throws SQLException {
        setBytesOf(parameter, stream, WHOLE);
    }

    @Override
    public void setBlob(int parameter, @Nullable InputStream stream) throws SQLException {
        setBytesOf(parameter, stream, WHOLE);
    }

    @Override
    public void setCharacterStream(int parameter, @Nullable Reader reader) throws SQLException {
        setTextOf(parameter, reader, WHOLE);
    }

    @Override
    public void setNCharacterStream(int parameter, @Nullable Reader reader) throws SQLException {
        setTextOf(parameter, reader, WHOLE);
    }

    @Override
    public void setClob(int parameter, @Nullable Reader reader) throws SQLException {
        setTextOf(parameter, reader, WHOLE);
    }

    @Override
    public void setNClob(int parameter, @Nullable Reader reader) throws SQLException {
        setTextOf(parameter, reader, WHOLE);
    }

    @Override
    public void setBlob(int parameter, @Nullable Blob blob) throws SQLException {
        setBytesOf(parameter, blob == null ? null : blob.getBinaryStream(), WHOLE);
    }

    @Override
    public void setClob(int parameter, @Nullable Clob clob) throws SQLException {
        setTextOf(parameter, clob == null ? null : clob.getCharacterStream(), WHOLE);
    }

    @Override
    public void setNClob(int parameter, @Nullable NClob clob) throws SQLException {
        setTextOf(parameter, clob == null ? null : clob.getCharacterStream(), WHOLE);
    }

    @Override
    public void setNString(int parameter, @Nullable String value) throws SQLException {
        setString(parameter, value);
    }
}
