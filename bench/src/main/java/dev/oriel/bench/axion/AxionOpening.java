package dev.oriel.bench.axion;

import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.sql.SqlSubject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.LongStream;

/// The case `axion/open`: the time from the call that opens an existing database on disk to the tenth row of its
/// first query. The JVM has done so before. The figure is the median of many; closing is not timed.
final class AxionOpening {
    static final String CASE = "axion/open";
    private static final int WARM_MIN = 5;
    private static final int TIMED_MIN = 5;

    private final SqlSubject subject;
    private final AxionPace pace;
    private final Run run;

    AxionOpening(SqlSubject subject, AxionPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
    }

    void measure() throws SQLException {
        AxionWords words = AxionWords.of(pace.rows(), run.seed());
        Path folder = run.folder().resolve("db");
        subject.close(new AxionTable(subject, words).make(folder, subject.usual()));
        run.phase("warming up opening");
        repeat(words, folder, WARM_MIN);
        run.phase("opening");
        Meter meter = Meter.start();
        long[] nanos = repeat(words, folder, TIMED_MIN);
        Meter.Reading all = meter.stop(nanos.length);
        Arrays.sort(nanos);
        run.measured(
                new Measurement(
                        CASE,
                        "time",
                        "ms",
                        nanos[nanos.length / 2] / 1e6,
                        all.cpuPerOp(),
                        all.bytesPerOp(),
                        subject.usual(),
                        checksum(words, folder)));
    }

    private long[] repeat(AxionWords words, Path folder, int min) throws SQLException {
        LongStream.Builder nanos = LongStream.builder();
        Meter meter = Meter.start();
        for (int i = 0; i < min || meter.elapsed() < pace.write().toNanos(); i++) {
            long start = System.nanoTime();
            Connection connection = subject.connect(folder, subject.usual());
            try (AxionQuery query =
                    new AxionQuery(connection, AxionForm.LIMIT_BOTH, subject, words)) {
                query.run();
                nanos.add(System.nanoTime() - start);
            }
            subject.close(connection);
        }
        return nanos.build().toArray();
    }

    private long checksum(AxionWords words, Path folder) throws SQLException {
        Connection connection = subject.connect(folder, subject.usual());
        try (AxionQuery query = new AxionQuery(connection, AxionForm.LIMIT_BOTH, subject, words)) {
            return query.check(1);
        } finally {
            subject.close(connection);
        }
    }
}
