package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;

/// Records in a map of an MVStore. A commit of the store includes the changes of all threads, so committers take
/// turns. A scan sees one version.
final class MvStoreStore implements RecordStore {
    private final MVStore store;
    private final MVMap<Long, byte[]> map;
    private final Durability durability;
    private final ReentrantLock role = new ReentrantLock();

    MvStoreStore(Path folder, Durability durability) {
        this.durability = durability;
        MVStore.Builder builder =
                new MVStore.Builder()
                        .fileName(folder.resolve("records.mv").toString())
                        .cacheSize((int) (Peers.cacheBytes() >> 20));
        if (durability != Durability.ASYNC) {
            builder.autoCommitDisabled();
        }
        store = builder.open();
        map =
                store.openMap(
                        "records",
                        new MVMap.Builder<Long, byte[]>()
                                .keyType(LongDataType.INSTANCE)
                                .valueType(ByteArrayDataType.INSTANCE));
    }

    @Override
    public Session session() {
        return new MvStoreSession();
    }

    @Override
    public void close() {
        store.commit();
        store.sync();
        store.close();
    }

    private final class MvStoreSession implements Session {
        @Override
        public void begin() {
            role.lock();
        }

        /// The map keeps the array: hence the copy.
        @Override
        public void insert(long id, byte[] value) {
            map.put(id, value.clone());
        }

        @Override
        public void append(long id, byte[] value) {
            map.append(id, value.clone());
        }

        @Override
        public void commit() {
            try {
                switch (durability) {
                    case SYNC -> {
                        store.commit();
                        store.sync();
                    }
                    case WRITTEN -> store.commit();
                    case ASYNC, MEMORY -> {}
                }
            } finally {
                role.unlock();
            }
        }

        @Override
        public void beginRead() {
            // a cursor reads the version at which it begins
        }

        @Override
        public long get(long id) {
            byte[] value = map.get(id);
            return value == null ? Sums.ABSENT : Sums.of(value, 0, value.length);
        }

        @Override
        public long scan() {
            long sum = 0;
            Cursor<Long, byte[]> cursor = map.cursor(null);
            while (cursor.hasNext()) {
                long id = cursor.next();
                byte[] value = cursor.getValue();
                sum += Sums.of(value, 0, value.length) ^ id;
            }
            return sum;
        }

        @Override
        public void endRead() {
            // no transaction has begun
        }

        @Override
        public void close() {
            // it has no resources of its own
        }
    }
}
