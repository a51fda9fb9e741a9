package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import jdbm.RecordManager;
import jdbm.btree.BTree;
import jdbm.helper.ByteArraySerializer;
import jdbm.helper.LongComparator;
import jdbm.helper.LongSerializer;
import jdbm.helper.Tuple;
import jdbm.helper.TupleBrowser;

/// Records in a B+tree of jdbm. It has one transaction, so committers take turns; it has no
/// snapshots.
final class JdbmTreeStore implements RecordStore {
    private static final String NAME = "records";

    private final RecordManager manager;
    private final BTree tree;
    private final ReentrantLock role = new ReentrantLock();

    JdbmTreeStore(RecordManager manager) throws IOException {
        this.manager = manager;
        long recid = manager.getNamedObject(NAME);
        if (recid != 0) {
            tree = BTree.load(manager, recid);
            return;
        }
        tree =
                BTree.createInstance(
                        manager,
                        new LongComparator(),
                        LongSerializer.INSTANCE,
                        ByteArraySerializer.INSTANCE);
        manager.setNamedObject(NAME, tree.getRecid());
        manager.commit();
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

        /// Copied, because the pages of jdbm keep the array until they are written.
        @Override
        public void insert(long id, byte[] value) {
            try {
                tree.insert(id, value.clone(), true);
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
            try {
                byte[] value = (byte[]) tree.find(id);
                return value == null ? Sums.ABSENT : Sums.of(value, 0, value.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long scan() {
            try {
                long sum = 0;
                Tuple tuple = new Tuple();
                TupleBrowser browser = tree.browse();
                while (browser.getNext(tuple)) {
                    byte[] value = (byte[]) tuple.getValue();
                    sum += Sums.of(value, 0, value.length) ^ (Long) tuple.getKey();
                }
                return sum;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
