package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Type;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes rows as [DelimitedForm] says.
final class DelimitedWriter {
    /// Would be passed over at the beginning of a file.
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final DelimitedForm form;
    private final Writer out;
    private final List<Type> types;
    private final boolean[] forced;
    private final String end;
    private final StringBuilder line = new StringBuilder();

    /// @param forced which columns are written in quotes whatever they hold
    DelimitedWriter(DelimitedForm form, Writer out, List<Type> types, boolean[] forced) {
        this.form = form;
        this.out = out;
        this.types = types;
        this.forced = forced;
        this.end = form.recordDelimiter() == null ? "\n" : form.recordDelimiter();
    }

    /// Writes a record of the columns' names.
    void header(List<String> names) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            line.append(i == 0 ? "" : form.fieldDelimiter());
            field(names.get(i), false);
        }
        end();
    }

    void row(Row row) throws IOException {
        for (int i = 0; i < types.size(); i++) {
            line.append(i == 0 ? "" : form.fieldDelimiter());
            String text = text(row, i, types.get(i));
            if (text == null) {
                line.append(form.nullText());
            } else {
                field(text, forced[i]);
            }
        }
        end();
    }

    private void end() throws IOException {
        out.append(line).append(end);
        line.setLength(0);
    }

    /// A value as files have it; null where it is NULL.
    static @Nullable String text(Row row, int i, Type type) {
        if (row.isNull(i)) {
            return null;
        }
        return switch (type.shape()) {
            case LONG ->
                    type.name() == Type.Name.BOOLEAN
                            ? row.longAt(i) != 0 ? "t" : "f"
                            : TextFormat.ofLong(row.longAt(i), type);
            case DOUBLE -> TextFormat.ofDouble(row.doubleAt(i), type);
            case DECIMAL -> {
                BigDecimal decimal = row.decimalAt(i);
                yield decimal == null ? null : decimal.toPlainString();
            }
            case TEXT -> row.textAt(i);
            case BYTES -> {
                byte[] bytes = row.bytesAt(i);
                yield bytes == null ? null : TextFormat.ofBytes(bytes, type);
            }
        };
    }

    private void field(String text, boolean always) throws FileFormatException {
        if (form.backslashes()) {
            escaped(text);
        } else if (!always && !needsQuotes(text)) {
            line.append(text);
        } else if (form.quote() != DelimitedForm.NONE) {
            quoted(text);
        } else if (text.isEmpty()) {
            line.append(text);
        } else {
            throw new FileFormatException(
                    "A value holds a delimiter or an end of line, and there is no quote to put"
                            + " around it");
        }
    }

    private boolean needsQuotes(String text) {
        return text.equals(form.nullText())
                || (form.quote() >= 0 && text.indexOf(form.quote()) >= 0)
                || text.indexOf('\n') >= 0
                || text.indexOf('\r') >= 0
                || text.contains(form.fieldDelimiter())
                || text.contains(end)
                || text.equals("\\.")
                || text.indexOf(BYTE_ORDER_MARK) == 0;
    }

    private void quoted(String text) {
        char quote = (char) form.quote();
        line.append(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote || c == form.escape()) {
                line.append((char) form.escape());
            }
            line.append(c);
        }
        line.append(quote);
    }

    private void escaped(String text) {
        char delimiter = form.fieldDelimiter().charAt(0);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\b' -> line.append("\\b");
                case '\f' -> line.append("\\f");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                case '\u000b' -> line.append("\\v");
                default -> {
                    boolean meant = c == '\\' || c == delimiter || c == BYTE_ORDER_MARK;
                    line.append(meant ? "\\" : "").append(c);
                }
            }
        }
    }
}
