package dev.oriel.bench.axion;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.sql.SqlSubject;
import java.sql.Connection;
import java.sql.SQLException;

/// The query cases: `cold`, the first 5,000 queries of the JVM, then `warm`, 50,000 or as many as fit the time.
/// Then come the percentiles of a pass with a clock around each query.
///
/// The table is filled in the same JVM; a database on disk is closed and reopened before the queries.
final class AxionQueries {
    private static final int CHECKED = 200;
    private static final int BURST = 16;
    private static final long SLOW_NANOS = 50_000;

    private final SqlSubject subject;
    private final AxionPace pace;
    private final Run run;

    /// Number of queries between two clock readings: several if a reading would distort the time.
    private int burst = BURST;

    AxionQueries(SqlSubject subject, AxionPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
    }

    void measure(AxionForm form) throws SQLException {
        AxionWords words = AxionWords.of(pace.rows(), run.seed());
        run.phase("loading");
        Durability durability = subject.usual();
        Connection connection =
                new AxionTable(subject, words).make(run.folder().resolve("db"), durability);
        if (!subject.inMemory()) {
            subject.close(connection);
            connection = subject.connect(run.folder().resolve("db"), durability);
        }
        try (AxionQuery query = new AxionQuery(connection, form, subject, words)) {
            measure(form, query);
        }
        subject.close(connection);
    }

    private void measure(AxionForm form, AxionQuery query) throws SQLException {
        Meter.Reading cold = cold(query);
        Meter meter = Meter.start();
        long sum = query.check(CHECKED);
        burst = meter.elapsed() / CHECKED > SLOW_NANOS ? 1 : BURST;
        tell(form.caseName("cold"), cold, sum);
        if (run.wants(form.caseName("warm"))) {
            warm(form, query, sum);
        }
        if (query.read() == 0) {
            throw new IllegalStateException("Nothing was read");
        }
    }

    private Meter.Reading cold(AxionQuery query) throws SQLException {
        run.phase("the first " + pace.cold() + " queries");
        long max = pace.coldMax().toNanos();
        Meter meter = Meter.start();
        int queries = 0;
        while (queries < pace.cold() && meter.elapsed() < max) {
            query.run();
            queries++;
        }
        return meter.stop(queries);
    }

    private void warm(AxionForm form, AxionQuery query, long sum) throws SQLException {
        String caseName = form.caseName("warm");
        run.phase("warming up " + form.label());
        pace.warmUp()
                .repeat(() -> {
                    burst(query);
                    return burst;
                });
        run.phase("measuring " + form.label());
        Meter meter = Meter.start();
        long queries = 0;
        long elapsed = 0;
        while (queries < pace.warm()
                ? elapsed < pace.warmMax().toNanos()
                : elapsed < pace.warmMin().toNanos()) {
            burst(query);
            queries += burst;
            elapsed = meter.elapsed();
        }
        tell(caseName, meter.stop(queries), sum);
        run.latencies(caseName, latencies(query), subject.usual());
    }

    private void burst(AxionQuery query) throws SQLException {
        for (int i = 0; i < burst; i++) {
            query.run();
        }
    }

    private Latencies latencies(AxionQuery query) throws SQLException {
        Latencies latencies = new Latencies();
        long before = System.nanoTime();
        long end = before + pace.latencies().toNanos();
        while (before < end) {
            query.run();
            long after = System.nanoTime();
            latencies.add(after - before);
            before = after;
        }
        return latencies;
    }

    private void tell(String caseName, Meter.Reading reading, long checksum) {
        run.measured(
                new Measurement(
                        caseName,
                        "rate",
                        "queries/s",
                        reading.perSecond(),
                        reading.cpuPerOp(),
                        reading.bytesPerOp(),
                        subject.usual(),
                        checksum));
    }
}
