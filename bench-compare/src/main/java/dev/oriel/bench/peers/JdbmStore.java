package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import jdbm.RecordManager;
import jdbm.helper.ByteArraySerializer;

/// Records in jdbm's record manager. It has one transaction, so committers take turns; it has no
/// snapshots.
final class JdbmStore implements RecordStore {
    /// Name of a record created with the store.
    static final String MARKER = "marker";

    private final RecordManager manager;
    private final JdbmIds ids;
    private final ReentrantLock role = new ReentrantLock();

    JdbmStore(RecordManager manager, JdbmIds ids) throws IOException {
        this.manager = manager;
        this.ids = ids;
        if (manager.getNamedObject(MARKER) == 0) {
            manager.setNamedObject(
                    MARKER, manager.insert(new byte[1], ByteArraySerializer.INSTANCE));
            manager.commit();
        }
    }

    @Override
    public Session session() {
        return new JdbmSession();
    }

    @Override
    public void close() {
        try {
            manager.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class JdbmSession implements Session {
        @Override
        public void begin() {
            role.lock();
        }

        /// The serializer passes the array on, and the manager copies it to its pages or keeps the reference in its
        /// cache: hence the copy.
        @Override
        public void insert(long id, byte[] value) {
            try {
                ids.set(id, manager.insert(value.clone(), ByteArraySerializer.INSTANCE));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void commit() {
            try {
                manager.commit();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
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
            long recid = ids.get(id);
            return recid == 0 ? Sums.ABSENT : fetch(recid);
        }

        private long fetch(long recid) {
            try {
                byte[] value = (byte[]) manager.fetch(recid, ByteArraySerializer.INSTANCE);
                return Sums.of(value, 0, value.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long scan() {
            long sum = 0;
            for (int i = 0; i < ids.count(); i++) {
                sum += fetch(ids.get(i)) ^ i;
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
