package dev.oriel.testkit;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/// Random values that find more bugs than evenly distributed ones: edge cases, short and equal values, text from
/// all over Unicode. The same seed gives the same values.
///
/// ```java
/// Gen gen = new Gen(Seed.of("TupleTest", 7));
/// for (int i = 0; i < 10_000; i++) {
///     String text = gen.text(40);
///     ...
/// }
/// ```
///
/// Not thread-safe: give each thread its own, made of `random().split()`.
public final class Gen implements Chooser {
    private static final long[] EDGES = {
        0,
        1,
        -1,
        2,
        63,
        64,
        127,
        128,
        -128,
        -129,
        255,
        256,
        Short.MAX_VALUE,
        Short.MIN_VALUE,
        65_535,
        65_536,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 1,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 1,
        1L << 31,
        (1L << 32) - 1,
        1L << 32,
        (1L << 53) - 1,
        1L << 53,
        (1L << 53) + 1,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE + 1,
        Long.MIN_VALUE,
    };

    private static final double[] DOUBLE_EDGES = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        0x1p53,
        0x1p53 + 2,
        0x1p63,
        -0x1p63,
    };

    /// First and last code point of the ranges that text is made of, with their weights: few
    /// letters first, so that equal values and common prefixes are frequent. The last ranges
    /// matter to order: in UTF-16 the supplementary characters sort before U+E000, in UTF-8 after
    /// U+FFFF.
    private static final int[][] ALPHABETS = {
        {'a', 'b', 30},
        {'a', 'z', 20},
        {' ', '~', 15},
        {0x00, 0x1F, 3},
        {0x7F, 0xFF, 6},
        {0x300, 0x36F, 3},
        {0x391, 0x44F, 5},
        {0x5D0, 0x5EA, 3},
        {0x4E00, 0x9FFF, 5},
        {0xE000, 0xFFFF, 4},
        {0x1F300, 0x1F6FF, 4},
        {0x10000, 0x10FFFF, 2},
    };

    private static final int[] ALPHABET_WEIGHTS = weights(ALPHABETS);

    private final SplittableRandom random;

    /// Draws everything from `random`.
    public Gen(SplittableRandom random) {
        this.random = random;
    }

    /// The source of all decisions, for values without a method here.
    public SplittableRandom random() {
        return random;
    }

    /// One of 0 .. `bound - 1`, evenly.
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /// One of `least` .. `greatest`, both included, evenly.
    public long between(long least, long greatest) {
        if (greatest < Long.MAX_VALUE) {
            return random.nextLong(least, greatest + 1);
        }
        return least > Long.MIN_VALUE
                ? random.nextLong(least - 1, greatest) + 1
                : random.nextLong();
    }

    @Override
    public int choose(int alternatives) {
        return below(alternatives);
    }

    /// True in `percent` of a hundred calls.
    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /// Any int: often a small one or one at the edge of a type.
    public int anyInt() {
        return (int) anyLong(Integer.SIZE);
    }

    /// Any long: often a small one or one at the edge of a type.
    public long anyLong() {
        return anyLong(Long.SIZE);
    }

    /// Any double: often a whole number or an edge case, NaN and the infinities included.
    public double anyDouble() {
        return switch (random.nextInt(5)) {
            case 0 -> DOUBLE_EDGES[random.nextInt(DOUBLE_EDGES.length)];
            case 1 -> random.nextInt(-100, 101);
            case 2 -> anyLong();
            case 3 -> Double.longBitsToDouble(random.nextLong());
            default -> random.nextDouble() * Math.scalb(1.0, random.nextInt(-20, 21));
        };
    }

    /// A length of 0 .. `max`: mostly short, every magnitude possible, occasionally exactly `max`.
    public int length(int max) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(max);
        return switch (random.nextInt(16)) {
            case 0 -> 0;
            case 1 -> max;
            default -> {
                int reach = Math.min(max, (int) ((1L << random.nextInt(bits + 1)) - 1));
                yield random.nextInt(reach + 1);
            }
        };
    }

    /// Bytes, at most `max`: noise, or few different values, so that prefixes are shared.
    public byte[] bytes(int max) {
        byte[] bytes = new byte[length(max)];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        } else {
            byte[] values = {0, 1, 'a', (byte) 0xFE, (byte) 0xFF};
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = values[random.nextInt(values.length)];
            }
        }
        return bytes;
    }

    /// Text of at most `max` characters, from one alphabet or from all of them mixed: control
    /// characters, combining marks, right-to-left and supplementary ones included. Surrogates
    /// come in pairs.
    public String text(int max) {
        int length = length(max);
        StringBuilder text = new StringBuilder(length);
        int alphabet = chance(25) ? -1 : weighted(ALPHABET_WEIGHTS);
        while (text.length() < length) {
            int[] range = ALPHABETS[alphabet < 0 ? weighted(ALPHABET_WEIGHTS) : alphabet];
            int codePoint = random.nextInt(range[0], range[1] + 1);
            if (text.length() + Character.charCount(codePoint) > length) {
                codePoint = 'a';
            }
            text.appendCodePoint(codePoint);
        }
        return text.toString();
    }

    /// One of the elements, evenly.
    public <T> T pick(List<T> elements) {
        return elements.get(random.nextInt(elements.size()));
    }

    /// An index into `weights`, with a frequency in proportion to its weight.
    public int weighted(int... weights) {
        int sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        int left = random.nextInt(sum);
        int index = 0;
        while (left >= weights[index]) {
            left -= weights[index++];
        }
        return index;
    }

    /// Shuffles the elements.
    public void shuffle(List<?> elements) {
        Collections.shuffle(elements, Random.from(random));
    }

    private long anyLong(int bits) {
        long value =
                switch (random.nextInt(5)) {
                    case 0 -> EDGES[random.nextInt(EDGES.length)];
                    case 1 -> random.nextInt(-10, 11);
                    case 2 -> random.nextInt(1000);
                    // Every magnitude as likely as the next, of either sign.
                    case 3 -> random.nextLong() >> random.nextInt(Long.SIZE);
                    default -> random.nextLong();
                };
        return bits == Integer.SIZE && value != (int) value ? (int) (value >> Integer.SIZE) : value;
    }

    private static int[] weights(int[][] alphabets) {
        int[] weights = new int[alphabets.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = alphabets[i][2];
        }
        return weights;
    }
}
