package dev.oriel.server;

import dev.oriel.testkit.Gen;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/// Writes numbers to keys of its own, and keeps for each key the last number that was sent and the last one that
/// was answered. With a new connection it takes new keys: a request of the old one may still be under way.
final class ChaosWriter implements Runnable {
    private static final int KEYS = 16;

    /// How to reach the server of this moment.
    record Place(int port, boolean tls) {}

    /// The keys of one connection.
    private static final class Ledger {
        final long[] answered = new long[KEYS];
        final long[] sent = new long[KEYS];
    }

    private final int id;
    private final Gen gen;
    private final AtomicReference<Place> place;

    /// Held for each batch of requests: nothing is written while another thread has the lock for itself.
    private final Lock lock;

    private final AtomicBoolean stop;
    private final List<Ledger> ledgers = new ArrayList<>(); // guarded by the lock
    private volatile @Nullable Throwable failure;
    private long stored;
    private long refused;

    ChaosWriter(int id, Gen gen, AtomicReference<Place> place, Lock lock, AtomicBoolean stop) {
        this.id = id;
        this.gen = gen;
        this.place = place;
        this.lock = lock;
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            while (!stop.get()) {
                try {
                    connection();
                } catch (SocketTimeoutException e) {
                    throw new AssertionError("no answer within a minute", e);
                } catch (IOException gone) {
                    Thread.sleep(5); // killed, or there is no descriptor: the next attempt follows
                }
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void connection() throws IOException {
        Place at = place.get();
        try (ChaosLink link = new ChaosLink(at.port(), at.tls())) {
            Ledger ledger = new Ledger();
            int generation = -1;
            while (!stop.get()) {
                lock.lock();
                try {
                    if (!at.equals(place.get())) {
                        return;
                    }
                    if (generation < 0) {
                        generation = ledgers.size();
                        ledgers.add(ledger);
                    }
                    set(link, generation, ledger);
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private void set(ChaosLink link, int generation, Ledger ledger) throws IOException {
        int key = gen.below(KEYS);
        long number = ++ledger.sent[key];
        String value = number + " " + "v".repeat(gen.below(gen.chance(3) ? 200_000 : 2_000));
        link.send("set %s 0 0 %d\r\n%s\r\n".formatted(key(generation, key), value.length(), value));
        String answer = link.line();
        if (answer.equals("STORED")) {
            ledger.answered[key] = number;
            stored++;
        } else if (answer.startsWith("SERVER_ERROR")) {
            refused++;
        } else if (answer.startsWith("ERROR Too many")) {
            throw new IOException(answer);
        } else {
            throw new AssertionError("an answer to a set is " + answer);
        }
    }

    private String key(int generation, int key) {
        return "w%d-%d-%d".formatted(id, generation, key);
    }

    /// Compares all keys with the server's. Called while nothing is written.
    long check(ChaosLink link) throws IOException {
        long checked = 0;
        for (int generation = 0; generation < ledgers.size(); generation++) {
            Ledger ledger = ledgers.get(generation);
            for (int k = 0; k < KEYS; k++) {
                if (ledger.sent[k] > 0) {
                    long found = number(link, key(generation, k));
                    if (found < ledger.answered[k] || found > ledger.sent[k]) {
                        throw new AssertionError(
                                "%s has %d, answered %d, sent %d"
                                        .formatted(
                                                key(generation, k),
                                                found,
                                                ledger.answered[k],
                                                ledger.sent[k]));
                    }
                    ledger.answered[k] = found;
                    checked++;
                }
            }
        }
        return checked;
    }

    private static long number(ChaosLink link, String key) throws IOException {
        String line = link.send("get " + key + "\r\n").line();
        if (line.equals("END")) {
            return 0;
        }
        String value = link.text(Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)));
        if (!link.line().isEmpty() || !link.line().equals("END")) {
            throw new AssertionError("the value of " + key + " has another end");
        }
        return Long.parseLong(value.substring(0, value.indexOf(' ')));
    }

    /// The error that has ended it; null if there is none.
    @Nullable Throwable failure() {
        return failure;
    }

    /// Number of sets that were answered; exact while nothing is written.
    long stored() {
        return stored;
    }

    /// Number of sets that were refused.
    long refused() {
        return refused;
    }
}
