package dev.oriel.table.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Arrays and intervals come back as they were, and their bytes compare as they do.
class OrderedValuesTest {
    private static final Comparator<IntervalValue> LENGTH =
            Comparator.comparing(OrderedValuesTest::micros)
                    .thenComparingInt(IntervalValue::months)
                    .thenComparingInt(IntervalValue::days);

    private static BigInteger micros(IntervalValue value) {
        BigInteger days =
                BigInteger.valueOf(value.months())
                        .multiply(BigInteger.valueOf(30))
                        .add(BigInteger.valueOf(value.days()));
        return days.multiply(BigInteger.valueOf(86_400_000_000L))
                .add(BigInteger.valueOf(value.micros()));
    }

    @Test
    void intervalsCompareByLength() {
        Gen gen = new Gen(Seed.of("OrderedValuesTest.intervals", 31));
        List<IntervalValue> values = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            IntervalValue value =
                    gen.chance(50)
                            ? new IntervalValue(gen.anyInt(), gen.anyInt(), gen.anyLong())
                            : new IntervalValue(
                                    gen.below(3) - 1,
                                    30 * (gen.below(3) - 1),
                                    86_400_000_000L * (gen.below(3) - 1));
            values.add(value);
            assertEquals(value, IntervalValue.of(value.toBytes()));
        }
        for (IntervalValue a : values) {
            for (IntervalValue b : values) {
                assertEquals(
                        Integer.signum(LENGTH.compare(a, b)),
                        Integer.signum(Arrays.compareUnsigned(a.toBytes(), b.toBytes())),
                        a + " and " + b);
            }
        }
    }

    @Test
    void arraysCompareByTheirElements() {
        Gen gen = new Gen(Seed.of("OrderedValuesTest.arrays", 32));
        for (Type element :
                List.of(Type.of(Type.Name.BIGINT), Type.varchar(0), Type.of(Type.Name.DOUBLE))) {
            List<Tuple> arrays = new ArrayList<>();
            List<byte[]> encoded = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                Tuple tuple = new Tuple(gen.below(4));
                for (int at = 0; at < tuple.columns(); at++) {
                    Values.set(tuple, at, value(gen, element));
                }
                byte[] bytes = ArrayValue.of(element, tuple, tuple.columns());
                Tuple back = ArrayValue.elements(element, bytes);
                assertEquals(tuple.columns(), back.columns());
                assertArrayEquals(bytes, ArrayValue.of(element, back, back.columns()));
                arrays.add(tuple);
                encoded.add(bytes);
            }
            for (int i = 0; i < arrays.size(); i++) {
                for (int j = 0; j < arrays.size(); j++) {
                    assertEquals(
                            Integer.signum(compare(arrays.get(i), arrays.get(j), element)),
                            Integer.signum(Arrays.compareUnsigned(encoded.get(i), encoded.get(j))));
                }
            }
        }
    }

    private static @Nullable Object value(Gen gen, Type element) {
        if (gen.chance(20)) {
            return null;
        }
        return switch (element.shape()) {
            case LONG -> (long) gen.below(3) - 1;
            case DOUBLE -> (double) (gen.below(3) - 1) / 2;
            default -> gen.pick(List.of("", "a", "ab", "\u0000", "\u0001", "b"));
        };
    }

    private static int compare(Tuple a, Tuple b, Type element) {
        for (int i = 0; i < Math.min(a.columns(), b.columns()); i++) {
            if (a.isNull(i) || b.isNull(i)) {
                if (a.isNull(i) != b.isNull(i)) {
                    return a.isNull(i) ? 1 : -1;
                }
                continue;
            }
            int order =
                    switch (element.shape()) {
                        case LONG -> Long.compare(a.longAt(i), b.longAt(i));
                        case DOUBLE -> Double.compare(a.doubleAt(i), b.doubleAt(i));
                        default ->
                                String.valueOf(a.textAt(i)).compareTo(String.valueOf(b.textAt(i)));
                    };
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.columns(), b.columns());
    }
}
