package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server in a process of its own that is killed while clients write: what it has answered is there when
/// it is started again, and what was on its way is there whole or not at all. `-Dkills=` says how often.
///
/// Each writer has keys of its own and writes to them in turn the numbers 1, 2, 3 and so on, each as text
/// of some length that begins with it. So after the kill a key must have the number that was answered last,
/// or one later.
final class KillTest {
    private static final int KILLS = Integer.getInteger("kills", 2);
    private static final int WRITERS = 4;
    private static final int KEYS = 8;
    private static final int ANSWERS_MIN = 20;
    private static final int VALUE_CHARS_MAX = 3_000;
    private static final String END = "end";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /// What one writer knows of its keys.
    private static final class Ledger {
        final long[] answered = new long[KEYS];
        final long[] sent = new long[KEYS];
    }

    @Test
    void noAnsweredWriteIsLostWhenTheServerIsKilled() throws Exception {
        Gen gen = new Gen(Seed.of("KillTest", 17));
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            ledgers.add(new Ledger());
        }
        long answers = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            ServerProcess server = start();
            try {
                check(server.port(0), ledgers);
                answers += writeUntilKilled(server, ledgers, gen);
            } finally {
                server.kill();
            }
        }
        ServerProcess last = start();
        try {
            check(last.port(0), ledgers);
        } finally {
            last.kill();
        }
        System.out.println("KillTest: " + KILLS + " kills, " + answers + " answered writes kept");
        assertTrue(
                answers >= KILLS * (long) ANSWERS_MIN, "only " + answers + " writes were answered");
    }

    private ServerProcess start() throws IOException {
        return new ServerProcess(List.of(), KillTarget.class, folder.resolve("data").toString());
    }

    private static String key(int writer, int key) {
        return "w" + writer + "-" + key;
    }

    private static void check(int port, List<Ledger> ledgers) throws IOException {
        try (Wire wire = new Wire(port)) {
            for (int w = 0; w < ledgers.size(); w++) {
                Ledger ledger = ledgers.get(w);
                for (int k = 0; k < KEYS; k++) {
                    long found = number(wire, key(w, k));
                    String what = key(w, k) + " has " + found + ", answered " + ledger.answered[k];
                    assertTrue(found >= ledger.answered[k] && found <= ledger.sent[k], what);
                    ledger.answered[k] = found;
                    ledger.sent[k] = found;
                }
            }
        }
    }

    /// The number that a value begins with; it is repeated to the end, or the value is torn.
    private static long number(Wire wire, String key) throws IOException {
        wire.send("get " + key + "\r\n");
        String line = wire.line();
        if (line.equals("END\r\n")) {
            return 0;
        }
        String value = wire.line().strip();
        assertEquals("END\r\n", wire.line());
        String number = value.substring(0, value.indexOf(' '));
        int count = (value.length() - END.length()) / (number.length() + 1);
        assertEquals((number + " ").repeat(count) + END, value, key);
        return Long.parseLong(number);
    }

    private static String value(long number, int length) {
        String one = number + " ";
        return one.repeat(1 + length / one.length()) + END;
    }

    private static long writeUntilKilled(ServerProcess server, List<Ledger> ledgers, Gen gen)
            throws Exception {
        long answers = 0;
        AtomicLong stored = new AtomicLong();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                Gen own = new Gen(new java.util.SplittableRandom(gen.anyLong()));
                all.add(
                        writers.submit(() ->
                                write(server.port(0), ledgers.get(writer), writer, own, stored)));
            }
            // How long it works is part of the history, but it works: where the disk is slow for
            // longer.
            long end = System.nanoTime() + gen.between(300, 900) * 1_000_000L;
            while ((System.nanoTime() < end || stored.get() < ANSWERS_MIN)
                    && all.stream().noneMatch(Future::isDone)) {
                LockSupport.parkNanos(1_000_000);
            }
            server.kill();
            for (Future<Long> one : all) {
                answers += one.get();
            }
        }
        return answers;
    }

    /// Writes, one or several requests at a time, until the connection is over; returns how many were
    /// answered.
    private static long write(int port, Ledger ledger, int writer, Gen gen, AtomicLong stored) {
        long answered = 0;
        try (Wire wire = new Wire(port)) {
            while (true) {
                int depth = 1 + gen.below(4);
                StringBuilder requests = new StringBuilder();
                int[] keys = new int[depth];
                long[] numbers = new long[depth];
                for (int i = 0; i < depth; i++) {
                    keys[i] = gen.below(KEYS);
                    numbers[i] = ++ledger.sent[keys[i]];
                    String value = value(numbers[i], gen.below(VALUE_CHARS_MAX));
                    requests.append("set ").append(key(writer, keys[i])).append(" 0 0 ");
                    requests.append(value.length()).append("\r\n").append(value).append("\r\n");
                }
                wire.send(requests.toString());
                for (int i = 0; i < depth; i++) {
                    String line = wire.line();
                    if (line.isEmpty()) {
                        return answered;
                    }
                    assertEquals("STORED\r\n", line);
                    ledger.answered[keys[i]] = numbers[i];
                    answered++;
                    stored.incrementAndGet();
                }
            }
        } catch (IOException killed) {
            return answered;
        }
    }
}
