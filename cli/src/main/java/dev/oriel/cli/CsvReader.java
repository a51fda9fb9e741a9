package dev.oriel.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads comma-separated values (RFC 4180): fields may be quoted, and then hold commas, line ends and doubled
/// quotes. Lines end with LF, CR or both.
final class CsvReader implements Closeable {
    private static final int END = -1;

    /// Optional mark at the beginning of a file, which some programs write.
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final Reader in;
    private final StringBuilder field = new StringBuilder();

    /// Indexes of the quoted fields of the last record.
    private final BitSet quoted = new BitSet();

    private int next;
    private boolean started;
    private long line = 1;

    /// Creates a reader over `in`, which should be buffered.
    CsvReader(Reader in) {
        this.in = in;
    }

    /// Returns the next record, or null at the end.
    ///
    /// @throws IOException if the text is not CSV
    @Nullable List<String> read() throws IOException {
        if (!started) {
            advance();
            if (next == BYTE_ORDER_MARK) {
                advance();
            }
            started = true;
        }
        if (next == END) {
            return null;
        }
        List<String> fields = new ArrayList<>();
        quoted.clear();
        while (true) {
            quoted.set(fields.size(), next == '"');
            fields.add(next == '"' ? quoted() : plain());
            if (next != ',') {
                endLine();
                return fields;
            }
            advance();
        }
    }

    /// Whether field `field` of the last record was quoted: this distinguishes empty text from no value.
    boolean wasQuoted(int field) {
        return quoted.get(field);
    }

    private String plain() throws IOException {
        field.setLength(0);
        while (next != ',' && next != '\n' && next != '\r' && next != END) {
            if (next == '"') {
                throw malformed("a quote inside a field that is not quoted");
            }
            field.append((char) next);
            advance();
        }
        return field.toString();
    }

    private String quoted() throws IOException {
        field.setLength(0);
        long opened = line;
        advance();
        while (true) {
            if (next == END) {
                throw malformed("the quoted field that begins in line " + opened + " never ends");
            }
            if (next == '"') {
                advance();
                if (next != '"') {
                    break;
                }
            }
            if (next == '\n') {
                line++;
            }
            field.append((char) next);
            advance();
        }
        if (next != ',' && next != '\n' && next != '\r' && next != END) {
            throw malformed("text after a closing quote");
        }
        return field.toString();
    }

    private void endLine() throws IOException {
        if (next == '\r') {
            advance();
        }
        if (next == '\n') {
            advance();
        }
        line++;
    }

    private void advance() throws IOException {
        next = in.read();
    }

    private IOException malformed(String what) {
        return new IOException("CSV, line " + line + ": " + what);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
