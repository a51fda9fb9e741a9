package dev.oriel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes in memory as a [Blob]: a value that was read, or one to be set. Changing it changes no row. Positions
/// count from 1. Belongs to one thread.
final class BytesBlob implements Blob {
    private byte @Nullable [] bytes;

    BytesBlob(byte[] bytes) {
        this.bytes = bytes;
    }

    private byte[] value() throws SQLException {
        byte[] value = bytes;
        if (value == null) {
            throw SqlStates.exception(SqlStates.CURSOR_STATE, "The Blob was freed");
        }
        return value;
    }

    @Override
    public long length() throws SQLException {
        return value().length;
    }

    @Override
    public byte[] getBytes(long position, int length) throws SQLException {
        byte[] value = value();
        int from = LongValues.index(position, value.length);
        LongValues.checkLength(length);
        return Arrays.copyOfRange(value, from, from + Math.min(value.length - from, length));
    }

    @Override
    public InputStream getBinaryStream() throws SQLException {
        return new ByteArrayInputStream(value());
    }

    @Override
    public InputStream getBinaryStream(long position, long length) throws SQLException {
        byte[] value = value();
        int from = LongValues.index(position, value.length);
        if (length < 0 || length > value.length - from) {
            throw LongValues.outside(position, value.length);
        }
        return new ByteArrayInputStream(value, from, (int) length);
    }

    @Override
    public long position(byte[] pattern, long start) throws SQLException {
        byte[] value = value();
        var _ = SqlStates.given(pattern, "pattern");
        for (int at = LongValues.index(start, value.length);
                at <= value.length - pattern.length;
                at++) {
            if (Arrays.equals(value, at, at + pattern.length, pattern, 0, pattern.length)) {
                return at + 1L;
            }
        }
        return -1;
    }

    @Override
    public long position(Blob pattern, long start) throws SQLException {
        int length = LongValues.lengthOf(SqlStates.given(pattern, "pattern").length());
        return position(pattern.getBytes(1, length), start);
    }

    @Override
    public int setBytes(long position, byte[] given) throws SQLException {
        return setBytes(position, given, 0, SqlStates.given(given, "array of bytes").length);
    }

    @Override
    public int setBytes(long position, byte[] given, int offset, int length) throws SQLException {
        byte[] value = value();
        int from = LongValues.index(position, value.length);
        LongValues.checkPart(offset, length, SqlStates.given(given, "array of bytes").length);
        int end = LongValues.lengthOf((long) from + length);
        byte[] changed = Arrays.copyOf(value, Math.max(value.length, end));
        System.arraycopy(given, offset, changed, from, length);
        bytes = changed;
        return length;
    }

    /// The bytes written are in the value once the stream is closed.
    @Override
    public OutputStream setBinaryStream(long position) throws SQLException {
        LongValues.index(position, value().length);
        return new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
                try {
                    setBytes(position, toByteArray());
                } catch (SQLException freed) {
                    throw new IOException(freed);
                }
            }
        };
    }

    @Override
    public void truncate(long length) throws SQLException {
        byte[] value = value();
        if (length < 0 || length > value.length) {
            throw LongValues.outside(length, value.length);
        }
        bytes = Arrays.copyOf(value, (int) length);
    }

    @Override
    public void free() {
        bytes = null;
    }
}
