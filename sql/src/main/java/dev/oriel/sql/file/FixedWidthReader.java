package dev.oriel.sql.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/// Reads records whose fields have so many characters each. What a record is short of counts as blanks.
final class FixedWidthReader implements RecordReader {
    private static final int END = -1;

    private final Reader in;
    private final int[] widths;
    private final @Nullable String delimiter;
    private final boolean trims;
    private final char[] record;
    private final int total;
    private int length;
    private long line;
    private long nextLine = 1;

    /// @param delimiter ends records; null for any end of line, empty where they follow one another
    /// @param trims whether blanks around a value do not count, and nothing but blanks is NULL
    FixedWidthReader(
            InputStream in,
            Charset charset,
            int[] widths,
            @Nullable String delimiter,
            boolean trims) {
        this.in =
                new BufferedReader(
                        new InputStreamReader(
                                in,
                                charset.newDecoder()
                                        .onMalformedInput(CodingErrorAction.REPORT)
                                        .onUnmappableCharacter(CodingErrorAction.REPORT)),
                        1 << 15);
        this.widths = widths;
        this.delimiter = delimiter;
        this.trims = trims;
        int sum = 0;
        for (int width : widths) {
            sum += width;
        }
        this.total = sum;
        this.record = new char[total];
    }

    @Override
    public boolean next() throws IOException {
        length = 0;
        line = nextLine;
        while (true) {
            int c = in.read();
            if (c == END) {
                return length > 0;
            }
            boolean packed = delimiter != null && delimiter.isEmpty();
            if (!packed && ends(c)) {
                nextLine++;
                return true;
            }
            if (length == total) {
                throw new FileFormatException(
                        "The record does not end after its " + total + " characters");
            }
            record[length++] = (char) c;
            if (packed && length == total) {
                nextLine++;
                return true;
            }
        }
    }

    /// Whether the record ends at `c`; reads what else belongs to its end then.
    private boolean ends(int c) throws IOException {
        if (delimiter == null) {
            if (c == '\r') {
                in.mark(1);
                if (in.read() != '\n') {
                    in.reset();
                }
                return true;
            }
            return c == '\n';
        }
        if (c != delimiter.charAt(0)) {
            return false;
        }
        in.mark(delimiter.length());
        for (int i = 1; i < delimiter.length(); i++) {
            if (in.read() != delimiter.charAt(i)) {
                in.reset();
                return false;
            }
        }
        return true;
    }

    @Override
    public int fields() {
        return widths.length;
    }

    @Override
    public @Nullable String field(int i) {
        String text = text(i);
        if (!trims) {
            return text;
        }
        String trimmed = text.strip();
        return trimmed.isEmpty() ? null : trimmed;
    }

    @Override
    public String text(int i) {
        int from = 0;
        for (int before = 0; before < i; before++) {
            from += widths[before];
        }
        int end = Math.min(length, from + widths[i]);
        String there = from >= end ? "" : new String(record, from, end - from);
        return there + " ".repeat(widths[i] - there.length());
    }

    @Override
    public boolean quoted(int i) {
        return false;
    }

    @Override
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
