package dev.oriel.table.row;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import java.util.List;

/// Layout of a stored row. All numbers are little-endian:
///
/// ```
/// 0         2       4             slots        ends              payload
/// | columns | flags | null bitmap | fixed slots | end offsets ... | variable bytes ... |
/// ```
/// - `columns` (u16): number of columns the row was written with. Columns added since are read from a row that the
///   table keeps for this, or are NULL.
/// - `flags` (u16): bit 0, end offsets are u32 instead of u16; bit 1 is kept for a property bag after the payload;
///   a reader refuses unknown flags.
/// - Bitmap: bit `c & 7` of byte `c >> 3` is 1 if column `c` is NULL.
/// - Fixed slots, in the order of the columns: BOOLEAN and TINYINT 1 byte, SMALLINT 2, INTEGER, DATE and REAL 4,
///   BIGINT, DOUBLE, TIME and TIMESTAMPs 8, UUID 16 bytes. Zero if NULL.
/// - End offsets, one for each other column: the end of its bytes, counted from the payload's begin; they begin at
///   the end of the one before.
/// - Variable bytes: text as UTF-8, bytes as they are, DECIMAL as `DecimalBytes` says.
///
/// So the place of each fixed column depends on the definition alone, and that of each other one on two reads.
public final class RowLayout {
    public static final int HEADER_BYTES = 4;
    static final int WIDE = 1;
    static final int VARIABLE = -1;
    public static final int COLUMNS_MAX = 0xFFFF;

    /// The first four bytes of a row of this layout whose end offsets are narrow.
    final int header;

    /// Bytes of the slot by column; [#VARIABLE], or 0 if the row does not have the column.
    final int[] widths;

    /// Offset of the slot in the row by column, or its number among the variable columns.
    final int[] places;

    /// Offset of the end offsets in the row.
    final int ends;

    /// Number of columns with variable bytes.
    final int variables;

    /// Number of columns in a row of this layout.
    final int columns;

    /// @param stored number of columns of `all` in the row
    public RowLayout(List<Column> all, int stored) {
        this.columns = stored;
        this.header = stored;
        this.widths = new int[all.size()];
        this.places = new int[all.size()];
        int at = HEADER_BYTES + (stored + 7) / 8;
        int variable = 0;
        for (int i = 0; i < stored; i++) {
            int width = width(all.get(i).type().name());
            widths[i] = width;
            if (width == VARIABLE) {
                places[i] = variable++;
            } else {
                places[i] = at;
                at += width;
            }
        }
        this.ends = at;
        this.variables = variable;
    }

    /// Offset of the payload in the row.
    public int payload(boolean wide) {
        return ends + variables * (wide ? 4 : 2);
    }

    private static int width(Type.Name name) {
        return switch (name) {
            case BOOLEAN, TINYINT -> 1;
            case SMALLINT -> 2;
            case INTEGER, DATE, REAL -> 4;
            case BIGINT, DOUBLE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, ENUM -> 8;
            case UUID -> KeyCodec.UUID_BYTES;
            case DECIMAL,
                    CHAR,
                    VARCHAR,
                    VARCHAR_IGNORECASE,
                    CLOB,
                    BINARY,
                    VARBINARY,
                    BLOB,
                    JSON,
                    ARRAY,
                    INTERVAL,
                    COMPOSITE,
                    BIT,
                    VARBIT ->
                    VARIABLE;
        };
    }
}
