package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.MachineSpeed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a prepared query of one row costs through JDBC, from its parameter to the closing of its result, where
/// its value is a number and so costs nothing itself: in the CPU's time and in bytes of the heap. The best of
/// some rounds counts; there are more of them while the compiler of the JVM has not come to it, and a slower
/// machine has more time.
@Tag("measured")
final class PreparedCostTest {
    static {
        // Its module has no use for the JVM's counters, and so does not read theirs.
        PreparedCostTest.class
                .getModule()
                .addReads(ModuleLayer.boot().findModule("java.management").orElseThrow());
    }

    private static final double NANOS_MAX = 500;
    private static final double BYTES_MAX = 300;
    private static final int ROWS = 1_000;
    private static final int ROUNDS = 12;
    private static final int ROUNDS_MAX = 100;
    private static final int QUERIES = 200_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    @Test
    void preparedQueryOfOneRowCostsLessThanFiveHundredNanosecondsAndThreeHundredBytes()
            throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT NOT NULL)");
            statement.execute(
                    "INSERT INTO t SELECT i, i * 3 FROM generate_series(0, %d) AS s(i)"
                            .formatted(ROWS - 1));
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT v FROM t WHERE id = ?")) {
                double nanos = Double.MAX_VALUE;
                double bytes = Double.MAX_VALUE;
                boolean enough = false;
                for (int round = 0; round < ROUNDS || (!enough && round < ROUNDS_MAX); round++) {
                    long allocated = allocatedBytes();
                    long begun = threads.getCurrentThreadCpuTime();
                    assertEquals(sumOf(QUERIES), queries(query));
                    long took = threads.getCurrentThreadCpuTime() - begun;
                    nanos = Math.min(nanos, (double) took / QUERIES);
                    allocated = allocatedBytes() - allocated;
                    bytes = Math.min(bytes, (double) allocated / QUERIES);
                    enough = nanos < NANOS_MAX && bytes < BYTES_MAX;
                }
                System.out.printf("prepared query of a row: %.0f ns, %.0f bytes%n", nanos, bytes);
                double best = nanos;
                double least = bytes;
                if (best >= NANOS_MAX) {
                    double slowness = MachineSpeed.slowness(threads::getCurrentThreadCpuTime);
                    assertTrue(
                            best < NANOS_MAX * slowness, () -> best + " ns, slowness " + slowness);
                }
                assertTrue(least < BYTES_MAX, () -> least + " bytes");
            }
        }
    }

    /// Of this thread so far, asked by name, because the interface that knows it belongs to a module that this one
    /// does not read.
    private static long allocatedBytes() {
        try {
            ObjectName name = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
            return (long)
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(name, "CurrentThreadAllocatedBytes");
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private static long sumOf(int queries) {
        return 3L * (ROWS - 1) * ROWS / 2 * (queries / ROWS);
    }

    private static long queries(PreparedStatement query) throws SQLException {
        long sum = 0;
        for (int i = 0; i < QUERIES; i++) {
            query.setInt(1, i % ROWS);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                sum += rows.getLong(1);
            }
        }
        return sum;
    }
}
