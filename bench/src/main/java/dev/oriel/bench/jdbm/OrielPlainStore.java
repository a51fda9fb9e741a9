package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.PlainWriter;
import dev.oriel.store.engine.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Records in a tree of our store, written without transactions: each insertion commits by itself, and a commit of
/// the caller is idle. Reads are as in [OrielRecordStore].
final class OrielPlainStore implements RecordStore {
    private static final long WRITE_TIMEOUT_MILLIS = 60_000;

    private final Store store;
    private final OrielRecordStore records;
    private final PlainWriter writer;

    private OrielPlainStore(Store store) {
        this.store = store;
        this.records = new OrielRecordStore(store);
        this.writer = store.withoutTransactions(dev.oriel.store.Durability.ASYNC);
    }

    static OrielPlainStore open(Path folder) throws IOException {
        return new OrielPlainStore(
                OrielRecordStore.openStore(folder, Durability.ASYNC, WRITE_TIMEOUT_MILLIS, true));
    }

    @Override
    public Session session() {
        return new PlainSession(records.session(), records.tree());
    }

    @Override
    public void close() {
        writer.close();
        store.close();
    }

    private final class PlainSession implements Session {
        private final Session reading;
        private final Tree tree;
        private final Slice key = new Slice();
        private final Slice value = new Slice();
        private MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES + 256);

        PlainSession(Session reading, Tree tree) {
            this.reading = reading;
            this.tree = tree;
        }

        @Override
        public void begin() {}

        @Override
        public void insert(long id, byte[] bytes) {
            if (memory.byteSize() < Long.BYTES + bytes.length) {
                memory = Arena.ofAuto().allocate(Long.BYTES + bytes.length);
            }
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, Long.BYTES, bytes.length);
            value.set(memory, Long.BYTES, bytes.length);
            writer.put(tree, OrielRecordStore.key(memory, id, key), value);
        }

        @Override
        public void commit() {}

        @Override
        public void beginRead() {
            writer.flush(); // a snapshot has only committed data
            reading.beginRead();
        }

        @Override
        public long get(long id) {
            return reading.get(id);
        }

        @Override
        public long scan() {
            return reading.scan();
        }

        @Override
        public void endRead() {
            reading.endRead();
        }

        @Override
        public void close() {
            reading.close();
        }
    }
}
