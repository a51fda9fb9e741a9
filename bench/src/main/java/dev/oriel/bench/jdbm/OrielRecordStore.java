package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.measure.Sums;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records in a tree of our store. A key is the id in big-endian order with its sign bit inverted, so that bytes
/// compare like signed numbers.
final class OrielRecordStore implements RecordStore {
    private static final String TREE = "records";
    private static final ValueLayout.OfLong KEY =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Store store;
    private final Tree tree;

    OrielRecordStore(Store store) {
        this.store = store;
        this.tree = treeOf(store);
    }

    static OrielRecordStore open(
            Path folder, Durability durability, long writeTimeoutMillis, boolean gathers)
            throws IOException {
        return new OrielRecordStore(openStore(folder, durability, writeTimeoutMillis, gathers));
    }

    static Store openStore(
            Path folder, Durability durability, long writeTimeoutMillis, boolean gathers)
            throws IOException {
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(ours(durability))
                        .withWriteTimeoutMillis(writeTimeoutMillis);
        return Store.open(
                DiskDirectory.open(folder), gathers ? options : options.withGatheredBytesMax(0));
    }

    private static dev.oriel.store.Durability ours(Durability durability) {
        return switch (durability) {
            case SYNC -> dev.oriel.store.Durability.SYNC;
            case WRITTEN -> dev.oriel.store.Durability.WRITTEN;
            case ASYNC, MEMORY -> dev.oriel.store.Durability.ASYNC;
        };
    }

    private static Tree treeOf(Store store) {
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree(TREE);
            if (tree != null) {
                return tree;
            }
        }
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(TREE);
            transaction.commit();
            return tree;
        }
    }

    Tree tree() {
        return tree;
    }

    /// Points `key` at the key of `id`, which is written to the beginning of `memory`.
    static Slice key(MemorySegment memory, long id, Slice key) {
        memory.set(KEY, 0, id ^ Long.MIN_VALUE);
        return key.set(memory, 0, Long.BYTES);
    }

    @Override
    public Session session() {
        return new OrielSession();
    }

    @Override
    public void close() {
        store.close();
    }

    /// A session, which keeps the key and the value of a write in one piece of native memory. It grows with the
    /// longest value.
    private final class OrielSession implements Session {
        private final Slice key = new Slice();
        private final Slice value = new Slice();
        private MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES + 256);
        private @Nullable Transaction writing;
        private @Nullable Transaction reading;
        private @Nullable Cursor cursor;

        @Override
        public void begin() {
            writing = store.beginWrite();
        }

        @Override
        public void insert(long id, byte[] bytes) {
            if (memory.byteSize() < Long.BYTES + bytes.length) {
                memory = Arena.ofAuto().allocate(Long.BYTES + bytes.length);
            }
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, Long.BYTES, bytes.length);
            value.set(memory, Long.BYTES, bytes.length);
            Objects.requireNonNull(writing).put(tree, key(id), value); // like the peers' put
        }

        @Override
        public void commit() {
            Objects.requireNonNull(writing).commit();
            writing = null;
        }

        @Override
        public void beginRead() {
            if (reading == null) {
                reading = store.beginRead();
                cursor = reading.cursor(tree);
            } else {
                store.renew(reading);
                Objects.requireNonNull(cursor).reset(reading, tree);
            }
        }

        @Override
        public long get(long id) {
            if (!Objects.requireNonNull(reading).get(tree, key(id), value)) {
                return Sums.ABSENT;
            }
            return Sums.of(value.segment(), value.offset(), value.length());
        }

        @Override
        public long scan() {
            Cursor at = Objects.requireNonNull(cursor);
            long sum = 0;
            for (boolean found = at.first(); found; found = at.next()) {
                at.value(value);
                at.key(key);
                long id = key.segment().get(KEY, key.offset()) ^ Long.MIN_VALUE;
                sum += Sums.of(value.segment(), value.offset(), value.length()) ^ id;
            }
            return sum;
        }

        @Override
        public void endRead() {
            Objects.requireNonNull(reading).close();
        }

        @Override
        public void close() {
            if (writing != null) {
                writing.close();
            }
            if (reading != null) {
                reading.close();
            }
        }

        private Slice key(long id) {
            return OrielRecordStore.key(memory, id, key);
        }
    }
}
