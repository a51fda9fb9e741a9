package dev.oriel.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The query cases: `cold`, the first 5,000 queries of the JVM, then `warm`, 50,000 or what fits
/// the time, then the percentiles of a pass with a clock around each query.
///
/// The table is made in the same JVM; a database on disk is closed and opened again before.
final class AxionQueries {
    private static final int CHECKED = 200;
    private static final long WINDOW_NANOS = 150_000_000;
    private static final double FLAT = 1.03;
    private static final int BURST = 16;
    private static final long SLOW_NANOS = 50_000;

    private final SqlSubject subject;
    private final AxionPace pace;
    private final Run run;

    /// Queries between two looks at the clock: several where a look would count.
    private int burst = BURST;

    AxionQueries(SqlSubject subject, AxionPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
    }

    /// @param forms the first is measured cold and warm, the others warm
    void measure(List<AxionForm> forms) throws SQLException {
        AxionWords words = AxionWords.of(pace.rows(), run.seed());
        run.phase("loading");
        Durability durability = subject.usual();
        Connection connection =
                new AxionTable(subject, words).make(run.folder().resolve("db"), durability);
        if (!subject.inMemory()) {
            subject.close(connection);
            connection = subject.connect(run.folder().resolve("db"), durability);
        }
        for (AxionForm form : forms) {
            try (AxionQuery query = new AxionQuery(connection, form, subject, words)) {
                measure(form, query, form == forms.getFirst());
            }
        }
        subject.close(connection);
    }

    private void measure(AxionForm form, AxionQuery query, boolean andCold) throws SQLException {
        Meter.Reading cold = andCold ? cold(query) : null;
        Meter meter = Meter.start();
        long sum = query.check(CHECKED);
        burst = meter.elapsed() / CHECKED > SLOW_NANOS ? 1 : BURST;
        if (cold != null) {
            tell(form.caseName("cold"), cold, sum);
        }
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
        warmUp(query);
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

    /// Until three windows in a row were no faster than the best before them.
    private void warmUp(AxionQuery query) throws SQLException {
        long start = System.nanoTime();
        long windowNanos = Math.min(WINDOW_NANOS, pace.warmUpMax().toNanos());
        double best = 0;
        int flat = 0;
        while (flat < 3 && System.nanoTime() - start < pace.warmUpMax().toNanos()) {
            Meter window = Meter.start();
            int queries = 0;
            while (window.elapsed() < windowNanos) {
                burst(query);
                queries += burst;
            }
            double rate = window.stop(queries).perSecond();
            flat = rate > best * FLAT ? 0 : flat + 1;
            best = Math.max(best, rate);
        }
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
