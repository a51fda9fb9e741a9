package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// One scenario of records, for one subject.
final class JdbmRun {
    private final Run run;
    private final RecordSubject subject;

    /// Greatest share of the JVM's time for inserts: the store is to be read too.
    private static final double LOAD_SHARE = 0.7;

    private final JdbmTimes times;
    private final Path folder;
    private boolean warm;

    JdbmRun(Run run, RecordSubject subject, JdbmTimes times) {
        this.run = run;
        this.subject = subject;
        this.times = times;
        this.folder = JdbmWorkload.store(run);
    }

    /// Inserts, scans and gets.
    ///
    /// @param caseName the case of `insert`, `scan` and `get`
    void records(JdbmParameters parameters, UnaryOperator<String> caseName) throws IOException {
        String insert = caseName.apply("insert");
        Durability durability = parameters.durability();
        if (!offers(insert, durability)) {
            return;
        }
        if (!parameters.inOrder() && !subject.takesAnyId()) {
            run.cannot(insert, "its ids are its own, in the order of insertion");
            return;
        }
        JdbmLoad.Opening opening = path -> subject.open(path, durability, parameters.count());
        int commitEvery = JdbmLoad.commitEvery(parameters.valueBytes());
        JdbmLoad.Plan plan = new JdbmLoad.Plan(parameters.count(), commitEvery, false);
        if (load(insert, opening, parameters, plan)) {
            file(insert, parameters);
            if (reads(durability)) {
                run.phase("reading");
                read(opening, parameters, caseName);
            }
        }
    }

    /// Reads are the same in all classes: they are measured in class WRITTEN or MEMORY, and in SYNC for subjects
    /// without WRITTEN, and for ours.
    private boolean reads(Durability durability) {
        return switch (durability) {
            case WRITTEN, MEMORY -> true;
            case SYNC ->
                    subject.product().equals("oriel")
                            || !subject.durabilities().contains(Durability.WRITTEN);
            case ASYNC -> false;
        };
    }

    private void read(
            JdbmLoad.Opening opening, JdbmParameters parameters, UnaryOperator<String> caseName)
            throws IOException {
        String scan = caseName.apply("scan");
        String get = caseName.apply("get");
        try (RecordStore store = opening.open(folder);
                RecordStore.Session session = store.session()) {
            session.beginRead();
            JdbmData data = parameters.data(run.seed());
            JdbmReads reads = new JdbmReads(run, session, data, parameters.count(), times);
            if (run.wants(scan)) {
                reads.scan(scan, parameters.durability());
            }
            if (run.wants(get)) {
                reads.get(get, parameters.durability());
                memory(get, parameters.durability());
            }
            session.endRead();
        }
    }

    /// Loads in order, in one transaction, by the product's path for that.
    void bulk(String caseName, JdbmParameters parameters) throws IOException {
        JdbmLoad.Opening opening =
                path -> subject.open(path, parameters.durability(), parameters.count());
        JdbmLoad.Plan plan = new JdbmLoad.Plan(parameters.count(), parameters.count(), true);
        if (load(caseName, opening, parameters, plan)) {
            file(caseName, parameters);
            checkScan(opening, parameters);
        }
    }

    /// Inserts with transactions disabled.
    void noTransactions(String caseName, JdbmParameters parameters) throws IOException {
        Path probe = run.folder().resolve("probe");
        Files.createDirectories(probe);
        try (RecordStore store = subject.openWithoutTransactions(probe, parameters.count())) {
            if (store == null) {
                run.cannot(caseName, "it has no mode without transactions");
                return;
            }
        }
        JdbmLoad.Opening opening =
                path ->
                        Objects.requireNonNull(
                                subject.openWithoutTransactions(path, parameters.count()));
        JdbmParameters unsafe =
                new JdbmParameters(
                        parameters.order(),
                        parameters.count(),
                        parameters.valueBytes(),
                        Durability.ASYNC);
        JdbmLoad.Plan plan = new JdbmLoad.Plan(parameters.count(), JdbmLoad.COMMIT_EVERY, false);
        if (load(caseName, opening, unsafe, plan)) {
            checkScan(opening, unsafe);
        }
    }

    /// Single commits by `threads`. The first call warms up later ones.
    void commits(String caseName, int threads, Durability durability) throws Exception {
        if (!offers(caseName, durability)) {
            return;
        }
        run.phase(threads + " committers");
        Path path = run.folder().resolve("commits-" + threads);
        JdbmTimes now = warm ? times.warm() : times;
        new JdbmCommits(run, subject, now).measure(caseName, path, threads, durability);
        warm = true;
    }

    private boolean offers(String caseName, Durability durability) {
        if (subject.durabilities().contains(durability)) {
            return true;
        }
        run.cannot(caseName, "it has no commit of class " + durability);
        return false;
    }

    /// Fills the store and reports the measurement; false if the time expired before, or the disk was full.
    private boolean load(
            String caseName,
            JdbmLoad.Opening opening,
            JdbmParameters parameters,
            JdbmLoad.Plan plan)
            throws IOException {
        Durability durability = parameters.durability();
        JdbmLoad load = new JdbmLoad(opening, parameters.data(run.seed()), plan);
        run.phase("warming up");
        load.warmUp(run.folder().resolve("warm-up"), times.warmUp());
        run.phase("inserting");
        Duration atLeast = times.measured().dividedBy(2);
        Duration atMost = run.left(LOAD_SHARE, times.loadMax());
        Meter.Reading reading = load.measure(folder, atLeast, atMost);
        if (reading.operations() % parameters.count() != 0) {
            run.stopped(
                    caseName,
                    String.format(
                            Locale.ROOT,
                            "at %,d records after %d s",
                            reading.operations(),
                            Duration.ofNanos(reading.nanos()).toSeconds()));
            return false;
        }
        if (run.wants(caseName)) {
            run.rate(caseName, reading, durability, 0);
            memory(caseName, durability);
        }
        return true;
    }

    /// Not reported without transactions: such a file may be as long as its memory map and mostly holes.
    private void file(String caseName, JdbmParameters parameters) throws IOException {
        if (!run.wants(caseName)) {
            return;
        }
        double perRecord = (double) RunFiles.bytes(folder) / parameters.count();
        double ratio = perRecord / (Long.BYTES + parameters.valueBytes());
        run.figure(caseName, "file", "bytes/op", perRecord, parameters.durability());
        run.figure(caseName, "file-ratio", "ratio", ratio, parameters.durability());
    }

    private void memory(String caseName, Durability durability) throws IOException {
        long bytes = RunFiles.peakMemoryBytes();
        if (bytes > 0) {
            run.figure(caseName, "memory", "bytes", (double) bytes, durability);
        }
    }

    private void checkScan(JdbmLoad.Opening opening, JdbmParameters parameters) throws IOException {
        try (RecordStore store = opening.open(folder);
                RecordStore.Session session = store.session()) {
            session.beginRead();
            long sum = session.scan();
            session.endRead();
            if (sum != parameters.data(run.seed()).scanSum(parameters.count())) {
                throw new IllegalStateException("A record is missing or wrong");
            }
        }
    }
}
