package dev.oriel.bench.peers;

import com.sleepycat.bind.tuple.LongBinding;
import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Get;
import com.sleepycat.je.Put;
import com.sleepycat.je.Transaction;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records in a database of Berkeley DB Java Edition; keys by its LongBinding, which sorts signed
/// numbers.
final class JeStore implements RecordStore {
    private final Environment environment;
    private final Database database;

    JeStore(Environment environment) {
        this.environment = environment;
        this.database =
                environment.openDatabase(
                        null,
                        "records",
                        new DatabaseConfig().setAllowCreate(true).setTransactional(true));
    }

    @Override
    public Session session() {
        return new JeSession();
    }

    @Override
    public void close() {
        environment.flushLog(true);
        database.close();
        environment.close();
    }

    private final class JeSession implements Session {
        private final DatabaseEntry key = new DatabaseEntry();
        private final DatabaseEntry value = new DatabaseEntry();
        private @Nullable Transaction writing;

        @Override
        public void begin() {
            writing = environment.beginTransaction(null, null);
        }

        @Override
        public void insert(long id, byte[] bytes) {
            LongBinding.longToEntry(id, key);
            value.setData(bytes);
            database.put(Objects.requireNonNull(writing), key, value, Put.OVERWRITE, null);
        }

        @Override
        public void commit() {
            Objects.requireNonNull(writing).commit();
            writing = null;
        }

        @Override
        public void beginRead() {
            // it has no snapshots
        }

        @Override
        public long get(long id) {
            LongBinding.longToEntry(id, key);
            if (database.get(null, key, value, Get.SEARCH, null) == null) {
                return Sums.ABSENT;
            }
            return Sums.of(value.getData(), value.getOffset(), value.getSize());
        }

        @Override
        public long scan() {
            long sum = 0;
            try (Cursor cursor = database.openCursor(null, null)) {
                while (cursor.get(key, value, Get.NEXT, null) != null) {
                    sum +=
                            Sums.of(value.getData(), value.getOffset(), value.getSize())
                                    ^ LongBinding.entryToLong(key);
                }
            }
            return sum;
        }

        @Override
        public void endRead() {
            // no transaction has begun
        }

        @Override
        public void close() {
            if (writing != null) {
                writing.abort();
            }
        }
    }
}
