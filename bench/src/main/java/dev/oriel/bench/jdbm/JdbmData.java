package dev.oriel.bench.jdbm;

import dev.oriel.bench.measure.Sums;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/// The records of a workload: record `index` has an id and a value, the same for all subjects.
///
/// Values are cut out of a pool of random bytes, so they do not compress, and begin with a hash of
/// the id, so no two are equal. To make one costs a copy.
public final class JdbmData {
    private static final int POOL_BYTES = 1 << 20;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final boolean inOrder;
    private final int valueBytes;
    private final long seed;
    private final byte[] pool;

    /// @param inOrder whether ids ascend with the index
    public JdbmData(boolean inOrder, int valueBytes, long seed) {
        this.inOrder = inOrder;
        this.valueBytes = valueBytes;
        this.seed = seed;
        this.pool = new byte[POOL_BYTES + valueBytes];
        new SplittableRandom(seed).nextBytes(pool);
    }

    /// A value to be filled.
    public byte[] newValue() {
        return new byte[valueBytes];
    }

    /// The id of a record: its index, or the index scattered over all longs.
    long id(long index) {
        return inOrder ? index : mix(index + 1);
    }

    /// Puts the value of the record `id` into `value`.
    public void fill(long id, byte[] value) {
        long hash = mix(id ^ seed);
        System.arraycopy(pool, (int) (hash & (POOL_BYTES - 1)), value, 0, valueBytes);
        LONGS.set(value, 0, hash);
    }

    /// Expected sum of a scan of the first `count` records.
    long scanSum(int count) {
        byte[] value = newValue();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long id = id(i);
            fill(id, value);
            sum += Sums.of(value, 0, valueBytes) ^ id;
        }
        return sum;
    }

    /// A bijection of longs in which neighbours lie far apart: the last step of SplitMix64 (Steele,
    /// Lea, Flood 2014).
    static long mix(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
