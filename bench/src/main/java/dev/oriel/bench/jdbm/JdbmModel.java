package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.measure.Sums;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Correctness test of a subject of records, before its speed is measured: a short history of inserts, compared
/// with a map, before and after the store is opened again.
final class JdbmModel {
    private static final int BATCHES = 12;
    private static final int RECORDS_MAX = 4_000;
    private static final int BATCH_MAX = 150;
    private static final int VALUE_BYTES_MAX = 3_000;

    private final RecordSubject subject;
    private final Durability durability;
    private final Path folder;
    private final SplittableRandom random;
    private final TreeMap<Long, byte[]> model = new TreeMap<>();

    JdbmModel(RecordSubject subject, Durability durability, Path folder, SplittableRandom random) {
        this.subject = subject;
        this.durability = durability;
        this.folder = folder;
        this.random = random;
    }

    /// @throws IllegalStateException if the store and the map differ
    void check() throws IOException {
        for (int opened = 0; opened < 2; opened++) {
            try (RecordStore store = subject.open(folder, durability, RECORDS_MAX);
                    RecordStore.Session session = store.session()) {
                compare(session);
                for (int i = 0; i < BATCHES; i++) {
                    insert(session);
                    if (i % 3 == 0) {
                        compare(session);
                    }
                }
            }
        }
        try (RecordStore store = subject.open(folder, durability, RECORDS_MAX);
                RecordStore.Session session = store.session()) {
            compare(session);
        }
    }

    private void insert(RecordStore.Session session) {
        session.begin();
        int records = 1 + random.nextInt(BATCH_MAX);
        for (int i = 0; i < records; i++) {
            byte[] value = new byte[1 + random.nextInt(VALUE_BYTES_MAX)];
            random.nextBytes(value);
            long id = newId();
            byte[] given = value.clone();
            session.insert(id, given);
            Arrays.fill(given, (byte) 0x55); // it is the caller's: the store must not keep it
            model.put(id, value);
        }
        session.commit();
    }

    /// Near ids and far ones, of both signs; the next one if the store numbers them itself.
    private long newId() {
        if (!subject.takesAnyId()) {
            return model.size();
        }
        long id;
        do {
            id = random.nextBoolean() ? random.nextLong() : random.nextLong(-2_000, 2_000);
        } while (model.containsKey(id));
        return id;
    }

    private void compare(RecordStore.Session session) {
        session.beginRead();
        long sum = 0;
        for (Map.Entry<Long, byte[]> entry : model.entrySet()) {
            byte[] value = entry.getValue();
            long expected = Sums.of(value, 0, value.length);
            expect(session.get(entry.getKey()), expected, "record " + entry.getKey());
            sum += expected ^ entry.getKey();
        }
        expect(session.scan(), sum, "the scan");
        for (long id : List.of(Long.MIN_VALUE, Long.MAX_VALUE, random.nextLong(), 5_000L)) {
            if (!model.containsKey(id)) {
                expect(session.get(id), Sums.ABSENT, "absent record " + id);
            }
        }
        session.endRead();
    }

    private void expect(long found, long expected, String what) {
        if (found != expected) {
            throw new IllegalStateException(
                    subject.name()
                            + ", class "
                            + durability
                            + ": "
                            + what
                            + " came to "
                            + found
                            + ", not "
                            + expected);
        }
    }
}
