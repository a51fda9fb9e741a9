package dev.oriel.bench.couchbase;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// The keys and values in the requests: the same for all servers.
@SuppressWarnings("ArrayRecordComponent") // never changed
record KeyValueData(byte[][] keys, byte[][] values) {
    static final int KEYS = 10_000;
    static final int VALUE_BYTES = 100;

    static KeyValueData of(long seed) {
        return of(seed, VALUE_BYTES);
    }

    /// With values of another length.
    static KeyValueData of(long seed, int valueBytes) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[][] keys = new byte[KEYS][];
        byte[][] values = new byte[KEYS][];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "session:%012d".formatted(i).getBytes(StandardCharsets.US_ASCII);
            byte[] value = new byte[valueBytes];
            for (int j = 0; j < valueBytes; j++) {
                value[j] = (byte) ('a' + random.nextInt(26));
            }
            values[i] = value;
        }
        return new KeyValueData(keys, values);
    }

    /// Length of each value.
    int valueBytes() {
        return values[0].length;
    }

    /// The sum of a value's bytes, to recognize it.
    static int sum(byte[] bytes, int from, int length) {
        int sum = 0;
        for (int i = from; i < from + length; i++) {
            sum += bytes[i];
        }
        return sum;
    }
}
