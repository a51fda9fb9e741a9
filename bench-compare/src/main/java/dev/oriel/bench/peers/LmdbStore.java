package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/// Records in a database of LMDB. Its integer keys are unsigned numbers in native byte order: ids with their sign
/// bit flipped.
final class LmdbStore implements RecordStore {
    private static final long MAP_BYTES = 64L << 30;
    private static final int READERS_MAX = 256;

    private final Env<ByteBuffer> environment;
    private final Dbi<ByteBuffer> database;

    LmdbStore(Path folder, EnvFlags... flags) {
        environment =
                Env.create(ByteBufferProxy.PROXY_OPTIMAL)
                        .setMapSize(MAP_BYTES)
                        .setMaxDbs(1)
                        .setMaxReaders(READERS_MAX)
                        .open(folder.toFile(), flags);
        database = environment.openDbi("records", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY);
    }

    @Override
    public Session session() {
        return new LmdbSession();
    }

    @Override
    public void close() {
        environment.sync(true);
        environment.close();
    }

    private final class LmdbSession implements Session {
        private final ByteBuffer key =
                ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        private ByteBuffer value = ByteBuffer.allocateDirect(256);
        private @Nullable Txn<ByteBuffer> writing;
        private @Nullable Cursor<ByteBuffer> writer;
        private @Nullable Txn<ByteBuffer> reading;

        @Override
        public void begin() {
            writing = environment.txnWrite();
            writer = database.openCursor(writing);
        }

        @Override
        public void insert(long id, byte[] bytes) {
            Objects.requireNonNull(writer).put(key(id), value(bytes));
        }

        @Override
        public void append(long id, byte[] bytes) {
            Objects.requireNonNull(writer).put(key(id), value(bytes), PutFlags.MDB_APPEND);
        }

        private ByteBuffer value(byte[] bytes) {
            if (value.capacity() < bytes.length) {
                value = ByteBuffer.allocateDirect(bytes.length);
            }
            value.clear().put(0, bytes).limit(bytes.length);
            return value;
        }

        @Override
        public void commit() {
            Objects.requireNonNull(writer).close();
            Txn<ByteBuffer> ending = Objects.requireNonNull(writing);
            ending.commit();
            ending.close();
            writing = null;
        }

        @Override
        public void beginRead() {
            reading = environment.txnRead();
        }

        @Override
        public long get(long id) {
            ByteBuffer found = database.get(Objects.requireNonNull(reading), key(id));
            return found == null ? Sums.ABSENT : sum(found);
        }

        @Override
        public long scan() {
            long sum = 0;
            try (Cursor<ByteBuffer> cursor = database.openCursor(Objects.requireNonNull(reading))) {
                for (boolean found = cursor.first(); found; found = cursor.next()) {
                    long id =
                            cursor.key().order(ByteOrder.nativeOrder()).getLong(0) ^ Long.MIN_VALUE;
                    sum += sum(cursor.val()) ^ id;
                }
            }
            return sum;
        }

        private static long sum(ByteBuffer bytes) {
            return Sums.of(bytes.order(ByteOrder.LITTLE_ENDIAN));
        }

        private ByteBuffer key(long id) {
            return key.putLong(0, id ^ Long.MIN_VALUE);
        }

        @Override
        public void endRead() {
            Objects.requireNonNull(reading).close();
            reading = null;
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
