package dev.oriel.bench.axion;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Jars;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.bench.measure.Resident;
import dev.oriel.bench.sql.SqlSubject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The case `axion/memory`: the memory that a process gains by an open database after 1,000 queries.
///
/// It runs in a JVM of its own, with this main class. Only the subject's jars are on its class path, so that no
/// other product's classes count. A database on disk was made by another process. The JVM interprets, so that the
/// compiler takes no memory. Its heap is resident as a whole from the start, so that resident memory grows only
/// outside of it. Counted are
/// - heap: usage after a full collection; the words of the queries are gone by then, unless the database keeps
///   them;
/// - native: resident anonymous memory, which holds class metadata, direct buffers and allocations of native
///   libraries; and resident pages of files mapped since, such as the database's own and native libraries.
///
/// The system's file cache, used by products that read files by calls, is not counted.
final class AxionMemory {
    static final String CASE = "axion/memory";
    private static final int QUERIES = 1_000;
    private static final List<String> OPTIONS =
            List.of(
                    "-Xint",
                    "-XX:+UseSerialGC",
                    "-Xms256m",
                    "-Xmx256m",
                    "-XX:+AlwaysPreTouch",
                    "--enable-native-access=ALL-UNNAMED");

    private AxionMemory() {}

    /// Measures in a JVM of its own.
    static void measure(SqlSubject subject, AxionPace pace, Run run)
            throws SQLException, IOException, InterruptedException, ClassNotFoundException {
        if (!Resident.isKnown()) {
            run.cannot(CASE, "this system does not say what memory a process holds");
            return;
        }
        Path folder = run.folder().resolve("db");
        if (!subject.inMemory()) {
            run.phase("loading");
            AxionWords words = AxionWords.of(pace.rows(), run.seed());
            subject.close(new AxionTable(subject, words).make(folder, subject.usual()));
        }
        run.phase("measuring memory");
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(subject.jvmArgs());
        List<Path> jars = new ArrayList<>(Jars.of(subject.classes()));
        jars.add(Jars.of(AxionMemory.class));
        jars.add(Jars.of(subject.getClass()));
        List<Long> numbers =
                new ChildJvm(options, jars.stream().distinct().toList(), AxionMemory.class)
                        .run(
                                List.of(
                                        subject.name(),
                                        folder.toString(),
                                        Integer.toString(pace.rows()),
                                        Long.toString(run.seed())))
                        .numbers();
        double heap = Math.max(numbers.get(0), 1);
        double outside = Math.max(numbers.get(1), 1);
        run.figure(CASE, "memory", "bytes", heap + outside, subject.usual());
        run.figure(CASE, "heap", "bytes", heap, subject.usual());
        run.figure(CASE, "native", "bytes", outside, subject.usual());
    }

    /// Arguments: SUBJECT FOLDER ROWS SEED.
    public static void main(String[] args) throws SQLException, IOException {
        SqlSubject subject = (SqlSubject) new Catalog().subject(new AxionWorkload(), args[0]);
        Path folder = Path.of(args[1]);
        int rows = Integer.parseInt(args[2]);
        long seed = Long.parseLong(args[3]);
        AxionWords.of(2, seed); // loads the classes that the benchmark itself uses
        Resident before = Resident.now();
        long heapBefore = heap();
        Connection connection = open(subject, folder, rows, seed);
        try {
            long heap = heap() - heapBefore;
            long outside = Resident.now().beyond(before);
            System.out.println(ChildJvm.MARK + heap + " " + outside);
        } finally {
            Reference.reachabilityFence(connection);
        }
        subject.close(connection);
    }

    private static Connection open(SqlSubject subject, Path folder, int rows, long seed)
            throws SQLException {
        AxionWords words = AxionWords.of(rows, seed);
        Connection connection =
                subject.inMemory()
                        ? new AxionTable(subject, words).make(folder, subject.usual())
                        : subject.connect(folder, subject.usual());
        AxionQuery query = new AxionQuery(connection, AxionForm.LIMIT_BOTH, subject, words);
        for (int i = 0; i < QUERIES; i++) {
            query.run();
        }
        query.close();
        return connection;
    }

    private static long heap() {
        System.gc();
        System.gc(); // frees memory released by cleaners and references in the first
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
