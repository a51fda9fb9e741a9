package dev.oriel.sql.file;

import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.value.PlainText;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads records of delimited fields in a [DelimitedForm]. Keeps one record and one buffer of the file in memory.
public final class DelimitedReader implements RecordReader {
    /// Longest record in characters; a longer one has an unclosed quote.
    private static final int RECORD_CHARS_MAX = 1 << 26;

    private static final int BUFFER_CHARS = 1 << 15;
    private static final int RECORD_CHARS = 1 << 10;
    private static final int END = -1;
    private static final int ASCII_MAX = 127;
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final DelimitedForm form;
    private final Reader in;
    private final char fieldFirst;
    private final char[] buffer = new char[BUFFER_CHARS];
    private int at;
    private int filled;
    private boolean ended;

    /// Fields of the record one after the other; `ends` has the end of each.
    private char[] record = new char[RECORD_CHARS];

    private int length;
    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private boolean[] nulls = new boolean[16];
    private int fields;
    private boolean inQuotes;

    /// The raw field as it stands in the file, if backslashes have changed it.
    private final StringBuilder raw = new StringBuilder();

    private boolean changed;

    /// Limit of the tables of special characters: `endsPlain` applies outside of quotes, `endsQuoted` within them.
    /// Characters from here on may be special if `farMeans`.
    private static final int NEAR = 128;

    private final boolean[] endsPlain = new boolean[NEAR];
    private final boolean[] endsQuoted = new boolean[NEAR];
    private boolean farMeans;

    private long line = 1;
    private long nextLine = 1;
    private boolean started;
    private boolean finished;

    /// Reads nothing yet, so no exception prevents its caller from closing it.
    public DelimitedReader(InputStream in, DelimitedForm form) {
        this.form = form;
        this.in =
                new InputStreamReader(
                        in,
                        form.charset()
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .onUnmappableCharacter(CodingErrorAction.REPORT));
        this.fieldFirst = form.fieldDelimiter().charAt(0);
        note();
    }

    private void note() {
        String ends = form.recordDelimiter();
        means(endsPlain, fieldFirst);
        means(endsPlain, form.quote());
        means(endsPlain, form.backslashes() ? '\\' : DelimitedForm.NONE);
        means(endsPlain, ends == null ? DelimitedForm.NONE : ends.charAt(0));
        means(endsQuoted, form.quote());
        means(endsQuoted, form.escape());
        for (boolean[] each : new boolean[][] {endsPlain, endsQuoted}) {
            means(each, '\n'); // lines are counted
            means(each, '\r');
        }
    }

    private void means(boolean[] ending, int character) {
        if (character >= NEAR) {
            farMeans = true;
        } else if (character != DelimitedForm.NONE) {
            ending[character] = true;
        }
    }

    @Override
    public boolean next() throws IOException {
        if (!started) {
            started = true;
            if (peek(0) == BYTE_ORDER_MARK) {
                at++;
            }
        }
        if (finished || peek(0) == END) {
            return false;
        }
        length = 0;
        fields = 0;
        line = nextLine;
        boolean more = true;
        while (more) {
            more = field();
        }
        if (changed && fields == 1 && "\\.".contentEquals(raw)) {
            finished = true; // the end-of-data mark of PostgreSQL
            return false;
        }
        return true;
    }

    /// Reads a field and its delimiter; returns whether another field follows.
    private boolean field() throws IOException {
        int start = length;
        boolean enclosed = false;
        inQuotes = false;
        changed = false;
        while (true) {
            plain(inQuotes ? endsQuoted : endsPlain);
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
                change(start);
                escaped();
            } else {
                append(c);
            }
        }
    }

    /// Takes the buffered characters up to the next special one.
    private void plain(boolean[] ending) {
        int most = Math.min(filled, at + RECORD_CHARS_MAX - length);
        int end = at;
        while (end < most && !(buffer[end] < NEAR ? ending[buffer[end]] : farMeans)) {
            end++;
        }
        if (end > at) {
            ensure(end - at);
            System.arraycopy(buffer, at, record, length, end - at);
            length += end - at;
            if (changed) {
                raw.append(buffer, at, end - at);
            }
            at = end;
        }
    }

    /// From here on the field differs from its raw text.
    private void change(int start) {
        if (!changed) {
            changed = true;
            raw.setLength(0);
            raw.append(record, start, length - start);
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
        if (length >= RECORD_CHARS_MAX) {
            throw new FileFormatException(
                    "A record is longer than "
                            + RECORD_CHARS_MAX
                            + " characters; perhaps a quote is not closed");
        }
        take(c);
        if (changed) {
            raw.append((char) c);
        }
        at++;
    }

    private void take(int c) {
        ensure(1);
        record[length++] = (char) c;
    }

    private void ensure(int more) {
        if (length + more > record.length) {
            record = Arrays.copyOf(record, Math.max(length + more, 2 * record.length));
        }
    }

    /// Reads the escape sequence after a backslash.
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
            int code = Integer.parseInt(number.substring(skipped), digits > 0 ? 8 : 16);
            if (code == 0 || code > ASCII_MAX) {
                throw new FileFormatException(
                        "\\" + number + " is not a character by itself: write the character");
            }
            take(code);
            at += skipped + count;
            return;
        }
        nextLine += c == '\n' ? 1 : 0;
        raw.append((char) c);
        take(
                switch (c) {
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'v' -> '\u000b';
                    default -> c;
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
        ends[fields] = length;
        quoted[fields] = enclosed;
        nulls[fields] = !enclosed && isNull(start);
        fields++;
        return more;
    }

    /// Whether the field from `start` on is the text for NULL.
    private boolean isNull(int start) {
        String text = form.nullText();
        if (changed) {
            return text.contentEquals(raw);
        }
        if (length - start != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (record[start + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Whether the record ends here; if so, moves past its end.
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
            boolean both = peek(1) == '\n'; // may move the buffer, and `at` with it
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
        int start = start(i);
        return new String(record, start, ends[i] - start);
    }

    private int start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    @Override
    public boolean plain(int i, Type type, Tuple out) {
        return !nulls[i] && PlainText.read(record, start(i), ends[i], type, out, i);
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
