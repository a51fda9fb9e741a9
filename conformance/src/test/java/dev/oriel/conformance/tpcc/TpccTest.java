package dev.oriel.conformance.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.tpcc.TpccConsistency;
import dev.oriel.bench.tpcc.TpccLoader;
import dev.oriel.bench.tpcc.TpccSize;
import dev.oriel.bench.tpcc.TpccTerminal;
import dev.oriel.testkit.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TPC-C under sixteen threads at each level of isolation, and in a process that is killed: its
/// consistency conditions hold, and every order and payment that was acknowledged is there.
/// `-Dtpcc.transactions=` says how many transactions a thread does, `-Dtpcc.kills=` how often the
/// process is killed.
class TpccTest {
    private static final int TRANSACTIONS = Integer.getInteger("tpcc.transactions", 40);
    private static final int KILLS = Integer.getInteger("tpcc.kills", 2);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void conditionsHoldUnderSixteenThreads(int isolation) throws Exception {
        SplittableRandom random = Seed.of("TpccTest", 20_260_603 + isolation);
        try (Database database = Database.open(folder.resolve("tpcc"))) {
            try (Connection connection = database.connect()) {
                new TpccLoader(connection, TpccSize.SMALL, random.split()).load();
                assertEquals(List.of(), TpccConsistency.broken(connection));
            }
            long started = System.nanoTime();
            List<TpccTerminal.Done> done = run(database, isolation, random);
            double seconds = (System.nanoTime() - started) / 1e9;
            Map<String, Integer> kinds = new HashMap<>();
            done.forEach(one -> kinds.merge(one.kind(), 1, Integer::sum));
            System.out.printf("TpccTest: level %d, %s, %.1f s%n", isolation, kinds, seconds);
            try (Connection connection = database.connect()) {
                assertEquals(List.of(), TpccConsistency.broken(connection));
                BigDecimal loaded =
                        BigDecimal.valueOf(
                                30_000L * TpccSize.SMALL.warehouses() * TpccSize.SMALL.districts());
                assertEquals(
                        0,
                        loaded.add(TpccTerminal.paid(done))
                                .compareTo(
                                        decimal(connection, "SELECT SUM(w_ytd) FROM warehouse")));
                long orders = done.stream().filter(one -> one.order() > 0).count();
                int customers =
                        TpccSize.SMALL.warehouses()
                                * TpccSize.SMALL.districts()
                                * TpccSize.SMALL.customers();
                assertEquals(
                        BigDecimal.valueOf(customers + orders),
                        decimal(connection, "SELECT COUNT(*) FROM orders"));
            }
            assertEquals(List.of(), database.check());
        }
    }

    private static List<TpccTerminal.Done> run(
            Database database, int isolation, SplittableRandom random)
            throws SQLException, InterruptedException, ExecutionException {
        List<TpccTerminal.Done> done = new ArrayList<>();
        int again = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(TpccProcess.TERMINALS)) {
            List<TpccTerminal> terminals = new ArrayList<>();
            List<Future<List<TpccTerminal.Done>>> tasks = new ArrayList<>();
            for (int i = 0; i < TpccProcess.TERMINALS; i++) {
                TpccTerminal terminal =
                        new TpccTerminal(
                                database.connect(),
                                TpccSize.SMALL,
                                manner(isolation),
                                random.split());
                terminals.add(terminal);
                tasks.add(
                        threads.submit(() -> {
                            List<TpccTerminal.Done> own = new ArrayList<>();
                            for (int n = 0; n < TRANSACTIONS; n++) {
                                own.add(terminal.transact());
                            }
                            return own;
                        }));
            }
            for (Future<List<TpccTerminal.Done>> task : tasks) {
                done.addAll(task.get());
            }
            for (TpccTerminal terminal : terminals) {
                again += terminal.again();
                terminal.close();
            }
        }
        System.out.println("TpccTest: " + again + " transactions were run again");
        return done;
    }

    private static TpccTerminal.Manner manner(int isolation) {
        return new TpccTerminal.Manner(isolation, true, SqlDialect.STANDARD);
    }

    private static BigDecimal decimal(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getBigDecimal(1);
        }
    }

    @Test
    void conditionsHoldAfterAKill() throws Exception {
        SplittableRandom random = Seed.of("TpccTest", 20_260_604);
        Path path = folder.resolve("killed");
        String url = "jdbc:oriel:" + path + "?durability=written";
        try (Connection connection = DriverManager.getConnection(url)) {
            new TpccLoader(connection, TpccSize.SMALL, random.split()).load();
        }
        List<String> said = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            said.addAll(killed(url, random));
            try (Database database = Database.open(path);
                    Connection connection = database.connect()) {
                assertEquals(List.of(), TpccConsistency.broken(connection));
                assertKept(connection, said);
                assertEquals(List.of(), database.check());
            }
        }
        System.out.println(
                "TpccTest: " + KILLS + " kills, " + said.size() + " commits acknowledged");
        assertTrue(said.size() > 20, () -> "acknowledged: " + said);
    }

    /// Everything that a process said before it was killed.
    private List<String> killed(String url, SplittableRandom random)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-ea",
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                TpccProcess.class.getName(),
                                url,
                                Long.toString(random.nextLong()))
                        .redirectError(errors.toFile())
                        .start();
        List<String> said = new ArrayList<>();
        int commits = random.nextInt(20, 400);
        try (BufferedReader lines = process.inputReader()) {
            assertEquals("ready", lines.readLine(), () -> read(errors));
            for (int i = 0; i < commits; i++) {
                String line = lines.readLine();
                assertNotNull(line, () -> read(errors));
                said.add(line);
            }
            process.toHandle().destroyForcibly();
            // What was said before it died counts as well.
            String line = lines.readLine();
            while (line != null) {
                said.add(line);
                line = lines.readLine();
            }
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return said;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    private static void assertKept(Connection connection, List<String> said) throws SQLException {
        Map<String, Long> paid = new HashMap<>();
        for (String line : said) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("paid")) {
                paid.merge(words[1], Long.parseLong(words[2]), Long::sum);
            } else {
                assertEquals(
                        BigDecimal.ONE,
                        decimal(
                                connection,
                                "SELECT COUNT(*) FROM orders WHERE o_w_id = %s AND o_d_id = %s AND o_id = %s"
                                        .formatted(words[1], words[2], words[3])),
                        line);
            }
        }
        for (Map.Entry<String, Long> sum : paid.entrySet()) {
            BigDecimal found =
                    decimal(connection, "SELECT w_ytd FROM warehouse WHERE w_id = " + sum.getKey());
            BigDecimal least =
                    BigDecimal.valueOf(30_000L * TpccSize.SMALL.districts())
                            .add(BigDecimal.valueOf(sum.getValue(), 2));
            // Sixteen payments at most were committed and not yet said.
            assertTrue(
                    found.compareTo(least) >= 0
                            && found.compareTo(
                                            least.add(
                                                    BigDecimal.valueOf(
                                                            5_000L
                                                                    * TpccProcess.TERMINALS
                                                                    * KILLS)))
                                    <= 0,
                    () -> "warehouse " + sum.getKey() + ": " + found + ", acknowledged " + least);
        }
    }
}
