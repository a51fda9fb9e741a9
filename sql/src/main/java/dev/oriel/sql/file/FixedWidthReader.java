package dev.oriel.sql.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/// Reads records with fields of fixed width in characters (code points). A short record is padded with blanks.
/// Empty lines at the end, as editors leave them, are no records.
final class FixedWidthReader implements RecordReader {
    private static final int END = -1;

    private final Reader in;
    private final int[] widths;
    private final @Nullable String delimiter;
    private final boolean trims;
    private final char[] record;
    private final int total;
    private int length;

    /// Number of characters in `record`; a character may take two chars.
    private int characters;

    private long line;
    private long nextLine = 1;

    /// Empty lines read ahead, each a record of its own before the next line.
    private long emptyLines;

    /// @param delimiter ends records; null for any line end, empty if records have no delimiter
    /// @param trims whether blanks around a value are ignored, and a value of blanks is NULL
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
        this.record = new char[2 * total];
    }

    @Override
    public boolean next() throws IOException {
        length = 0;
        characters = 0;
        line = nextLine;
        if (emptyLines > 0) {
            emptyLines--;
            nextLine++;
            return true;
        }
        while (true) {
            int c = in.read();
            if (c == END) {
                return length > 0;
            }
            boolean packed = delimiter != null && delimiter.isEmpty();
            if (!packed && ends(c)) {
                nextLine++;
                return length > 0 || delimiter != null || moreFollows();
            }
            boolean second = Character.isLowSurrogate((char) c);
            if (characters == total && !second) {
                throw new FileFormatException(
                        "The record is longer than "
                                + total
                                + " characters, the sum of its field widths");
            }
            record[length++] = (char) c;
            characters += second ? 0 : 1;
            if (packed && characters == total && !Character.isHighSurrogate((char) c)) {
                nextLine++;
                return true;
            }
        }
    }

    /// Whether a record follows an empty line; skips and counts further empty lines.
    private boolean moreFollows() throws IOException {
        while (true) {
            in.mark(1);
            int c = in.read();
            if (c == END) {
                return false;
            }
            if (!ends(c)) {
                in.reset();
                return true;
            }
            emptyLines++;
        }
    }

    /// Whether the record ends at `c`; if so, reads the rest of the delimiter.
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
        int before = 0;
        for (int field = 0; field < i; field++) {
            before += widths[field];
        }
        int first = Math.min(characters, before);
        int last = Math.min(characters, before + widths[i]);
        int from = at(first, 0, 0);
        String there = new String(record, from, at(last, first, from) - from);
        return there + " ".repeat(widths[i] - (last - first));
    }

    /// Index of character `wanted`, given that character `known` begins at `from`.
    private int at(int wanted, int known, int from) {
        return characters == length
                ? wanted
                : Character.offsetByCodePoints(record, 0, length, from, wanted - known);
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
