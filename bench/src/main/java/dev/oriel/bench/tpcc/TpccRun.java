package dev.oriel.bench.tpcc;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.WarmUp;
import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.tpcc.TpccWorkload.TpccPace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Terminals that work on one database.
///
/// @param durability of each commit
/// @param threads number of terminals, a thread each
record TpccRun(SqlSubject subject, Durability durability, int threads, TpccPace pace, Run run) {
    private static final Duration WINDOW = Duration.ofMillis(500);

    void measure(String caseName) throws SQLException, InterruptedException {
        if (threads > 1 && subject.dialect() == SqlDialect.DUCKDB) {
            run.cannot(
                    caseName,
                    "its transactions fail where others wait for a row: so many terminals on one"
                            + " warehouse did not come to an end in a minute");
            return;
        }
        Path database = run.folder().resolve("db");
        SplittableRandom random = new SplittableRandom(run.seed());
        run.phase("loading");
        Connection loading = subject.connectWriter(database, durability);
        new TpccLoader(loading, pace.size(), random.split()).load();
        loading.setAutoCommit(true);
        subject.close(loading);

        Connection open = subject.connectWriter(database, durability);
        List<Seat> seats = new ArrayList<>();
        TpccTerminal.Manner manner =
                new TpccTerminal.Manner(
                        Connection.TRANSACTION_READ_COMMITTED, false, subject.dialect());
        for (int i = 0; i < threads; i++) {
            seats.add(
                    new Seat(
                            new TpccTerminal(
                                    subject.connectWriter(database, durability),
                                    pace.size(),
                                    manner,
                                    random.split())));
        }
        long done;
        Meter meter;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            run.phase("warming up");
            new WarmUp(WINDOW, pace.warmUp()).repeat(() -> work(pool, seats, WINDOW));
            seats.forEach(Seat::begin);
            run.phase("measuring");
            meter = Meter.start();
            done = work(pool, seats, pace.measured());
        }
        int again = 0;
        Latencies orders = new Latencies();
        for (Seat seat : seats) {
            again += seat.terminal.again() - seat.againBefore;
            orders.add(seat.orders);
            seat.terminal.close();
        }
        subject.close(open);
        run.rate(caseName, meter.stop(done), durability, 0);
        if (orders.count() > 0) {
            run.latencies(caseName, orders, durability);
        }
        if (again > 0) {
            run.figure(caseName, "run again", "", (double) again / done, durability);
        }
        check(database);
    }

    private void check(Path database) throws SQLException {
        Connection connection = subject.connectWriter(database, durability);
        List<String> broken = TpccConsistency.broken(connection);
        subject.close(connection);
        if (!broken.isEmpty()) {
            throw new IllegalStateException("Conditions of TPC-C do not hold: " + broken);
        }
    }

    /// Runs all terminals for the duration; returns the number of their transactions.
    private static long work(ExecutorService pool, List<Seat> seats, Duration duration)
            throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        List<Future<Long>> tasks = new ArrayList<>();
        for (Seat seat : seats) {
            tasks.add(pool.submit(() -> seat.work(end)));
        }
        long done = 0;
        for (Future<Long> task : tasks) {
            try {
                done += task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A terminal failed", e.getCause());
            }
        }
        return done;
    }

    /// A terminal and its observations since the warm-up.
    private static final class Seat {
        private final TpccTerminal terminal;
        private Latencies orders = new Latencies();
        private int againBefore;

        private Seat(TpccTerminal terminal) {
            this.terminal = terminal;
        }

        private void begin() {
            orders = new Latencies();
            againBefore = terminal.again();
        }

        /// Runs one transaction at least, however late its turn comes.
        private long work(long end) throws SQLException {
            long done = 0;
            long start = System.nanoTime();
            do {
                boolean order = terminal.transact().order() > 0;
                long now = System.nanoTime();
                if (order) {
                    orders.add(now - start);
                }
                start = now;
                done++;
            } while (start < end);
            return done;
        }
    }
}
