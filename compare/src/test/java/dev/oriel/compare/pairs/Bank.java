package dev.oriel.compare.pairs;

import java.util.concurrent.locks.LockSupport;

/// Three threads book on an account. Changed: one audit in forty waits for two milliseconds while it holds the lock.
public final class Bank {
    private static boolean changed;
    private long balance;
    private int audits;

    private Bank() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Bank bank = new Bank();
        Work.threads(words, 3, bank::book);
    }

    long book(long seed) {
        long amount = check(seed);
        deposit(amount);
        return audit();
    }

    private static long check(long seed) {
        return Work.steps(seed, 60_000);
    }

    private synchronized void deposit(long amount) {
        balance += Work.steps(amount, 2_000);
    }

    private synchronized long audit() {
        audits++;
        if (changed && audits % 40 == 0) {
            LockSupport.parkNanos(2_000_000);
        }
        return Work.steps(balance, 2_000);
    }
}
