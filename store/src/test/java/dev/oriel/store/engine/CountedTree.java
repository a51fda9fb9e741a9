package dev.oriel.store.engine;

import static java.util.Objects.requireNonNull;

import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A tree whose entries are a function of the number of commits to it: so its writer and its checker, in two
/// processes, need not communicate.
///
/// Commit `n` adds a few entries, removes the entries of commit `n - KEPT`, and writes `n` under [#COUNT]. Now and
/// then it adds ballast, which a later one takes away again, so that there are free pages and large records.
final class CountedTree {
    static final long COUNT = -1;
    private static final int KEPT = 48;
    private static final int ENTRIES_MAX = 6;
    private static final int CYCLE = 40;
    private static final int BALLAST_ENTRIES = 60;
    private static final long BALLAST = 1L << 62;
    private static final Slice BALLAST_END = Slice.copyOf(number(COUNT));
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final String name;
    private final Slice key = new Slice();
    private final Slice value = new Slice();

    CountedTree(String name) {
        this.name = name;
    }

    /// Makes the tree if it is not there. The number of commits to it.
    long create(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            if (transaction.tree(name) == null) {
                transaction.durability(Durability.WRITTEN);
                transaction.createTree(name);
                transaction.commit();
                return 0;
            }
        }
        return count(store);
    }

    /// Number of commits to the tree; -1 if it is not there.
    long count(Store store) {
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree(name);
            if (tree == null) {
                return -1;
            }
            return transaction.get(tree, key(COUNT), value)
                    ? value.segment().get(Slice.LONG_BE, value.offset())
                    : 0;
        }
    }

    void commit(Store store, long number, Durability durability) {
        try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
            transaction.durability(durability);
            Tree tree = requireNonNull(transaction.tree(name));
            Map<Long, byte[]> added = added(number);
            added.forEach((id, bytes) -> transaction.put(tree, key(id), Slice.copyOf(bytes)));
            for (Long id : added(number - KEPT).keySet()) {
                if (!transaction.delete(tree, key(id))) {
                    throw new IllegalStateException("no entry " + id + " to delete");
                }
            }
            if (number % CYCLE == CYCLE / 2) {
                ballast(number)
                        .forEach(
                                (id, bytes) -> transaction.put(tree, key(id), Slice.copyOf(bytes)));
            } else if (number % CYCLE == CYCLE - 1) {
                transaction.deleteRange(tree, key(BALLAST), BALLAST_END);
            }
            transaction.put(tree, key(COUNT), Slice.copyOf(number(number)));
            transaction.commit();
        }
    }

    /// Differences between the tree and the commits up to `number`; empty if there are none.
    String difference(Store store, long number) {
        Map<Long, byte[]> expected = new TreeMap<>(Long::compareUnsigned);
        for (long n = Math.max(1, number - KEPT + 1); n <= number; n++) {
            expected.putAll(added(n));
        }
        long cycle = number % CYCLE;
        if (cycle >= CYCLE / 2 && cycle < CYCLE - 1) {
            expected.putAll(ballast(number - cycle + CYCLE / 2));
        }
        if (number > 0) {
            expected.put(COUNT, number(number));
        }
        try (Transaction transaction = store.beginRead()) {
            Cursor cursor = transaction.cursor(requireNonNull(transaction.tree(name)));
            boolean there = cursor.first();
            for (Long id : expected.keySet()) {
                if (!there) {
                    return name + " ends before " + id + " at commit " + number;
                }
                cursor.key(key);
                long found = key.segment().get(Slice.LONG_BE, key.offset());
                cursor.value(value);
                if (found != id || !Arrays.equals(expected.get(id), value.toBytes())) {
                    return name + " has " + found + " in place of " + id + " at commit " + number;
                }
                there = cursor.next();
            }
            return there ? name + " has more than " + expected.size() + " entries" : "";
        }
    }

    private static Map<Long, byte[]> added(long number) {
        Map<Long, byte[]> added = new TreeMap<>();
        if (number > 0) {
            SplittableRandom random = new SplittableRandom(number * FACTOR);
            int size = 1 + random.nextInt(ENTRIES_MAX);
            for (int i = 0; i < size; i++) {
                int length = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(200);
                added.put(number * ENTRIES_MAX + i, bytes(random, length));
            }
        }
        return added;
    }

    private static Map<Long, byte[]> ballast(long number) {
        Map<Long, byte[]> ballast = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(~number * FACTOR);
        for (int i = 0; i < BALLAST_ENTRIES; i++) {
            ballast.put(BALLAST + i, bytes(random, random.nextInt(3_000)));
        }
        return ballast;
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private Slice key(long id) {
        key.setOwn(Long.BYTES);
        key.segment().set(Slice.LONG_BE, 0, id);
        return key;
    }
}
