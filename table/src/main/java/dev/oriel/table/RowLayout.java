package dev.oriel.table;

import java.util.List;

/// Where the columns of a stored row lie. A row is, all numbers little-endian:
///
/// ```
/// 0         2       4             slots        ends              payload
/// | columns | flags | null bitmap | fixed slots | end offsets ... | variable bytes ... |
/// ```
/// - `columns` (u16): how many columns the row was written with. A table may have got more since:
///   those are read from a row that the table keeps for it, or are NULL. `flags` (u16): bit 0, end offsets are u32 instead of u16; bit 1 is kept for a
///   property bag behind the payload; a reader refuses flags that it does not know.
/// - Bitmap: bit `c & 7` of byte `c >> 3` is 1 where column `c` is NULL.
/// - Fixed slots, in the order of the columns: BOOLEAN and TINYINT 1 byte, SMALLINT 2, INTEGER,
///   DATE and REAL 4, BIGINT, DOUBLE, TIME and TIMESTAMPs 8, UUID 16 bytes. Zero where NULL.
/// - End offsets, one for each other column: where its bytes end, counted from the payload's
///   begin; they begin where those of the one before it end.
/// - Variable bytes: text as UTF-8, bytes as they are, DECIMAL as [DecimalBytes] says.
///
/// So the place of each fixed column depends on the definition alone, and that of each other one on
/// two reads.
final class RowLayout {
    static final int HEADER_BYTES = 4;
    static final int WIDE = 1;
    static final int VARIABLE = -1;
    static final int COLUMNS_MAX = 0xFFFF;

    /// The first four bytes of a row of this layout whose end offsets are narrow.
    final int header;

    /// By column: bytes of its slot, [#VARIABLE], or 0 where the row does not have the column.
    final int[] widths;

    /// By column: offset of its slot in the row, or its number among the variable ones.
    final int[] places;

    /// Offset of the end offsets in the row.
    final int ends;

    /// How many columns have variable bytes.
    final int variables;

    /// How many columns a row of this layout was written with.
    final int columns;

    /// @param stored how many of `all` the row was written with
    RowLayout(List<Column> all, int stored) {
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
    int payload(boolean wide) {
        return ends + variables * (wide ? 4 : 2);
    }

    private static int width(Type.Name name) {
        return switch (name) {
            case BOOLEAN, TINYINT -> 1;
            case SMALLINT -> 2;
            case INTEGER, DATE, REAL -> 4;
            case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMP_TZ, ENUM -> 8;
            case UUID -> KeyCodec.UUID_BYTES;
            case DECIMAL, CHAR, VARCHAR, CLOB, BINARY, VARBINARY, BLOB, JSON, ARRAY, INTERVAL ->
                    VARIABLE;
        };
    }
}
