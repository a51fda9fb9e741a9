package dev.oriel.graph.catalog;

import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.table.Column;
import dev.oriel.table.Row;
import dev.oriel.table.Table;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Where the properties of the elements of one table are: in columns of their own, or in the bag, a
/// column of bytes that holds one entry after the other:
///
/// ```
/// entry: varint key << 2 | numbered << 1 | meta, [varint number], value,
///        [varint count, count times: varint key, value]
/// ```
/// `numbered` entries are those behind the first of one key. A value is as [ValueCodec] says, or
/// [#IN_COLUMN] where the entry is there for its number and its meta-properties alone, or [#GONE] where
/// it is there so that the number is not given again. Of an entry whose column SQL has made NULL the number
/// is left.
public final class Columns {
    /// Stands for a value that is in a column.
    static final int IN_COLUMN = 0xFF;

    /// Stands for a property that was removed.
    static final int GONE = 0xFE;

    private static final int META = 1;
    private static final int NUMBERED = 2;

    private static final long MICROS_A_MILLI = 1_000;

    private final int bag;
    private final int count;

    /// The column that says when the row expires, or -1.
    private final int expiry;

    private final PropertyKey[] keys;
    private final int[] positions;

    /// By number of a property key: its column, or -1.
    private final int[] byKey;

    /// The columns of a label's table.
    ///
    /// @param bag which column is the bag; those behind it are of properties
    /// @param known all property keys by name
    public Columns(Table table, int bag, Map<String, PropertyKey> known) {
        this.bag = bag;
        this.count = table.columns().size();
        this.expiry = table.column(Column.Role.EXPIRY);
        this.positions =
                IntStream.range(bag + 1, count).filter(column -> column != expiry).toArray();
        this.keys = new PropertyKey[positions.length];
        int highest = 0;
        for (int i = 0; i < keys.length; i++) {
            PropertyKey key = known.get(table.columns().get(positions[i]).name());
            if (key == null) {
                throw new IllegalStateException(
                        "The column %s of the table %s is of no property key"
                                .formatted(table.columns().get(positions[i]).name(), table.name()));
            }
            keys[i] = key;
            highest = Math.max(highest, key.number());
        }
        this.byKey = new int[highest + 1];
        Arrays.fill(byKey, -1);
        for (int i = 0; i < keys.length; i++) {
            byKey[keys[i].number()] = positions[i];
        }
    }

    /// How many columns a row has.
    public int count() {
        return count;
    }

    public int bag() {
        return bag;
    }

    /// Whether elements expire.
    public boolean expires() {
        return expiry >= 0;
    }

    /// The moment from which the element is not there, in microseconds since 1970.
    public long expiry(Row row) {
        return expiry < 0 || row.isNull(expiry) ? Long.MAX_VALUE : row.longAt(expiry);
    }

    /// Says when the element in `row` expires, where its label has it expire.
    public void expire(Tuple row, LabelRules rules, long nowMicros) {
        if (expiry >= 0) {
            row.setLong(expiry, nowMicros + rules.ttlMillis() * MICROS_A_MILLI);
        }
    }

    /// Lets the edge in `row` expire with the first of its ends.
    public void expireWith(Tuple row, long endMicros, String label) {
        if (endMicros == Long.MAX_VALUE) {
            return;
        }
        if (expiry < 0) {
            throw new IllegalArgumentException(
                    "Edges of %s lead to a vertex that expires: the label needs a ttl too"
                            .formatted(label));
        }
        row.setLong(expiry, Math.min(endMicros, expiry(row)));
    }

    /// Lets `row` expire when `old` does.
    public void keepExpiry(Row old, Tuple row) {
        if (expiry >= 0) {
            row.copy(expiry, old, expiry, Type.Shape.LONG);
        }
    }

    /// The column of `key`, or -1 where its values are in the bag.
    public int of(PropertyKey key) {
        return key.number() < byKey.length ? byKey[key.number()] : -1;
    }

    /// The keys that have columns.
    public PropertyKey[] keys() {
        return keys;
    }

    /// Puts a value that stands alone, without number or meta-properties, into `row` or `bagBytes`.
    public void put(PropertyKey key, Object value, Tuple row, Bytes bagBytes) {
        Object checked = key.checked(value);
        int column = of(key);
        if (column >= 0) {
            columnType(key).put(row, column, checked);
        } else {
            bagBytes.putVarint((long) key.number() << 2);
            ValueCodec.put(bagBytes, checked);
        }
    }

    /// The type of a key that has a column.
    public static DataType columnType(PropertyKey key) {
        DataType type = key.type();
        if (type == null) {
            throw new IllegalStateException("a column of the undeclared key " + key.name());
        }
        return type;
    }

    /// Puts all of `properties` into `row`.
    public void put(Properties properties, Tuple row, Bytes bagBytes) {
        bagBytes.clear();
        for (PropertyKey key : keys) {
            row.setNull(of(key));
        }
        for (Properties.Entry entry : properties.entries()) {
            int column = of(entry.key());
            boolean inColumn = column >= 0 && row.isNull(column);
            boolean simple = entry.number() == 0 && !entry.isMore();
            if (simple && (column < 0 || inColumn)) {
                put(entry.key(), entry.value(), row, bagBytes);
                continue;
            }
            putHead(entry.key().number(), entry.number(), entry.isMore(), bagBytes);
            if (inColumn) {
                columnType(entry.key()).put(row, column, entry.key().checked(entry.value()));
                bagBytes.put(IN_COLUMN);
            } else {
                ValueCodec.put(bagBytes, entry.key().checked(entry.value()));
            }
            putMeta(entry, bagBytes);
        }
        properties
                .given()
                .forEach((key, number) -> {
                    putHead(key, number, false, bagBytes);
                    bagBytes.put(GONE);
                });
        row.setBytes(bag, bagBytes.isEmpty() ? null : bagBytes.copy());
    }

    private static void putHead(int key, long number, boolean more, Bytes out) {
        int flags = (number > 0 ? NUMBERED : 0) | (more ? META : 0);
        out.putVarint((long) key << 2 | flags);
        if (number > 0) {
            out.putVarint(number);
        }
    }

    private static void putMeta(Properties.Entry entry, Bytes out) {
        if (entry.isMore()) {
            Object id = entry.id();
            out.putVarint(entry.meta().size() + (id == null ? 0 : 1));
            if (id != null) {
                out.putVarint(PropertyKeys.ID);
                ValueCodec.put(out, id);
            }
            entry.meta()
                    .forEach((key, value) -> {
                        out.putVarint(key.number());
                        ValueCodec.put(out, key.checked(value));
                    });
        }
    }

    /// All properties of the element whose row is `row`.
    ///
    /// @param numbers property keys by number
    public Properties read(Row row, PropertyKeys numbers) {
        Properties properties = new Properties();
        for (int i = 0; i < keys.length; i++) {
            Object value = columnType(keys[i]).take(row, positions[i]);
            if (value != null) {
                properties.add(keys[i], value, 0);
            }
        }
        byte[] bytes = row.bytesAt(bag);
        if (bytes != null) {
            readBag(Bytes.over(bytes), properties, numbers);
        }
        return properties;
    }

    private static void readBag(Bytes in, Properties properties, PropertyKeys numbers) {
        while (in.more()) {
            long head = in.takeVarint();
            PropertyKey key = numbers.byNumber((int) (head >>> 2));
            long number = (head & NUMBERED) != 0 ? in.takeVarint() : 0;
            Properties.Entry entry = takeEntry(in, properties, key, number);
            if ((head & META) != 0) {
                int metas = in.takeCount();
                for (int i = 0; i < metas; i++) {
                    int metaKey = (int) in.takeVarint();
                    if (metaKey == PropertyKeys.ID) {
                        entry.id(value(in));
                    } else {
                        entry.meta(numbers.byNumber(metaKey), value(in));
                    }
                }
            }
        }
    }

    private static Properties.Entry takeEntry(
            Bytes in, Properties properties, PropertyKey key, long number) {
        int kind = in.peek();
        if (kind != IN_COLUMN && kind != GONE) {
            return properties.add(key, value(in), number);
        }
        in.take();
        Properties.Entry entry = kind == IN_COLUMN ? properties.first(key) : null;
        if (entry != null) {
            entry.number(number);
            return entry;
        }
        properties.given(key, number);
        return new Properties.Entry(key, "", number); // what it had goes with it
    }

    private static Object value(Bytes in) {
        Object value = ValueCodec.take(in);
        if (value == null) {
            throw Bytes.damaged();
        }
        return value;
    }

    /// The one value of `key`, without a look at others; null where there is none. Of keys of which the
    /// element has several it is the first.
    public @Nullable Object readOne(Row row, PropertyKey key, PropertyKeys numbers) {
        int column = of(key);
        if (column >= 0) {
            return columnType(key).take(row, column);
        }
        Properties.Entry entry = read(row, numbers).first(key);
        return entry == null ? null : entry.value();
    }
}
