package dev.oriel.table.model;

import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values as plain objects, with SQL's order written down a second time, without any bytes: what
/// the codecs and indexes are compared with.
public final class Values {
    private Values() {}

    /// A text that compares without case.
    public record Caseless(String text) {
        private int[] folded() {
            return text.codePoints()
                    .map(Character::toUpperCase)
                    .map(Character::toLowerCase)
                    .toArray();
        }
    }

    /// Order of two values of one shape, NULL last.
    public static final Comparator<@Nullable Object> ORDER =
            (a, b) -> {
                if (a == null || b == null) {
                    return Boolean.compare(a == null, b == null);
                }
                return switch (a) {
                    case Long left -> left.compareTo((Long) b);
                    case Double left -> Double.compare(left + 0.0, (Double) b + 0.0);
                    case BigDecimal left -> left.compareTo((BigDecimal) b);
                    case String left -> compareCodePoints(left, (String) b);
                    case Caseless left -> Arrays.compare(left.folded(), ((Caseless) b).folded());
                    case byte[] left -> Arrays.compareUnsigned(left, (byte[]) b);
                    default -> throw new AssertionError(a.getClass());
                };
            };

    private static int compareCodePoints(String a, String b) {
        return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    /// The type `name`; arrays are of integers.
    public static Type type(Type.Name name) {
        return switch (name) {
            case ARRAY -> Type.array(Type.of(Type.Name.INTEGER));
            case ENUM -> Type.of(EnumType.of("letter", List.of("a", "b", "c")).withId(1));
            case COMPOSITE ->
                    Type.of(
                            CompositeType.ofTypes(
                                            List.of(
                                                    Type.of(Type.Name.BIGINT),
                                                    Type.varchar(5),
                                                    new Type(Type.Name.DECIMAL, 9, 2)))
                                    .withId(2));
            default -> Type.of(name);
        };
    }

    /// A random value that a column of `type` accepts; sometimes NULL where it may be.
    public static @Nullable Object random(Gen gen, Type type, boolean nullable) {
        if (nullable && gen.chance(10)) {
            return null;
        }
        return switch (type.name()) {
            case BOOLEAN -> (long) gen.below(2);
            case TINYINT -> (long) (byte) gen.anyLong();
            case SMALLINT -> (long) (short) gen.anyLong();
            case INTEGER, DATE -> (long) gen.anyInt();
            case BIGINT, TIMESTAMP, TIMESTAMP_TZ -> gen.anyLong();
            case TIME -> gen.between(0, 86_399_999_999L);
            case TIME_TZ ->
                    ZonedTime.of(
                            gen.between(0, 86_399_999_999L), (int) gen.between(-64_800, 64_800));
            case ENUM -> {
                var labels = type.labels().labels();
                yield labels.get(gen.below(labels.size())).place();
            }
            case REAL -> (double) (float) gen.anyDouble();
            case DOUBLE -> gen.anyDouble();
            case DECIMAL -> decimal(gen, type);
            case CHAR, VARCHAR, CLOB -> gen.text(type.length() == 0 ? 60 : type.length());
            case VARCHAR_IGNORECASE -> new Caseless(gen.text(60));
            case BIT -> bits(gen, type.length() == 0 ? gen.below(20) : type.length());
            case VARBIT -> bits(gen, gen.below(type.length() == 0 ? 20 : type.length() + 1));
            case BINARY, VARBINARY, BLOB -> gen.bytes(type.length() == 0 ? 60 : type.length());
            case UUID -> {
                byte[] bytes = new byte[16];
                if (gen.chance(80)) {
                    gen.random().nextBytes(bytes);
                }
                yield bytes;
            }
            case COMPOSITE -> {
                CompositeType composite = type.composite();
                Tuple attributes = new Tuple(composite.size());
                for (int i = 0; i < composite.size(); i++) {
                    set(attributes, i, random(gen, composite.type(i), true));
                }
                yield CompositeValue.of(composite, attributes);
            }
            case ARRAY -> {
                Type element = java.util.Objects.requireNonNull(type.element());
                Tuple elements = new Tuple(gen.below(4));
                for (int i = 0; i < elements.columns(); i++) {
                    set(elements, i, random(gen, element, true));
                }
                yield ArrayValue.of(element, elements, elements.columns());
            }
            case INTERVAL -> new IntervalValue(gen.anyInt(), gen.anyInt(), gen.anyLong()).toBytes();
            case JSON -> new JsonBuilder().putString(gen.text(20)).toBytes();
        };
    }

    private static String bits(Gen gen, int count) {
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            bits.append(gen.chance(50) ? '1' : '0');
        }
        return bits.toString();
    }

    private static BigDecimal decimal(Gen gen, Type type) {
        if (gen.chance(3)) {
            return type.length() > 0
                    ? NonFinite.NAN
                    : gen.pick(
                            List.of(
                                    NonFinite.NAN,
                                    NonFinite.INFINITY,
                                    NonFinite.NEGATIVE_INFINITY));
        }
        if (type.length() > 0) {
            long most = (long) Math.pow(10, type.length()) - 1;
            long unscaled = gen.chance(50) ? gen.between(-3, 3) : gen.between(-most, most);
            return BigDecimal.valueOf(unscaled, type.scale());
        }
        byte[] noise = gen.bytes(30);
        BigInteger unscaled =
                noise.length == 0 || gen.chance(70)
                        ? BigInteger.valueOf(gen.anyLong())
                        : new BigInteger(noise);
        return new BigDecimal(unscaled, (int) gen.between(-40, 40));
    }

    /// Puts `value` into `column` of `tuple`.
    public static void set(Tuple tuple, int column, @Nullable Object value) {
        switch (value) {
            case null -> tuple.setNull(column);
            case Long number -> tuple.setLong(column, number);
            case Double number -> tuple.setDouble(column, number);
            case BigDecimal number -> tuple.setDecimal(column, number);
            case String text -> tuple.setText(column, text);
            case Caseless caseless -> tuple.setText(column, caseless.text());
            case byte[] bytes -> tuple.setBytes(column, bytes);
            default -> throw new AssertionError(value.getClass());
        }
    }

    /// A tuple of `values`.
    public static Tuple tuple(@Nullable Object... values) {
        Tuple tuple = new Tuple(values.length);
        for (int i = 0; i < values.length; i++) {
            set(tuple, i, values[i]);
        }
        return tuple;
    }

    /// The value at `column` of `row`.
    public static @Nullable Object get(Row row, int column, Type type) {
        if (row.isNull(column)) {
            return null;
        }
        return switch (type.shape()) {
            case LONG -> row.longAt(column);
            case DOUBLE -> row.doubleAt(column);
            case DECIMAL -> row.decimalAt(column);
            case TEXT -> row.textAt(column);
            case FOLDED -> new Caseless(String.valueOf(row.textAt(column)));
            case BYTES -> row.bytesAt(column);
        };
    }

    /// All values of `row`.
    public static @Nullable Object[] row(Row row, Table table) {
        @Nullable Object[] values = new Object[table.columns().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(row, i, table.columns().get(i).type());
        }
        return values;
    }

    /// Order of tuples over `columns`, of which the first `count` are compared.
    public static int compare(
            @Nullable Object[] a, @Nullable Object[] b, int[] columns, int count) {
        for (int i = 0; i < count; i++) {
            int order = ORDER.compare(a[columns[i]], b[columns[i]]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /// As above, with the orders of the first columns; the others are ascending.
    public static int compare(
            @Nullable Object[] a,
            @Nullable Object[] b,
            int[] columns,
            int count,
            List<KeyOrder> orders) {
        for (int i = 0; i < count; i++) {
            KeyOrder by = i < orders.size() ? orders.get(i) : KeyOrder.ASC;
            Object left = a[columns[i]];
            Object right = b[columns[i]];
            int order = ORDER.compare(left, right);
            boolean nulls = left == null || right == null;
            order = (nulls ? by.nullsFirst() : by.descending()) ? -order : order;
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
