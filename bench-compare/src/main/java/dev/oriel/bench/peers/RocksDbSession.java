package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileWriter;
import org.rocksdb.WriteBatch;

/// One thread's access to RocksDB through direct buffers, which its wiki found fastest from Java.
final class RocksDbSession implements RecordStore.Session {
    private final RocksDbStore store;
    private final RocksDB db;
    private final WriteBatch batch = new WriteBatch();
    private final ReadOptions read = new ReadOptions();
    private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES);
    private ByteBuffer value = ByteBuffer.allocateDirect(4 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private @Nullable Snapshot snapshot;
    private @Nullable SstFileWriter sorted;

    RocksDbSession(RocksDbStore store) {
        this.store = store;
        this.db = store.db;
    }

    @Override
    public void begin() {
        batch.clear();
    }

    @Override
    public void insert(long id, byte[] bytes) {
        try {
            batch.put(key(id), value(bytes));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes to a sorted file, which the commit ingests: its method of bulk loading.
    @Override
    public void append(long id, byte[] bytes) {
        try {
            if (sorted == null) {
                sorted = new SstFileWriter(new EnvOptions(), store.options.options);
                sorted.open(sortedFile().toString());
            }
            sorted.put(key(id), value(bytes));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path sortedFile() {
        return store.folder.resolve("sorted.new");
    }

    @Override
    public void commit() {
        try {
            if (sorted == null) {
                db.write(store.options.write, batch);
            } else {
                ingest();
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private void ingest() throws RocksDBException {
        SstFileWriter writer = Objects.requireNonNull(sorted);
        writer.finish();
        writer.close();
        sorted = null;
        try (IngestExternalFileOptions move = new IngestExternalFileOptions().setMoveFiles(true)) {
            db.ingestExternalFile(List.of(sortedFile().toString()), move);
        }
        try {
            Files.deleteIfExists(sortedFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beginRead() {
        Snapshot now = db.getSnapshot();
        snapshot = now;
        read.setSnapshot(now);
    }

    @Override
    public long get(long id) {
        try {
            int length = db.get(read, key(id), value.clear());
            if (length > value.capacity()) {
                grow(length);
                length = db.get(read, key(id), value.clear());
            }
            return length == RocksDB.NOT_FOUND ? Sums.ABSENT : Sums.of(value);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long scan() {
        long sum = 0;
        try (RocksIterator iterator = db.newIterator(read)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                int length = iterator.value(value.clear());
                if (length > value.capacity()) {
                    grow(length);
                    iterator.value(value.clear());
                }
                iterator.key(key.clear());
                sum += Sums.of(value) ^ (key.getLong(0) ^ Long.MIN_VALUE);
            }
            iterator.status();
            return sum;
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void endRead() {
        Snapshot ending = Objects.requireNonNull(snapshot);
        read.setSnapshot(null);
        db.releaseSnapshot(ending);
        snapshot = null;
    }

    private ByteBuffer key(long id) {
        return key.clear().putLong(0, id ^ Long.MIN_VALUE);
    }

    private ByteBuffer value(byte[] bytes) {
        grow(bytes.length);
        return value.clear().put(0, bytes).limit(bytes.length);
    }

    private void grow(int bytes) {
        if (value.capacity() < bytes) {
            value = ByteBuffer.allocateDirect(2 * bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    @Override
    public void close() {
        if (snapshot != null) {
            endRead();
        }
        read.close();
        batch.close();
    }
}
