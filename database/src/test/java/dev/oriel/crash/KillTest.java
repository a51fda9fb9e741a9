package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// A process that writes, reads, checks, copies and compacts is killed again and again, at any moment of its life, and the database goes
/// on from there. After each kill every acknowledged commit must be there, and nothing else except
/// the one that was under way, whole; of each [Teller] beside it too.
///
/// `-Dkill.rounds=` says how often (scripts/kill-test runs 100), `-Dkill.durability=` in which class
/// of durability, `-Dseed=` replays delays and operations, as far as time can be replayed.
class KillTest {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 5);
    private static final String DURABILITY = System.getProperty("kill.durability", "written");

    /// Every so many rounds a database of its own is created, to be killed early.
    private static final int CREATION_EVERY = 8;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final SplittableRandom random = Seed.of("KillTest", 20_260_101);
    private final long ledgerSeed = random.nextLong();
    private long acknowledged;
    private long beyond;
    private long bytesMost;
    private int early;
    private int complete;
    private int cutOff;
    private int empty;

    /// What the process is doing when the clock of its death begins to run.
    private enum Moment {
        START(900),
        OPENING(500),
        LOADING(2_500),
        CLOSING(60);

        final int millisMost;

        Moment(int millisMost) {
            this.millisMost = millisMost;
        }

        String event() {
            return this == LOADING ? "opened" : name().toLowerCase(Locale.ROOT);
        }
    }

    /// @param commits after which the process closes the database by itself
    /// @param readOnly whether the check leaves the files as the kill did, so that the next process
    ///     recovers what was never closed
    private record Round(
            Moment moment, long delayNanos, long checkpointBytes, long commits, boolean readOnly) {}

    @Test
    void everyAcknowledgedCommitSurvivesTheKill() throws Exception {
        long began = System.nanoTime();
        Ledger ledger = new Ledger(ledgerSeed);
        long known = -1;
        long[] told = new long[Teller.COUNT];
        for (int number = 1; number <= ROUNDS; number++) {
            if (number % CREATION_EVERY == 0) {
                Path created = folder.resolve("created-" + number);
                long[] none = new long[Teller.COUNT];
                round(number, created, creation(), new Ledger(ledgerSeed), -1, none);
                delete(created);
            }
            known = round(number, folder.resolve("ledger"), round(), ledger, known, told);
        }
        System.out.printf(
                "KillTest: %d kills (%s), %d commits acknowledged and %d to tellers, %d found beyond, %d processes"
                        + " killed before they had opened, %d copies complete, %d cut off, %d not"
                        + " begun, %d rows, at most %d KB of files, %d s%n",
                ROUNDS + ROUNDS / CREATION_EVERY,
                DURABILITY,
                acknowledged,
                LongStream.of(told).sum(),
                beyond,
                early,
                complete,
                cutOff,
                empty,
                ledger.entries().size(),
                bytesMost >> 10,
                (System.nanoTime() - began) / 1_000_000_000);
    }

    private Round round() {
        int dice = random.nextInt(10);
        Moment moment =
                dice < 1
                        ? Moment.START
                        : dice < 3 ? Moment.OPENING : dice < 8 ? Moment.LOADING : Moment.CLOSING;
        return new Round(
                moment,
                random.nextLong(moment.millisMost * 1_000_000L),
                16L << 10 << random.nextInt(10),
                moment == Moment.CLOSING ? random.nextInt(200) : Long.MAX_VALUE / 2,
                random.nextInt(4) != 0);
    }

    private Round creation() {
        long delay = random.nextLong(Moment.OPENING.millisMost * 1_000_000L);
        return new Round(Moment.OPENING, delay, 64 << 10, Long.MAX_VALUE / 2, false);
    }

    /// Returns the last commit of the database afterwards.
    ///
    /// @param known the last one before; -1 where it may not even exist
    /// @param told the last commit of each teller, likewise; brought up to date
    private long round(
            int number, Path database, Round round, Ledger ledger, long known, long[] told)
            throws Exception {
        String url =
                "jdbc:oriel:%s?durability=%s&checkpointBytes=%d"
                        .formatted(database, DURABILITY, round.checkpointBytes);
        long last;
        try (Victim victim =
                Victim.start(folder, url, ledgerSeed, random.nextLong(), round.commits)) {
            if (round.moment != Moment.START) {
                victim.await(round.moment.event());
            }
            boolean killed = victim.killAfter(round.delayNanos);
            early += killed && !victim.said("opened") ? 1 : 0;
            last = Math.max(known, victim.lastCommit());
            for (int i = 0; i < told.length; i++) {
                told[i] = Math.max(told[i], victim.told(i));
            }
        }
        acknowledged += Math.max(0, last) - Math.max(0, known);
        long bytes = bytes(database);
        bytesMost = Math.max(bytesMost, bytes);
        System.out.printf(
                "round %d: %s + %d us, checkpoint every %d KB, commit %d (+%d), %d KB, %s%n",
                number,
                round.moment,
                round.delayNanos / 1000,
                round.checkpointBytes >> 10,
                last,
                last - known,
                bytes >> 10,
                round.readOnly ? "read" : "reopened");
        checkCopies(KillTarget.copies(database), last);
        return check(database, round.readOnly && known >= 0, ledger, last, told);
    }

    /// A copy that the kill has cut off does not open; one that was complete is one moment of the
    /// database.
    private void checkCopies(Path copies, long last) throws IOException, SQLException {
        if (!Files.exists(copies)) {
            return;
        }
        DatabaseOptions reading = DatabaseOptions.defaults().withReadOnly(true);
        for (Path copy : list(copies)) {
            if (list(copy).stream().allMatch(file -> file.endsWith("lock"))) {
                empty++; // the kill came before the first file of the database
            } else {
                try (Database database = Database.open(copy, reading)) {
                    long found = LedgerCheck.commits(database);
                    assertTrue(found <= last + 1, () -> "a copy has " + found + " after " + last);
                    Ledger ledger = new Ledger(ledgerSeed);
                    ledger.advance(found);
                    LedgerCheck.check(database, ledger);
                    complete++;
                } catch (UsageException e) {
                    assertTrue(String.valueOf(e.getMessage()).contains("cut off"), e::toString);
                    cutOff++;
                }
            }
            delete(copy);
        }
        delete(copies);
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private long check(Path path, boolean readOnly, Ledger ledger, long last, long[] told)
            throws SQLException {
        DatabaseOptions options = DatabaseOptions.defaults().withReadOnly(readOnly);
        try (Database database = Database.open(path, options)) {
            long found = LedgerCheck.commits(database);
            assertTrue(found >= last, () -> "commit " + last + " was acknowledged; found " + found);
            assertTrue(found <= last + 1, () -> "commit " + last + " was the last; found " + found);
            beyond += found - last;
            if (found >= 0) {
                ledger.advance(found);
                LedgerCheck.check(database, ledger);
                Teller.check(database, told);
            }
            return found;
        }
    }

    private static long bytes(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return 0;
        }
        long bytes = 0;
        for (Path file : list(folder)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    private static void delete(Path folder) throws IOException {
        for (Path file : list(folder)) {
            Files.delete(file);
        }
        Files.delete(folder);
    }
}
