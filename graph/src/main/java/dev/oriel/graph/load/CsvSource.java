package dev.oriel.graph.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads comma-separated values of RFC 4180 in UTF-8, record by record, without an object for each field: fields
/// are ranges of a buffer until they are read. Lines end with LF, CR or both; empty lines are skipped.
///
/// After a malformed record it continues on the line after the record's first line.
public final class CsvSource implements Closeable {
    private static final int FIRST_BYTES = 1 << 18;
    private static final int RECORD_BYTES_MAX = 16 << 20;
    private static final int END = -1;

    private final InputStream in;
    private final byte delimiter;

    /// Flags by byte: whether it ends an unquoted field.
    private final boolean[] endsPlain = new boolean[256];

    private byte[] buffer = new byte[FIRST_BYTES];
    private int at;
    private int limit;
    private boolean ended;

    /// Start of the record; fields are relative to it.
    private int begin;

    private int count;
    private int[] starts = new int[16];
    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private boolean[] doubled = new boolean[16];

    private long line = 1;
    private long row;
    private long read;

    public CsvSource(InputStream in, char delimiter) throws IOException {
        this.in = in;
        this.delimiter = (byte) delimiter;
        for (char end : new char[] {delimiter, '\n', '\r', '"'}) {
            endsPlain[end] = true;
        }
        if (more() && limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB) {
            at = buffer[2] == (byte) 0xBF ? 3 : 0; // a byte order mark
        }
    }

    /// Moves to the next record; false at the end.
    ///
    /// @throws RejectedRow if it is malformed; the next call continues after it
    public boolean next() throws IOException, RejectedRow {
        skipEmptyLines();
        begin = at;
        row = line;
        count = 0;
        if (peek() == END) {
            return false;
        }
        while (true) {
            if (peek() == '"') {
                takeQuoted();
            } else {
                takePlain();
            }
            if (peek() != delimiter) {
                endLine();
                return true;
            }
            at++;
        }
    }

    private void skipEmptyLines() throws IOException {
        begin = at;
        while (true) {
            int next = peek();
            if (next != '\n' && next != '\r') {
                return;
            }
            endLine();
            begin = at;
        }
    }

    private int peek() throws IOException {
        return at < limit || more() ? buffer[at] : END;
    }

    /// Reads more input; the record stays in the buffer, but may move.
    private boolean more() throws IOException {
        if (ended) {
            return false;
        }
        if (begin > 0) {
            System.arraycopy(buffer, begin, buffer, 0, limit - begin);
            limit -= begin;
            at -= begin;
            begin = 0;
        }
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int taken = in.read(buffer, limit, buffer.length - limit);
        if (taken <= 0) {
            ended = true;
            return false;
        }
        limit += taken;
        read += taken;
        return true;
    }

    private void takePlain() throws IOException, RejectedRow {
        int start = at - begin;
        do {
            at = plainEnd(buffer, at, limit);
            checkLength();
        } while (at == limit && more());
        if (at < limit && buffer[at] == '"') {
            throw malformed("a quote stands inside a field that is not quoted");
        }
        field(start, at - begin, false, false);
    }

    /// The end of a run of bytes without a special meaning.
    private int plainEnd(byte[] bytes, int from, int to) {
        boolean[] ending = endsPlain;
        int i = from;
        while (i < to && !ending[bytes[i] & 0xFF]) {
            i++;
        }
        return i;
    }

    private void takeQuoted() throws IOException, RejectedRow {
        at++;
        int start = at - begin;
        boolean twice = false;
        while (true) {
            if (at >= limit && !more()) {
                throw malformed("a quoted field never ends");
            }
            byte b = buffer[at++];
            if (b == '"') {
                if (peek() != '"') {
                    break;
                }
                twice = true;
                at++;
            } else if (b == '\n') {
                line++;
            }
            checkLength();
        }
        field(start, at - 1 - begin, true, twice);
        int after = peek();
        if (after != delimiter && after != '\n' && after != '\r' && after != END) {
            throw malformed("text follows a closing quote");
        }
    }

    private void checkLength() throws IOException, RejectedRow {
        if (at - begin > RECORD_BYTES_MAX) {
            throw malformed("a row is longer than 16 MB; perhaps a quote is missing");
        }
    }

    private void field(int start, int end, boolean isQuoted, boolean isDoubled) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            quoted = Arrays.copyOf(quoted, 2 * count);
            doubled = Arrays.copyOf(doubled, 2 * count);
        }
        starts[count] = start;
        ends[count] = end;
        quoted[count] = isQuoted;
        doubled[count++] = isDoubled;
    }

    private void endLine() throws IOException {
        if (peek() == '\r') {
            at++;
        }
        if (peek() == '\n') {
            at++;
        }
        line++;
    }

    private RejectedRow malformed(String reason) throws IOException {
        at = begin;
        line = row;
        while (at < limit || more()) {
            if (buffer[at++] == '\n') {
                break;
            }
        }
        line++;
        count = 0;
        return new RejectedRow(reason);
    }

    /// The line in which the record begins, from 1.
    long row() {
        return row;
    }

    /// Number of bytes read from the file.
    long bytesRead() {
        return read;
    }

    /// Number of fields in the record.
    public int count() {
        return count;
    }

    /// The record as in the file, without the end of its line.
    String record() {
        int end = at;
        while (end > begin && (buffer[end - 1] == '\n' || buffer[end - 1] == '\r')) {
            end--;
        }
        return new String(buffer, begin, end - begin, StandardCharsets.UTF_8);
    }

    /// Whether the field is empty and unquoted. Two quotes are an empty text.
    boolean isAbsent(int field) {
        return starts[field] == ends[field] && !quoted[field];
    }

    /// The buffer with the fields' bytes; valid until the next record is read.
    byte[] buffer() {
        return buffer;
    }

    int start(int field) {
        return begin + starts[field];
    }

    int end(int field) {
        return begin + ends[field];
    }

    /// Whether the field's bytes are its text, without doubled quotes.
    boolean isVerbatim(int field) {
        return !doubled[field];
    }

    public String text(int field) throws RejectedRow {
        int from = start(field);
        int length = end(field) - from;
        boolean ascii = true;
        for (int i = from; i < from + length; i++) {
            ascii &= buffer[i] >= 0;
        }
        String text =
                ascii
                        ? new String(buffer, from, length, StandardCharsets.ISO_8859_1)
                        : decode(from, length);
        return doubled[field] ? text.replace("\"\"", "\"") : text;
    }

    private String decode(int from, int length) throws RejectedRow {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(buffer, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new RejectedRow("the text is not UTF-8");
        }
    }

    /// Whether the field is an integer of up to 18 digits in Java's format, so that text and number correspond one
    /// to one.
    boolean isWhole(int field) {
        int from = start(field);
        int end = end(field);
        boolean negative = from < end && buffer[from] == '-';
        int first = negative ? from + 1 : from;
        int digits = end - first;
        if (digits < 1 || digits > 18 || hasOthers(first, end)) {
            return false;
        }
        return buffer[first] != '0' || (digits == 1 && !negative);
    }

    private boolean hasOthers(int from, int end) {
        for (int i = from; i < end; i++) {
            if (buffer[i] < '0' || buffer[i] > '9') {
                return true;
            }
        }
        return false;
    }

    /// The number of a field for which [#isWhole] is true.
    long whole(int field) {
        int from = start(field);
        boolean negative = buffer[from] == '-';
        long value = 0;
        for (int i = negative ? from + 1 : from; i < end(field); i++) {
            value = 10 * value + (buffer[i] - '0');
        }
        return negative ? -value : value;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
