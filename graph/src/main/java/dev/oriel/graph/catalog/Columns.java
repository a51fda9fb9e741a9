package dev.oriel.graph.catalog;

import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Layout of the properties of one table's elements. They are in columns of their own, or in the bag, a column of
/// bytes that holds one entry after the other:
///
/// ```
/// entry: varint key << 2 | numbered << 1 | meta, [varint number], value,
///        [varint count, count times: varint key, value]
/// ```
/// `numbered` entries follow the first one of a key. A value is encoded by [ValueCodec], with two exceptions.
/// [#IN_COLUMN] marks an entry that only carries the number and meta-properties of a value in a column. [#GONE]
/// marks a removed property, so that its number is not reused. If SQL has set the column to NULL, only the number
/// of its entry is kept.
public final class Columns {
    /// Marks a value that is in a column.
    static final int IN_COLUMN = 0xFF;

    /// Marks a removed property.
    static final int GONE = 0xFE;

    private static final int META = 1;
    private static final int NUMBERED = 2;

    private static final long MICROS_A_MILLI = 1_000;

    private final int bag;
    private final int count;

    /// Column of the row's expiry, or -1.
    private final int expiry;

    private final PropertyKey[] keys;
    private final int[] positions;

    /// Column by number of a property key, or -1.
    private final int[] byKey;

    /// The columns of a label's table.
    ///
    /// @param bag the column of the bag; later columns hold properties
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

    /// Number of columns in a row.
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

    /// The expiry of the element in microseconds since 1970; `Long.MAX_VALUE` if it does not expire.
    public long expiry(Row row) {
        return expiry < 0 || row.isNull(expiry) ? Long.MAX_VALUE : row.longAt(expiry);
    }

    /// Sets the expiry of a new element in `row`, if its label has a ttl.
    public void expire(Tuple row, LabelRules rules, long nowMicros) {
        if (expiry >= 0) {
            row.setLong(expiry, nowMicros + rules.ttlMillis() * MICROS_A_MILLI);
        }
    }

    /// Makes the edge in `row` expire with the first of its ends.
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

    /// Copies the expiry of `old` to `row`.
    public void keepExpiry(Row old, Tuple row) {
        if (expiry >= 0) {
            row.copy(expiry, old, expiry, Type.Shape.LONG);
        }
    }

    /// The column of `key`, or -1 if its values are in the bag.
    public int of(PropertyKey key) {
        return key.number() < byKey.length ? byKey[key.number()] : -1;
    }

    /// The keys that have columns.
    public PropertyKey[] keys() {
        return keys;
    }

    /// Writes a value without a number and meta-properties into `row` or `bagBytes`.
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

    /// Writes all of `properties` into `row`.
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

    /// All properties of the element in `row`.
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
        return new Properties.Entry(
                key, "", number); // the meta-properties that follow are dropped with it
    }

    private static Object value(Bytes in) {
        Object value = ValueCodec.take(in);
        if (value == null) {
            throw Bytes.damaged();
        }
        return value;
    }

    /// The first value of `key`, or null if there is none. A value in a column is read without decoding the
    /// others.
    public @Nullable Object readOne(Row row, PropertyKey key, PropertyKeys numbers) {
        int column = of(key);
        if (column >= 0) {
            return columnType(key).take(row, column);
        }
        Properties.Entry entry = read(row, numbers).first(key);
        return entry == null ? null : entry.value();
    }
}
