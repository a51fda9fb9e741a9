package dev.oriel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Text in memory as a [Clob]: a value that was read, or one to be set. Changing it changes no row. Positions
/// count the chars of Java, from 1. Belongs to one thread.
final class TextClob implements NClob {
    private @Nullable String text;

    TextClob(String text) {
        this.text = text;
    }

    private String value() throws SQLException {
        String value = text;
        if (value == null) {
            throw SqlStates.exception(SqlStates.CURSOR_STATE, "The Clob was freed");
        }
        return value;
    }

    @Override
    public long length() throws SQLException {
        return value().length();
    }

    @Override
    public String getSubString(long position, int length) throws SQLException {
        String value = value();
        int from = LongValues.index(position, value.length());
        LongValues.checkLength(length);
        return value.substring(from, (int) Math.min(value.length(), (long) from + length));
    }

    @Override
    public Reader getCharacterStream() throws SQLException {
        return new StringReader(value());
    }

    @Override
    public Reader getCharacterStream(long position, long length) throws SQLException {
        String value = value();
        int from = LongValues.index(position, value.length());
        if (length < 0 || length > value.length() - from) {
            throw LongValues.outside(position, value.length());
        }
        return new StringReader(value.substring(from, (int) (from + length)));
    }

    @Override
    public InputStream getAsciiStream() throws SQLException {
        return new ByteArrayInputStream(value().getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public long position(String pattern, long start) throws SQLException {
        String value = value();
        var _ = SqlStates.given(pattern, "pattern");
        int at = value.indexOf(pattern, LongValues.index(start, value.length()));
        return at < 0 ? -1 : at + 1L;
    }

    @Override
    public long position(Clob pattern, long start) throws SQLException {
        int length = LongValues.lengthOf(SqlStates.given(pattern, "pattern").length());
        return position(pattern.getSubString(1, length), start);
    }

    @Override
    public int setString(long position, String given) throws SQLException {
        return setString(position, given, 0, SqlStates.given(given, "text").length());
    }

    @Override
    public int setString(long position, String given, int offset, int length) throws SQLException {
        String value = value();
        int from = LongValues.index(position, value.length());
        LongValues.checkPart(offset, length, SqlStates.given(given, "text").length());
        int end = LongValues.lengthOf((long) from + length);
        StringBuilder changed = new StringBuilder(value);
        changed.replace(
                from, Math.min(value.length(), end), given.substring(offset, offset + length));
        text = changed.toString();
        return length;
    }

    /// The bytes written are in the value once the stream is closed.
    @Override
    public OutputStream setAsciiStream(long position) throws SQLException {
        LongValues.index(position, value().length());
        return new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
                put(position, toString(StandardCharsets.US_ASCII));
            }
        };
    }

    /// The text written is in the value once the writer is closed.
    @Override
    public Writer setCharacterStream(long position) throws SQLException {
        LongValues.index(position, value().length());
        return new StringWriter() {
            @Override
            public void close() throws IOException {
                put(position, toString());
            }
        };
    }

    private void put(long position, String given) throws IOException {
        try {
            setString(position, given);
        } catch (SQLException freed) {
            throw new IOException(freed);
        }
    }

    @Override
    public void truncate(long length) throws SQLException {
        String value = value();
        if (length < 0 || length > value.length()) {
            throw LongValues.outside(length, value.length());
        }
        text = value.substring(0, (int) length);
    }

    @Override
    public void free() {
        text = null;
    }
}
