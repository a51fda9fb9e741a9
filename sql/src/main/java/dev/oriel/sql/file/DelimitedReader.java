package dev.oriel.sql.file;

import dev.oriel.sql.syntax.DelimitedForm;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads records of delimited fields, as [DelimitedForm] says. Of the file it keeps one record and one
/// buffer.
public final class DelimitedReader implements RecordReader {
    /// Longest record in characters: what is longer has lost a quote.
    private static final int RECORD_CHARS_MAX = 1 << 26;

    private static final int BUFFER_CHARS = 1 << 15;
    private static final int END = -1;
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final DelimitedForm form;
    private final Reader in;
    private final char fieldFirst;
    private final char[] buffer = new char[BUFFER_CHARS];
    private int at;
    private int filled;
    private boolean ended;

    /// Fields of the record one after the other, and where each ends.
    private final StringBuilder record = new StringBuilder();

    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private boolean[] nulls = new boolean[16];
    private int fields;
    private boolean inQuotes;

    /// The field as it stands in the file, where backslashes change it.
    private final StringBuilder raw = new StringBuilder();

    private long line = 1;
    private long nextLine = 1;
    private boolean finished;

    public DelimitedReader(InputStream in, DelimitedForm form) throws IOException {
        this.form = form;
        this.in =
                new InputStreamReader(
                        in,
                        form.charset()
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .onUnmappableCharacter(CodingErrorAction.REPORT));
        this.fieldFirst = form.fieldDelimiter().charAt(0);
        if (peek(0) == BYTE_ORDER_MARK) {
            at++;
        }
    }

    @Override
    public boolean next() throws IOException {
        if (finished || peek(0) == END) {
            return false;
        }
        record.setLength(0);
        fields = 0;
        line = nextLine;
        boolean more = true;
        while (more) {
            more = field();
        }
        if (form.backslashes() && fields == 1 && raw.toString().equals("\\.")) {
            finished = true; // as PostgreSQL marks the end of data
            return false;
        }
        return true;
    }

    /// Reads a field and what ends it; whether another one follows.
    private boolean field() throws IOException {
        int start = record.length();
        boolean enclosed = false;
        inQuotes = false;
        raw.setLength(0);
        while (true) {
            int c = peek(0);
            if (c == END) {
                if (inQuotes) {
                    throw new FileFormatException("A field in quotes is not closed");
                }
                return ended(start, enclosed, false);
            }
            if (inQuotes) {
                within(c);
            } else if (c == form.quote()) {
                inQuotes = true;
                enclosed = true;
                at++;
            } else if (c == fieldFirst && stands(form.fieldDelimiter())) {
                at += form.fieldDelimiter().length();
                return ended(start, enclosed, true);
            } else if (recordEnds(c)) {
                return ended(start, enclosed, false);
            } else if (c == '\\' && form.backslashes()) {
                escaped();
            } else {
                append(c);
            }
        }
    }

    private void within(int c) throws IOException {
        int next = c == form.escape() ? peek(1) : END;
        if (next != END && (next == form.escape() || next == form.quote())) {
            at++;
            append(next);
        } else if (c == form.quote()) {
            inQuotes = false;
            at++;
        } else {
            nextLine += c == '\n' || (c == '\r' && peek(1) != '\n') ? 1 : 0;
            append(c);
        }
    }

    private void append(int c) throws FileFormatException {
        if (record.length() >= RECORD_CHARS_MAX) {
            throw new FileFormatException(
                    "A record is longer than "
                            + RECORD_CHARS_MAX
                            + " characters; perhaps a quote is not closed");
        }
        record.append((char) c);
        if (form.backslashes()) {
            raw.append((char) c);
        }
        at++;
    }

    /// Reads what stands behind a backslash.
    private void escaped() throws IOException {
        at++;
        int c = peek(0);
        if (c == END) {
            throw new FileFormatException("The file ends in a backslash");
        }
        raw.append('\\');
        int digits = c >= '0' && c <= '7' ? digits(0, 8, 3) : 0;
        int hexadecimal = c == 'x' ? digits(1, 16, 2) : 0;
        if (digits > 0 || hexadecimal > 0) {
            int skipped = digits > 0 ? 0 : 1;
            int count = Math.max(digits, hexadecimal);
            StringBuilder number = new StringBuilder();
            for (int i = 0; i < skipped + count; i++) {
                number.append((char) peek(i));
            }
            raw.append(number);
            record.append((char) Integer.parseInt(number.substring(skipped), digits > 0 ? 8 : 16));
            at += skipped + count;
            return;
        }
        nextLine += c == '\n' ? 1 : 0;
        raw.append((char) c);
        record.append(
                switch (c) {
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'v' -> '\u000b';
                    default -> (char) c;
                });
        at++;
    }

    private int digits(int from, int radix, int most) throws IOException {
        int count = 0;
        while (count < most && Character.digit(peek(from + count), radix) >= 0) {
            count++;
        }
        return count;
    }

    private boolean ended(int start, boolean enclosed, boolean more) {
        if (fields == ends.length) {
            ends = Arrays.copyOf(ends, 2 * fields);
            quoted = Arrays.copyOf(quoted, 2 * fields);
            nulls = Arrays.copyOf(nulls, 2 * fields);
        }
        CharSequence written = form.backslashes() ? raw : record;
        int from = form.backslashes() ? 0 : start;
        ends[fields] = record.length();
        quoted[fields] = enclosed;
        nulls[fields] =
                !enclosed
                        && written.length() - from == form.nullText().length()
                        && form.nullText()
                                .contentEquals(written.subSequence(from, written.length()));
        fields++;
        return more;
    }

    /// Whether the record ends here; goes behind its end then.
    private boolean recordEnds(int c) throws IOException {
        String delimiter = form.recordDelimiter();
        if (delimiter != null) {
            if (c != delimiter.charAt(0) || !stands(delimiter)) {
                nextLine += c == '\n' ? 1 : 0;
                return false;
            }
            at += delimiter.length();
        } else if (c == '\n') {
            at++;
        } else if (c == '\r') {
            boolean both = peek(1) == '\n'; // which may move the buffer, and `at` with it
            at += both ? 2 : 1;
        } else {
            return false;
        }
        nextLine++;
        return true;
    }

    private boolean stands(String text) throws IOException {
        for (int i = 1; i < text.length(); i++) {
            if (peek(i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// The character `ahead` of this one, or [#END].
    private int peek(int ahead) throws IOException {
        if (at + ahead >= filled && !fill(ahead)) {
            return END;
        }
        return buffer[at + ahead];
    }

    private boolean fill(int ahead) throws IOException {
        if (at > 0) {
            System.arraycopy(buffer, at, buffer, 0, filled - at);
            filled -= at;
            at = 0;
        }
        while (!ended && filled <= ahead) {
            int read = in.read(buffer, filled, buffer.length - filled);
            if (read < 0) {
                ended = true;
            } else {
                filled += read;
            }
        }
        return filled > ahead;
    }

    @Override
    public int fields() {
        return fields;
    }

    @Override
    public @Nullable String field(int i) {
        return nulls[i] ? null : text(i);
    }

    @Override
    public String text(int i) {
        return record.substring(i == 0 ? 0 : ends[i - 1], ends[i]);
    }

    @Override
    public boolean quoted(int i) {
        return quoted[i];
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
