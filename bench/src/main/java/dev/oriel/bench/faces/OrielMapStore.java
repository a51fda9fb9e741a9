package dev.oriel.bench.faces;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records in an ordered map.
final class OrielMapStore implements RecordStore {
    private static final MapKey<Long> KEYS = MapKey.longs();
    private static final MapValue<byte[]> VALUES = MapValue.bytes();

    private final Database database;

    private OrielMapStore(Database database) {
        this.database = database;
    }

    static RecordStore open(Path folder, Durability durability) {
        return new OrielMapStore(OrielFaceStore.database(folder, durability));
    }

    @Override
    public Session session() {
        return new MapSession(database.map("records", KEYS, VALUES));
    }

    @Override
    public void close() {
        database.close();
    }

    private final class MapSession implements Session, OrderedMap.Reader {
        private final OrderedMap<Long, byte[]> map;
        private @Nullable Transaction writing;
        private @Nullable OrderedMap<Long, byte[]> written;
        private long sum;

        MapSession(OrderedMap<Long, byte[]> map) {
            this.map = map;
        }

        @Override
        public void begin() {
            Transaction begun = database.begin();
            writing = begun;
            written = begun.map("records", KEYS, VALUES);
        }

        @Override
        public void insert(long id, byte[] value) {
            if (!Objects.requireNonNull(written).put(id, value)) {
                throw new IllegalStateException("Record " + id + " exists");
            }
        }

        @Override
        public void commit() {
            Objects.requireNonNull(writing).commit();
            writing = null;
        }

        /// Each call of a map reads the data committed by then; there are no writers here.
        @Override
        public void beginRead() {}

        @Override
        public void read(MemorySegment segment, long offset, int length) {
            sum = Sums.of(segment, offset, length);
        }

        @Override
        public long get(long id) {
            return map.read(id, this) ? sum : Sums.ABSENT;
        }

        @Override
        public long scan() {
            long[] all = {0};
            map.forEachValue(
                    MapRange.all(),
                    (key, segment, offset, length) ->
                            all[0] += Sums.of(segment, offset, length) ^ key);
            return all[0];
        }

        @Override
        public void endRead() {}

        @Override
        public void close() {
            if (writing != null) {
                writing.close();
            }
        }
    }
}
