package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.Sums;
import java.time.Duration;

/// Reads a store that was filled and opened again, in one snapshot.
final class JdbmReads {
    /// Number of gets compared with the values written, which also make the checksum; fewer for long values.
    private static final int CHECKED = 5_000;

    private static final int CHECKED_MIN = 20;
    private static final long CHECKED_BYTES = 200_000_000;

    /// Gets between two readings of the clock, and their bytes.
    private static final int BATCH = 64;

    private static final long BATCH_BYTES = 1_000_000;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Run run;
    private final RecordStore.Session session;
    private final JdbmData data;
    private final int count;
    private final JdbmTimes times;
    private final int checked;
    private final int batch;
    private long random;

    JdbmReads(Run run, RecordStore.Session session, JdbmData data, int count, JdbmTimes times) {
        this.run = run;
        this.session = session;
        this.data = data;
        this.count = count;
        this.times = times;
        int valueBytes = data.newValue().length;
        this.checked = Math.clamp(CHECKED_BYTES / valueBytes, CHECKED_MIN, CHECKED);
        this.batch = Math.clamp(BATCH_BYTES / valueBytes, 1, BATCH);
        this.random = run.seed();
    }

    /// Reads all records in order, repeatedly.
    ///
    /// @throws IllegalStateException if a scan does not find the records written
    void scan(String caseName, Durability durability) {
        long expected = data.scanSum(count);
        Meter first = Meter.start();
        checkScan(expected);
        Meter.Reading reading = first.stop(count);
        // A scan of a large store is itself longer than any warming up.
        if (reading.nanos() < times.warmUp().max().toNanos()) {
            times.warmUp()
                    .repeat(() -> {
                        checkScan(expected);
                        return count;
                    });
            long scans = 0;
            Meter meter = Meter.start();
            do {
                checkScan(expected);
                scans++;
            } while (meter.elapsed() < times.measured().toNanos());
            reading = meter.stop(scans * count);
        }
        run.rate(caseName, reading, durability, expected);
    }

    private void checkScan(long expected) {
        long sum = session.scan();
        if (sum != expected) {
            throw new IllegalStateException("A scan came to " + sum + ", not " + expected);
        }
    }

    /// Reads records at random: the rate, then in a pass of its own the percentiles.
    ///
    /// @throws IllegalStateException if a get does not find the value written
    void get(String caseName, Durability durability) {
        long checksum = checkGets();
        times.warmUp().repeat(() -> gets(times.warmUp().window()).operations());
        run.rate(caseName, gets(times.measured()), durability, checksum);
        run.latencies(caseName, latencies(times.measured().dividedBy(2)), durability);
    }

    private long checkGets() {
        byte[] value = data.newValue();
        long checksum = 0;
        for (int i = 0; i < checked; i++) {
            long id = nextId();
            data.fill(id, value);
            long expected = Sums.of(value, 0, value.length);
            long sum = session.get(id);
            if (sum != expected) {
                throw new IllegalStateException(
                        "The value of " + id + " came to " + sum + ", not " + expected);
            }
            checksum += sum ^ id;
        }
        if (session.get(data.id(count)) != Sums.ABSENT) {
            throw new IllegalStateException("A record was found that was not inserted");
        }
        return checksum;
    }

    private Meter.Reading gets(Duration time) {
        long nanos = time.toNanos();
        long gets = 0;
        Meter meter = Meter.start();
        do {
            for (int i = 0; i < batch; i++) {
                if (session.get(nextId()) == Sums.ABSENT) {
                    throw new IllegalStateException("A record was not found");
                }
            }
            gets += batch;
        } while (meter.elapsed() < nanos);
        return meter.stop(gets);
    }

    private Latencies latencies(Duration time) {
        Latencies latencies = new Latencies();
        long begin = System.nanoTime();
        long before = begin;
        while (before - begin < time.toNanos()) {
            long id = nextId();
            before = System.nanoTime();
            if (session.get(id) == Sums.ABSENT) {
                throw new IllegalStateException("A record was not found");
            }
            latencies.add(System.nanoTime() - before);
        }
        return latencies;
    }

    private long nextId() {
        random += GOLDEN;
        return data.id(((JdbmData.mix(random) >>> 33) * count) >>> 31);
    }
}
