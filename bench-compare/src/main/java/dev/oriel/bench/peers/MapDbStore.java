package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.Serializer;

/// Records in a BTreeMap of MapDB. It has one transaction, so committers take turns; it has no
/// snapshots.
final class MapDbStore implements RecordStore {
    private static final String NAME = "records";
    private static final int OUTSIDE_FROM_BYTES = 1_000;

    private final DB db;
    private final ReentrantLock role = new ReentrantLock();

    /// The map, created with the first record, whose length decides the placement of values.
    private volatile @Nullable BTreeMap<Long, byte[]> map;

    MapDbStore(DB db) {
        this.db = db;
        this.map = db.exists(NAME) ? maker().open() : null;
    }

    private DB.TreeMapMaker<Long, byte[]> maker() {
        return db.treeMap(NAME, Serializer.LONG, Serializer.BYTE_ARRAY);
    }

    private BTreeMap<Long, byte[]> create(int valueBytes) {
        DB.TreeMapMaker<Long, byte[]> maker = maker();
        if (valueBytes >= OUTSIDE_FROM_BYTES) {
            maker.valuesOutsideNodesEnable();
        }
        return maker.create();
    }

    @Override
    public Session session() {
        return new MapDbSession();
    }

    @Override
    public void close() {
        db.close();
    }

    private final class MapDbSession implements Session {
        @Override
        public void begin() {
            role.lock();
        }

        @Override
        public void insert(long id, byte[] value) {
            BTreeMap<Long, byte[]> into = map;
            if (into == null) {
                into = create(value.length);
                map = into;
            }
            into.put(id, value);
        }

        @Override
        public void commit() {
            try {
                db.commit();
            } finally {
                role.unlock();
            }
        }

        @Override
        public void beginRead() {
            // it has no snapshots
        }

        @Override
        public long get(long id) {
            BTreeMap<Long, byte[]> from = map;
            byte[] value = from == null ? null : from.get(id);
            return value == null ? Sums.ABSENT : Sums.of(value, 0, value.length);
        }

        @Override
        public long scan() {
            BTreeMap<Long, byte[]> from = map;
            if (from == null) {
                return 0;
            }
            long sum = 0;
            Iterator<Map.Entry<Long, byte[]>> entries = from.entryIterator();
            while (entries.hasNext()) {
                Map.Entry<Long, byte[]> entry = entries.next();
                byte[] value = entry.getValue();
                sum += Sums.of(value, 0, value.length) ^ entry.getKey();
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
