package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Fills stores with records, and measures that: the clock stops when the store is closed
/// and its files are synced.
final class JdbmLoad {
    static final int COMMIT_EVERY = 500;
    private static final int WARM_UP_RECORDS = 100_000;

    private final Opening opening;
    private final JdbmData data;
    private final Plan plan;

    /// How a store is opened.
    @FunctionalInterface
    interface Opening {
        RecordStore open(Path folder) throws IOException;
    }

    /// How a store is filled.
    ///
    /// @param count how many records
    /// @param commitEvery how many of them a transaction
    /// @param bulk whether by [RecordStore.Session#append]
    record Plan(int count, int commitEvery, boolean bulk) {}

    JdbmLoad(Opening opening, JdbmData data, Plan plan) {
        this.opening = opening;
        this.data = data;
        this.plan = plan;
    }

    /// Fills small stores in `folder`, and deletes them.
    void warmUp(Path folder, WarmUp warmUp) throws IOException {
        int count = Math.min(plan.count, WARM_UP_RECORDS);
        warmUp.repeat(() -> {
            long inserted = load(folder, count, warmUp.max().toNanos()).operations();
            JdbmFiles.delete(folder);
            return inserted;
        });
    }

    /// Fills a store in `folder`, and again in its place until that has taken `atLeast` in all.
    ///
    /// @param atMost when to stop with less than all records in the store
    Meter.Reading measure(Path folder, Duration atLeast, Duration atMost) throws IOException {
        Meter.Reading all = load(folder, plan.count, atMost.toNanos());
        while (all.nanos() < atLeast.toNanos()) {
            JdbmFiles.delete(folder);
            Meter.Reading one = load(folder, plan.count, atMost.toNanos());
            all =
                    new Meter.Reading(
                            all.operations() + one.operations(),
                            all.nanos() + one.nanos(),
                            all.cpuNanos() + one.cpuNanos(),
                            all.bytes() + one.bytes());
        }
        return all;
    }

    private Meter.Reading load(Path folder, int count, long limitNanos) throws IOException {
        Files.createDirectories(folder);
        Meter meter;
        int inserted;
        try (RecordStore store = opening.open(folder)) {
            try (RecordStore.Session session = store.session()) {
                meter = Meter.start();
                inserted = insert(session, count, meter, limitNanos);
            }
        }
        JdbmFiles.sync(folder);
        return meter.stop(inserted);
    }

    private int insert(RecordStore.Session session, int count, Meter meter, long limitNanos) {
        byte[] value = data.newValue();
        int at = 0;
        while (at < count && meter.elapsed() < limitNanos) {
            int end = Math.min(count, at + plan.commitEvery);
            session.begin();
            for (; at < end; at++) {
                long id = data.id(at);
                data.fill(id, value);
                if (plan.bulk) {
                    session.append(id, value);
                } else {
                    session.insert(id, value);
                }
            }
            session.commit();
        }
        return at;
    }
}
