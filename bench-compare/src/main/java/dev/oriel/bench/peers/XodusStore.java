package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.util.Objects;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.bindings.LongBinding;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/// Records in a store of a Xodus environment; keys by its LongBinding, which sorts signed numbers.
final class XodusStore implements RecordStore {
    private final Environment environment;
    private final Store store;

    XodusStore(Environment environment, StoreConfig config) {
        this.environment = environment;
        this.store =
                environment.computeInExclusiveTransaction(
                        transaction -> environment.openStore("records", config, transaction));
    }

    @Override
    public Session session() {
        return new XodusSession();
    }

    @Override
    public void close() {
        environment.close();
    }

    private final class XodusSession implements Session {
        private @Nullable Transaction writing;
        private @Nullable Transaction reading;

        @Override
        public void begin() {
            writing = environment.beginExclusiveTransaction();
        }

        /// A transaction keeps the array until it ends: hence the copy.
        @Override
        public void insert(long id, byte[] value) {
            store.put(
                    Objects.requireNonNull(writing),
                    LongBinding.longToEntry(id),
                    new ArrayByteIterable(value.clone()));
        }

        @Override
        public void append(long id, byte[] value) {
            store.putRight(
                    Objects.requireNonNull(writing),
                    LongBinding.longToEntry(id),
                    new ArrayByteIterable(value.clone()));
        }

        @Override
        public void commit() {
            if (!Objects.requireNonNull(writing).commit()) {
                throw new IllegalStateException("An exclusive transaction was not committed");
            }
            writing = null;
        }

        @Override
        public void beginRead() {
            reading = environment.beginReadonlyTransaction();
        }

        @Override
        public long get(long id) {
            ByteIterable value =
                    store.get(Objects.requireNonNull(reading), LongBinding.longToEntry(id));
            return value == null ? Sums.ABSENT : sum(value);
        }

        @Override
        public long scan() {
            long sum = 0;
            try (Cursor cursor = store.openCursor(Objects.requireNonNull(reading))) {
                while (cursor.getNext()) {
                    sum += sum(cursor.getValue()) ^ LongBinding.entryToLong(cursor.getKey());
                }
            }
            return sum;
        }

        private static long sum(ByteIterable value) {
            return Sums.of(value.getBytesUnsafe(), 0, value.getLength());
        }

        @Override
        public void endRead() {
            Objects.requireNonNull(reading).abort();
            reading = null;
        }

        @Override
        public void close() {
            if (writing != null) {
                writing.abort();
            }
            if (reading != null) {
                reading.abort();
            }
        }
    }
}
