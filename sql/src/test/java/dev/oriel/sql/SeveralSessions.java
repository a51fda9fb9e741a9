package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.store.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs scripts whose lines begin with the session's name: `A: UPDATE test SET n = 1`. Each session has a thread of
/// its own. A statement that has to wait for another session's lock answers `waits`. Its result stands below the
/// line that let it go on, as `B goes on: 1 changed`.
///
/// All sessions begin at one level; each script finds the table `test` (id, n) with the rows (1, 10) and (2, 20),
/// and n has an index.
final class SeveralSessions implements AutoCloseable {
    private final Isolation isolation;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SeveralSessions(Isolation isolation) {
        this.isolation = isolation;
    }

    /// The answers of one script, in a database of its own.
    String answer(String script) throws InterruptedException, ExecutionException {
        try (TestDatabase database = new TestDatabase(60_000)) {
            database.update("CREATE TABLE test (id INT PRIMARY KEY, n INT)");
            database.update("CREATE INDEX test_n ON test (n)");
            database.update("INSERT INTO test VALUES (1, 10), (2, 20)");
            return new Run(database).answer(script);
        }
    }

    /// The run of one script.
    private final class Run {
        private final TestDatabase database;
        private final Map<String, Session> sessions = new TreeMap<>();
        private final Map<String, Future<String>> waiting = new TreeMap<>();
        private final Map<String, Thread> speakers = new ConcurrentHashMap<>();
        private final List<String> answers = new ArrayList<>();

        Run(TestDatabase database) {
            this.database = database;
        }

        String answer(String script) throws InterruptedException, ExecutionException {
            for (String line : script.split("\n", -1)) {
                int colon = line.indexOf(": ");
                speak(line.substring(0, colon), line.substring(colon + 2));
            }
            if (!waiting.isEmpty()) {
                throw new IllegalStateException("the script ends while " + waiting + " wait");
            }
            sessions.values().forEach(Session::close);
            return String.join("\n", answers);
        }

        private void speak(String name, String statement)
                throws InterruptedException, ExecutionException {
            if (waiting.containsKey(name)) {
                throw new IllegalStateException(name + " still waits");
            }
            Session session = sessions.computeIfAbsent(name, _ -> session());
            Future<String> running =
                    threads.submit(() -> {
                        speakers.put(name, Thread.currentThread());
                        String answer = TestDatabase.run(session, statement);
                        return answer.isEmpty() ? "no rows" : answer.replace("\n", ", ");
                    });
            waiting.put(name, running);
            settle();
            if (running.isDone()) {
                answers.add(name + ": " + running.get());
                waiting.remove(name);
            } else {
                answers.add(name + ": waits");
            }
            for (String other : List.copyOf(waiting.keySet())) {
                Future<String> went = waiting.get(other);
                if (went != null && went.isDone()) {
                    answers.add(other + " goes on: " + went.get());
                    waiting.remove(other);
                }
            }
        }

        private Session session() {
            Session session = database.sql().session();
            session.isolation(isolation);
            return session;
        }

        /// Waits until each unfinished session waits for a lock and is parked: a session that is only queued may
        /// yet find a deadlock. A lock is handed over before the call that releases it returns, so a session that
        /// got its lock is not seen waiting.
        private void settle() {
            while (true) {
                List<String> undone =
                        waiting.entrySet().stream()
                                .filter(entry -> !entry.getValue().isDone())
                                .map(Map.Entry::getKey)
                                .toList();
                if (undone.isEmpty() || (allParked(undone) && lockWaits() == undone.size())) {
                    return;
                }
                Thread.onSpinWait();
            }
        }

        private int lockWaits() {
            return database.lockWaits();
        }

        private boolean allParked(List<String> names) {
            return lockWaits() == names.size()
                    && names.stream()
                            .map(speakers::get)
                            .allMatch(thread ->
                                    thread != null
                                            && thread.getState() == Thread.State.TIMED_WAITING);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
