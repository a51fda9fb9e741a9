package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;

/// Threads share an account. Changed: what is done while the lock is held takes 1.3 times as long.
public final class Locking {
    private static final int THREADS = 3;
    private static final Object LOCK = new Object();
    private static int held = 8_000;
    private static long balance = 1;

    private Locking() {}

    public static void main(String[] words) throws InterruptedException {
        held = Work.isChanged(words) ? held * 13 / 10 : held;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            threads.add(new Thread(() -> serve(Work.operations(words), seed), "server-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("@oriel check " + (balance == 0 ? "nothing" : "done"));
    }

    private static void serve(int operations, int seed) {
        for (int i = 0; i < operations; i++) {
            transfer(seed + i);
        }
    }

    static long transfer(long seed) {
        return prepare(seed) + book(seed);
    }

    private static long prepare(long seed) {
        return Work.steps(seed, 16_000);
    }

    private static long book(long seed) {
        synchronized (LOCK) {
            balance = Work.steps(balance + seed, held);
            return balance;
        }
    }
}
