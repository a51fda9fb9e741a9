package dev.oriel.table.statistics;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statistics as bytes: a value of the tree `sys.statistics`, whose keys are numbers of tables as `KeyCodec`
/// writes them. Numbers are little-endian.
///
/// ```
/// u8 version, u64 rows, u64 sampled, u32 form, u16 columns:
///     f64 share of NULL, f64 distinct values,
///     u16 common: bytes key, f64 share
///     u16 bounds: bytes key
/// bytes: u16 length
/// ```
final class StatisticsCodec {
    static final String TREE = "sys.statistics";

    private static final int VERSION = 1;

    private StatisticsCodec() {}

    static Slice encode(TableStatistics statistics) {
        NativeBuffer out = new NativeBuffer(1 << 12);
        out.putByte(VERSION);
        out.putLong(statistics.rows());
        out.putLong(statistics.sampled());
        out.putInt(statistics.form());
        out.putShort(statistics.columns().size());
        for (ColumnStatistics column : statistics.columns()) {
            out.putLong(Double.doubleToLongBits(column.nulls()));
            out.putLong(Double.doubleToLongBits(column.distinct()));
            out.putShort(column.common().size());
            for (ColumnStatistics.Common common : column.common()) {
                putKey(out, common.key());
                out.putLong(Double.doubleToLongBits(common.share()));
            }
            byte[][] bounds = column.bounds();
            out.putShort(bounds.length);
            for (byte[] bound : bounds) {
                putKey(out, bound);
            }
        }
        return out.slice(new Slice());
    }

    private static void putKey(NativeBuffer out, byte[] key) {
        out.putShort(key.length);
        out.putBytes(key);
    }

    /// The statistics of `table` in `value`; null if they are of other columns, or unknown in form: then they are
    /// computed again.
    static @Nullable TableStatistics decode(Table table, Slice value) {
        ByteBuffer in = ByteBuffer.wrap(value.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (in.get() != VERSION) {
                return null;
            }
            long rows = in.getLong();
            long sampled = in.getLong();
            int form = in.getInt();
            int count = in.getShort() & 0xFFFF;
            if (form != TableStatistics.form(table) || count != table.columns().size()) {
                return null;
            }
            List<ColumnStatistics> columns = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                columns.add(column(table.columns().get(i).type(), in));
            }
            return new TableStatistics(rows, rows, sampled, form, columns, true);
        } catch (BufferUnderflowException e) {
            return null;
        }
    }

    private static ColumnStatistics column(Type type, ByteBuffer in) {
        double nulls = in.getDouble();
        double distinct = in.getDouble();
        List<ColumnStatistics.Common> common = new ArrayList<>();
        for (int left = in.getShort() & 0xFFFF; left > 0; left--) {
            common.add(new ColumnStatistics.Common(key(in), in.getDouble()));
        }
        byte[][] bounds = new byte[in.getShort() & 0xFFFF][];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = key(in);
        }
        return new ColumnStatistics(type, nulls, distinct, common, bounds);
    }

    private static byte[] key(ByteBuffer in) {
        byte[] key = new byte[in.getShort() & 0xFFFF];
        in.get(key);
        return key;
    }
}
