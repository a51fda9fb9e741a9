package dev.oriel.cli;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows of a result as text.
final class Cells {
    private final ResultSet rows;
    private final boolean[] binary;

    Cells(ResultSet rows, ResultSetMetaData shape) throws SQLException {
        this.rows = rows;
        this.binary = new boolean[shape.getColumnCount()];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = isBinary(shape.getColumnType(i + 1));
        }
    }

    /// Returns the columns of a result of this shape.
    static List<RowPrinter.Column> columns(ResultSetMetaData shape) throws SQLException {
        List<RowPrinter.Column> columns = new ArrayList<>();
        for (int i = 1; i <= shape.getColumnCount(); i++) {
            int type = shape.getColumnType(i);
            boolean json = type == Types.BOOLEAN || "JSON".equals(shape.getColumnTypeName(i));
            columns.add(new RowPrinter.Column(shape.getColumnLabel(i), isNumber(type), json));
        }
        return columns;
    }

    /// Reads the current row. Bytes are shown in SQL's notation: `X'0aff'`.
    List<@Nullable String> read() throws SQLException {
        List<@Nullable String> cells = new ArrayList<>(binary.length);
        for (int i = 0; i < binary.length; i++) {
            cells.add(binary[i] ? bytes(rows.getBytes(i + 1)) : rows.getString(i + 1));
        }
        return cells;
    }

    private static @Nullable String bytes(byte @Nullable [] bytes) {
        return bytes == null ? null : "X'" + HexFormat.of().formatHex(bytes) + "'";
    }

    private static boolean isNumber(int type) {
        return switch (type) {
            case Types.TINYINT,
                    Types.SMALLINT,
                    Types.INTEGER,
                    Types.BIGINT,
                    Types.DECIMAL,
                    Types.NUMERIC,
                    Types.REAL,
                    Types.FLOAT,
                    Types.DOUBLE ->
                    true;
            default -> false;
        };
    }

    private static boolean isBinary(int type) {
        return switch (type) {
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
            default -> false;
        };
    }
}
