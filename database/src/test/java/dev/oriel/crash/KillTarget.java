package dev.oriel.crash;

import dev.oriel.Database;
import dev.oriel.store.ConflictException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// The process that is killed: opens the database of a URL, writes the [Ledger] on from where it
/// ends, and says so on its standard output, a line each: `opening`, `opened N`, `commit N` once
/// `commit()` has returned, `closing`, `closed`. A second thread reads all the while, so that commits
/// and checkpoints meet snapshots; each [Teller] commits beside them and says `teller T N`; another one checks, copies and compacts the database in turns. The
/// copies go to [#copies], where those of processes that were killed stay as they are.
///
/// Arguments: URL, seed of the ledger, seed of this process's detours, how many commits to make.
public final class KillTarget {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private static final String PREFIX = "jdbc:oriel:";

    private final String url;
    private volatile boolean closing;

    private KillTarget(String url) {
        this.url = url;
    }

    /// Runs until killed, or until the commits are made.
    public static void main(String[] arguments) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        new KillTarget(arguments[0])
                .run(
                        Long.parseLong(arguments[1]),
                        new SplittableRandom(Long.parseLong(arguments[2])),
                        Long.parseLong(arguments[3]));
    }

    /// One write for each line, so that a kill cuts none in two.
    private static void say(String line) throws IOException {
        OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void run(long seed, SplittableRandom detours, long commits) throws Exception {
        say("opening");
        Connection connection = DriverManager.getConnection(url);
        LedgerTables.create(connection);
        long done = LedgerTables.commits(connection);
        say("opened " + done);
        Connection reading = DriverManager.getConnection(url);
        Thread reader = new Thread(() -> read(reading), "reader");
        reader.start();
        SplittableRandom turns = detours.split();
        Thread maintenance = new Thread(() -> maintain(turns), "maintenance");
        maintenance.start();
        List<Thread> tellers = startTellers(url);
        try (LedgerTables tables = new LedgerTables(connection, seed, detours)) {
            for (long number = done + 1; number <= done + commits; number++) {
                tables.commit(number);
                say("commit " + number);
            }
            closing = true;
            reader.join();
            for (Thread teller : tellers) {
                teller.join();
            }
            maintenance.join();
            say("closing");
        }
        say("closed");
    }

    private List<Thread> startTellers(String at) throws SQLException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Teller.COUNT; i++) {
            int teller = i;
            Connection connection = DriverManager.getConnection(at);
            Thread thread = new Thread(() -> tell(connection, teller), "teller-" + teller);
            threads.add(thread);
            thread.start();
        }
        return threads;
    }

    private void tell(Connection connection, int teller) {
        try (connection) {
            long number = Teller.commits(connection)[teller];
            Teller own = new Teller(connection, teller);
            while (!closing) {
                own.commit(++number);
                say("teller " + teller + " " + number);
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("teller " + teller + " failed", e);
        }
    }

    private void read(Connection connection) {
        try (connection;
                Statement statement = connection.createStatement()) {
            while (!closing) {
                long sum = 0;
                try (ResultSet rows = statement.executeQuery("SELECT amount FROM ledger")) {
                    while (rows.next()) {
                        sum += rows.getLong(1);
                    }
                }
                if (sum != 0) {
                    throw new AssertionError("a snapshot shows half a transaction: sum " + sum);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the reader failed", e);
        }
    }

    /// Where copies of the database at `path` go.
    static Path copies(Path path) {
        return path.resolveSibling(path.getFileName() + "-copies");
    }

    private Path path() {
        int end = url.indexOf('?');
        return Path.of(url.substring(PREFIX.length(), end < 0 ? url.length() : end));
    }

    private void maintain(SplittableRandom random) {
        try (Database database = Database.open(path())) {
            for (int turn = random.nextInt(3); !closing; turn++) {
                switch (turn % 3) {
                    case 0 -> check(database);
                    case 1 -> copy(database);
                    default -> compact(database);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the copies cannot be written", e);
        }
    }

    private static void check(Database database) {
        List<String> wrong = database.check();
        if (!wrong.isEmpty()) {
            throw new AssertionError("the check found " + wrong);
        }
    }

    private void copy(Database database) throws IOException {
        Path copy = copies(path()).resolve("of-" + ProcessHandle.current().pid());
        if (Files.exists(copy)) {
            try (Stream<Path> files = Files.list(copy)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        } else {
            Files.createDirectories(copy);
        }
        database.backup(copy);
    }

    /// Where indexes are made meanwhile it may have to wait for too long.
    private static void compact(Database database) {
        try {
            database.compact();
        } catch (ConflictException e) {
            if (!e.mayPass()) {
                throw e;
            }
        }
    }
}
