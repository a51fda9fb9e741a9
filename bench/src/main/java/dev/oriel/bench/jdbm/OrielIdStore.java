package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.measure.Sums;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.engine.Store;
import dev.oriel.store.records.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records of our store, under its own ids: the counterpart of a record manager that is used without a tree.
final class OrielIdStore implements RecordStore {
    private static final String NAME = "records";

    private final Store store;
    private final OrielIds ids;

    private OrielIdStore(Store store, OrielIds ids) {
        this.store = store;
        this.ids = ids;
    }

    /// Opens the store in `folder`, whose ids are in `idsByFolder` unless it is new.
    static OrielIdStore open(
            Path folder,
            Durability durability,
            long writeTimeoutMillis,
            Map<Path, OrielIds> idsByFolder)
            throws IOException {
        Store store = OrielRecordStore.openStore(folder, durability, writeTimeoutMillis, true);
        OrielIds ids =
                isEmpty(store) ? new OrielIds() : Objects.requireNonNull(idsByFolder.get(folder));
        idsByFolder.put(folder, ids);
        return new OrielIdStore(store, ids);
    }

    /// Whether records were never opened in `store`.
    private static boolean isEmpty(Store store) {
        try (Transaction transaction = store.beginRead()) {
            return transaction.tree(NAME) == null;
        }
    }

    @Override
    public Session session() {
        return new OrielSession(Records.open(store, NAME));
    }

    @Override
    public void close() {
        store.close();
    }

    private final class OrielSession implements Session {
        private final Records records;
        private final Slice value = new Slice();
        private @Nullable Transaction writing;
        private @Nullable Transaction reading;

        OrielSession(Records records) {
            this.records = records;
        }

        @Override
        public void begin() {
            writing = store.beginWrite();
        }

        @Override
        public void insert(long id, byte[] bytes) {
            ids.set(id, records.insert(Objects.requireNonNull(writing), bytes));
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
            } else {
                store.renew(reading);
            }
        }

        @Override
        public long get(long id) {
            long given = ids.get(id);
            return given == 0 ? Sums.ABSENT : fetch(given);
        }

        private long fetch(long given) {
            if (!records.fetch(Objects.requireNonNull(reading), given, value)) {
                return Sums.ABSENT;
            }
            return Sums.of(value.segment(), value.offset(), value.length());
        }

        @Override
        public long scan() {
            long sum = 0;
            int count = ids.count();
            for (int i = 0; i < count; i++) {
                sum += fetch(ids.get(i)) ^ i;
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
    }
}
