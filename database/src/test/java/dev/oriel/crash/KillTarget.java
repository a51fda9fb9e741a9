package dev.oriel.crash;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;

/// The process that is killed: opens the database of a URL, writes the [Ledger] on from where it
/// ends, and says so on its standard output, a line each: `opening`, `opened N`, `commit N` once
/// `commit()` has returned, `closing`, `closed`. A second thread reads all the while, so that commits
/// and checkpoints meet snapshots.
///
/// Arguments: URL, seed of the ledger, seed of this process's detours, how many commits to make.
public final class KillTarget {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

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
        try (LedgerTables tables = new LedgerTables(connection, seed, detours)) {
            for (long number = done + 1; number <= done + commits; number++) {
                tables.commit(number);
                say("commit " + number);
            }
            closing = true;
            reader.join();
            say("closing");
        }
        say("closed");
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
}
