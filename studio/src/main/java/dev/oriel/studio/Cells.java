package dev.oriel.studio;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;

/// Writes values of rows as JSON.
///
/// Integers up to 2^53 and floating-point numbers are JSON numbers; other numbers are text, so that no
/// digit is lost. Long text and bytes are cut: `{"cut": START, "length": CHARACTERS}` and
/// `{"hex": START, "bytes": LENGTH}`.
final class Cells {
    private static final long EXACT_MAX = 1L << 53;
    private static final int TEXT_MAX = 2_000;
    private static final int BYTES_MAX = 64;

    private Cells() {}

    /// Names and types of the columns of `rows`.
    static ArrayNode columns(ResultSetMetaData rows) throws SQLException {
        ArrayNode columns = JsonNodeFactory.instance.arrayNode();
        for (int i = 1; i <= rows.getColumnCount(); i++) {
            ObjectNode column = columns.addObject();
            column.put("name", rows.getColumnLabel(i));
            column.put("type", rows.getColumnTypeName(i));
        }
        return columns;
    }

    /// Writes the current row as an array.
    static void row(ResultSet rows, int columns, JsonGenerator out)
            throws SQLException, IOException {
        row(rows, columns, false, out);
    }

    /// Writes the current row as an array.
    ///
    /// @param whole whether long text and bytes are written to their ends
    static void row(ResultSet rows, int columns, boolean whole, JsonGenerator out)
            throws SQLException, IOException {
        out.writeStartArray();
        ResultSetMetaData types = rows.getMetaData();
        for (int i = 1; i <= columns; i++) {
            cell(rows, i, types.getColumnType(i), whole, out);
        }
        out.writeEndArray();
    }

    private static void cell(ResultSet rows, int i, int type, boolean whole, JsonGenerator out)
            throws SQLException, IOException {
        switch (type) {
            case Types.BOOLEAN, Types.BIT -> {
                boolean value = rows.getBoolean(i);
                if (rows.wasNull()) {
                    out.writeNull();
                } else {
                    out.writeBoolean(value);
                }
            }
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
                    integer(rows.getLong(i), rows.wasNull(), out);
            case Types.REAL, Types.FLOAT, Types.DOUBLE ->
                    number(rows.getDouble(i), rows.wasNull(), rows.getString(i), out);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB ->
                    bytes(rows.getBytes(i), whole ? Integer.MAX_VALUE : BYTES_MAX, out);
            default -> text(rows.getString(i), whole ? Integer.MAX_VALUE : TEXT_MAX, out);
        }
    }

    private static void integer(long value, boolean isNull, JsonGenerator out) throws IOException {
        if (isNull) {
            out.writeNull();
        } else if (value > -EXACT_MAX && value < EXACT_MAX) {
            out.writeNumber(value);
        } else {
            out.writeString(Long.toString(value));
        }
    }

    private static void number(double value, boolean isNull, String text, JsonGenerator out)
            throws IOException {
        if (isNull) {
            out.writeNull();
        } else if (Double.isFinite(value)) {
            out.writeNumber(text); // REAL keeps its own digits
        } else {
            out.writeString(text);
        }
    }

    private static void text(String value, int most, JsonGenerator out) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value.length() <= most) {
            out.writeString(value);
        } else {
            int end = Character.isHighSurrogate(value.charAt(most - 1)) ? most - 1 : most;
            out.writeStartObject();
            out.writeStringField("cut", value.substring(0, end));
            out.writeNumberField("length", value.length());
            out.writeEndObject();
        }
    }

    private static void bytes(byte[] value, int most, JsonGenerator out) throws IOException {
        if (value == null) {
            out.writeNull();
        } else {
            out.writeStartObject();
            int shown = Math.min(value.length, most);
            out.writeStringField("hex", HexFormat.of().formatHex(value, 0, shown));
            out.writeNumberField("bytes", value.length);
            out.writeEndObject();
        }
    }
}
