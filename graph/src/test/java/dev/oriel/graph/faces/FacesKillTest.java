package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.Transaction;
import dev.oriel.testkit.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that transfers between accounts of all faces ([FacesVictim]) is killed repeatedly, and continues.
/// After each kill every acknowledged transfer is in all faces, with at most one more of each teller.
/// `-Dkill.rounds=` sets the number of kills, `-Dseed=` replays delays.
final class FacesKillTest {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 4);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final long[] told = new long[FacesVictim.TELLERS];

    @Test
    void everyAcknowledgedTransferSurvivesTheKillInAllFaces() throws Exception {
        SplittableRandom random = Seed.of("FacesKillTest", 66);
        Path data = folder.resolve("data");
        long beyond = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            kill(data, random);
            DatabaseOptions options =
                    DatabaseOptions.defaults().withReadOnly(random.nextInt(3) > 0);
            try (Database db = Database.open(data, options)) {
                assertEquals(List.of(), db.check());
                if (!FacesVictim.isReady(db)) {
                    assertEquals(0, LongStream.of(told).sum());
                    continue;
                }
                Bank bank = new Bank(db, FacesVictim.ACCOUNTS, FacesVictim.TELLERS);
                bank.check();
                try (Transaction tx = db.begin(Bank.READING)) {
                    for (int teller = 0; teller < told.length; teller++) {
                        long found = bank.written(tx, teller);
                        long last = told[teller];
                        int number = teller;
                        assertTrue(
                                found >= last && found <= last + 1,
                                () -> number + " was told " + last + ", found " + found);
                        beyond += found - last;
                        told[teller] = found;
                    }
                }
            }
        }
        System.out.printf(
                "%d kills, transfers %s, %d found beyond%n", ROUNDS, Arrays.toString(told), beyond);
    }

    /// Starts the process and kills it, mostly while it transfers.
    private void kill(Path data, SplittableRandom random) throws Exception {
        Path errors = folder.resolve("errors.txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-ea",
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FacesVictim.class.getName(),
                                data.toString(),
                                Long.toString(random.nextLong()),
                                Long.toString(32L << 10 << random.nextInt(6)))
                        .redirectError(errors.toFile())
                        .start();
        boolean early = random.nextInt(5) == 0;
        long nanos = random.nextLong(early ? 1_000_000_000L : 1_500_000_000L);
        Thread killer = early ? Thread.ofPlatform().start(() -> killAfter(process, nanos)) : null;
        try (BufferedReader lines = process.inputReader()) {
            String line = lines.readLine();
            while (line != null) {
                if (!line.equals("opened")) {
                    int space = line.indexOf(' ');
                    int teller = Integer.parseInt(line.substring(0, space));
                    told[teller] = Long.parseLong(line.substring(space + 1));
                    if (killer == null) {
                        killer = Thread.ofPlatform().start(() -> killAfter(process, nanos));
                    }
                }
                line = lines.readLine();
            }
        } finally {
            process.destroyForcibly();
        }
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        if (killer != null) {
            killer.join();
        }
        // 137 is the exit value of a killed process; any other one means a finding.
        assertEquals(137, process.exitValue(), () -> text(errors));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void killAfter(Process process, long nanos) {
        try {
            boolean _ = process.waitFor(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Process.destroyForcibly would close the pipe with unread output.
            process.toHandle().destroyForcibly();
        }
    }
}
