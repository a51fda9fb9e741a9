package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Sessions that read and write for as long as this is open, each some hundred times a second at most.
final class Load implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final Database database;
    private final List<Session> sessions;
    private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /// The n-th statement of a session.
    interface Work {
        String sql(long n);
    }

    private final class Session {
        private final Work work;
        private final AtomicLong done = new AtomicLong();
        private final Thread thread;

        Session(Work work) {
            this.work = work;
            this.thread = Thread.ofPlatform().start(this::run);
        }

        private void run() {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                while (!ended) {
                    execute(statement, work.sql(done.get()));
                    done.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (SQLException e) {
                failures.add(e);
            }
        }

        private static void execute(Statement statement, String sql) throws SQLException {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        rows.getObject(1);
                    }
                }
            }
        }
    }

    Load(Database database, Work... works) {
        this.database = database;
        this.sessions = Stream.of(works).map(Session::new).toList();
    }

    /// Ends the sessions, each of which must have worked all the time.
    @Override
    public void close() {
        ended = true;
        try {
            for (Session session : sessions) {
                session.thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the load was interrupted", e);
        }
        assertEquals(List.of(), List.copyOf(failures));
        for (Session session : sessions) {
            assertTrue(session.done.get() > 20, "a session has run " + session.done + " times");
        }
    }
}
