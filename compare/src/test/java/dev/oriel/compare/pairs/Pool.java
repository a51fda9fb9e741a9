package dev.oriel.compare.pairs;

import java.util.ArrayDeque;
import java.util.Deque;

/// Four threads borrow connections. Changed: a connection is tested while the pool is locked.
public final class Pool {
    private static boolean changed;
    private final Deque<Connection> free = new ArrayDeque<>();

    private Pool() {
        for (int i = 0; i < 4; i++) {
            free.add(new Connection());
        }
    }

    private static final class Connection {
        private long state = 1;

        boolean isAlive() {
            state = Work.steps(state, 12_000);
            return state != 0;
        }

        long query(long seed) {
            state = Work.steps(state + seed, 60_000);
            return state;
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Pool pool = new Pool();
        Work.threads(words, 4, seed -> request(pool, seed));
    }

    static long request(Pool pool, long seed) {
        Connection connection = pool.borrow();
        long answer = connection.query(seed);
        pool.giveBack(connection);
        return answer;
    }

    private synchronized Connection borrow() {
        Connection connection = free.removeFirst();
        if (changed && !connection.isAlive()) {
            throw new IllegalStateException("dead");
        }
        return connection;
    }

    private synchronized void giveBack(Connection connection) {
        free.addLast(connection);
    }
}
