package dev.oriel.bench.jdbm;

import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Fills stores with records, and measures that: the clock stops when the store is closed and its files are
/// synced.
final class JdbmLoad {
    static final int COMMIT_EVERY = 500;

    /// Greatest number of bytes in a transaction of several records.
    private static final long COMMIT_BYTES_MAX = 1_000_000;

    private static final int WARM_UP_RECORDS = 100_000;

    /// Number of records between two looks at the free disk space. Some stores take several times the data for a
    /// while, and other processes need the disk too.
    private static final int LOOK_EVERY = 100_000;

    private static final long FREE_BYTES_MIN = 6L << 30;

    private final Opening opening;
    private final JdbmData data;
    private final Plan plan;

    /// A way to open a store.
    @FunctionalInterface
    interface Opening {
        RecordStore open(Path folder) throws IOException;
    }

    /// Number of values of `valueBytes` bytes in a commit.
    static int commitEvery(int valueBytes) {
        return Math.clamp(COMMIT_BYTES_MAX / valueBytes, 1, COMMIT_EVERY);
    }

    /// The way to fill a store.
    ///
    /// @param count number of records
    /// @param commitEvery number of records in a transaction
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
            RunFiles.delete(folder);
            return inserted;
        });
    }

    /// Fills a store in `folder`, and again in its place until that has taken `atLeast` in all.
    ///
    /// @param atMost time after which a load stops early; it also does if the disk is nearly full
    Meter.Reading measure(Path folder, Duration atLeast, Duration atMost) throws IOException {
        Meter.Reading all = load(folder, plan.count, atMost.toNanos());
        while (all.nanos() < atLeast.toNanos()) {
            RunFiles.delete(folder);
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
                inserted = insert(session, count, new Bound(folder, meter, limitNanos));
            }
        }
        RunFiles.sync(folder);
        return meter.stop(inserted);
    }

    /// The limits at which a load stops.
    private record Bound(Path folder, Meter meter, long limitNanos) {
        boolean isReached(int inserted) {
            return meter.elapsed() >= limitNanos
                    || (inserted >= LOOK_EVERY
                            && inserted % LOOK_EVERY < COMMIT_EVERY
                            && folder.toFile().getUsableSpace() < FREE_BYTES_MIN);
        }
    }

    private int insert(RecordStore.Session session, int count, Bound bound) {
        byte[] value = data.newValue();
        int at = 0;
        while (at < count && !bound.isReached(at)) {
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
