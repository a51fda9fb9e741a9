package dev.oriel.conformance.tpcc;

import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.tpcc.TpccSize;
import dev.oriel.bench.tpcc.TpccTerminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The process that is killed: sixteen terminals, which say what they have done as soon as it is
/// committed, a line each: `order WAREHOUSE DISTRICT NUMBER` and `paid WAREHOUSE CENTS`; before that
/// `ready`.
///
/// Arguments: URL, seed.
public final class TpccProcess {
    static final int TERMINALS = 16;

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private TpccProcess() {}

    /// Runs until killed.
    public static void main(String[] arguments) throws SQLException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < TERMINALS; i++) {
            Connection connection = DriverManager.getConnection(arguments[0]);
            TpccTerminal terminal =
                    new TpccTerminal(
                            connection,
                            TpccSize.SMALL,
                            new TpccTerminal.Manner(
                                    Connection.TRANSACTION_SERIALIZABLE, true, SqlDialect.STANDARD),
                            random.split());
            threads.add(new Thread(() -> work(terminal), "terminal-" + i));
        }
        say("ready");
        threads.forEach(Thread::start);
    }

    private static void work(TpccTerminal terminal) {
        try (terminal) {
            while (true) {
                TpccTerminal.Done done = terminal.transact();
                if (done.order() > 0) {
                    say("order " + done.warehouse() + " " + done.district() + " " + done.order());
                } else if (done.amount().signum() > 0) {
                    say("paid " + done.warehouse() + " " + done.amount().unscaledValue());
                }
            }
        } catch (SQLException failure) {
            throw new IllegalStateException("a terminal failed", failure);
        }
    }

    /// One write for each line, so that a kill cuts none in two.
    private static void say(String line) {
        try {
            OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failure) {
            throw new IllegalStateException("nobody listens", failure);
        }
    }
}
