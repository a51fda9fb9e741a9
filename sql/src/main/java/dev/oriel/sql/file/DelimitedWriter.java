package dev.oriel.sql.file;

import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes rows in a [DelimitedForm].
public final class DelimitedWriter {
    /// Byte order mark, which readers skip at the beginning of a file.
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final DelimitedForm form;
    private final Writer out;
    private final List<Type> types;
    private final boolean[] forced;
    private final Zone zone;
    private final String end;
    private final StringBuilder line = new StringBuilder();

    /// @param forced columns that are always written in quotes
    /// @param zone zone in which moments are written
    public DelimitedWriter(
            DelimitedForm form, Writer out, List<Type> types, boolean[] forced, Zone zone) {
        this.form = form;
        this.out = out;
        this.types = types;
        this.forced = forced;
        this.zone = zone;
        this.end = form.recordDelimiter() == null ? "\n" : form.recordDelimiter();
    }

    /// Writes a header record of the columns' names.
    public void header(List<String> names) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            line.append(i == 0 ? "" : form.fieldDelimiter());
            field(names.get(i), false);
        }
        end();
    }

    public void row(Row row) throws IOException {
        row(row, null);
    }

    /// Writes the fields at `positions` of `row`; null for all in their order.
    public void row(Row row, int @Nullable [] positions) throws IOException {
        for (int i = 0; i < types.size(); i++) {
            line.append(i == 0 ? "" : form.fieldDelimiter());
            int position = positions == null ? i : positions[i];
            String text = TextFormat.of(row, position, types.get(i), zone);
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
                || runsInto(text, form.fieldDelimiter())
                || runsInto(text, end)
                || text.equals("\\.")
                || text.indexOf(BYTE_ORDER_MARK) == 0;
    }

    /// Whether `text` contains a delimiter, or ends in the beginning of one.
    private static boolean runsInto(String text, String delimiter) {
        for (int length = delimiter.length() - 1; length > 0; length--) {
            if (text.endsWith(delimiter.substring(0, length))) {
                return true;
            }
        }
        return text.contains(delimiter);
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
