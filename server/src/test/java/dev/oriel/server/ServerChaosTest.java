package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that is harmed again and again while clients write, and others are slow or hostile: no descriptors, no
/// memory, no processor, a full disk, a stopped process, a clock that jumps, other certificates, and SIGKILL. It must
/// be ready again after each, with bounded memory, and no write that it answered may be lost.
///
/// `-Dchaos.seconds=` says how long. The disk is filled only if `-Dchaos.disk=` names a small file system to itself,
/// as `scripts/server-chaos` mounts one. The clock jumps only if `-Dchaos.clock=` names the library of Debian's
/// package faketime.
final class ServerChaosTest {
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 12);
    private static final String DISK = System.getProperty("chaos.disk", "");
    private static final String CLOCK = System.getProperty("chaos.clock", "");
    private static final int DESCRIPTORS = 400;
    private static final int WRITERS = 4;
    private static final int DAY_SECONDS = 86_400;
    private static final long RESIDENT_BYTES_MAX = 900L << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temporary;

    private final Gen gen = new Gen(Seed.of("ServerChaosTest", 5));
    private final AtomicReference<ChaosWriter.Place> place =
            new AtomicReference<>(new ChaosWriter.Place(0, false));
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<TestCertificate> certificates = new ArrayList<>();
    private final List<ChaosWriter> writers = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final AtomicReference<@Nullable Throwable> annoyance = new AtomicReference<>();
    private long mostResident;

    /// Refusals that clients saw before the server of this moment was started.
    private long refusedBefore;

    private long checked;

    private enum Fault {
        DESCRIPTORS,
        MEMORY,
        PROCESSOR,
        DISK,
        STOPPED,
        CLOCK,
        CERTIFICATE,
        KILLED
    }

    private Path disk() {
        return DISK.isEmpty() ? temporary : Path.of(DISK);
    }

    @Test
    void nothingThatWasAnsweredIsLostAndItIsAlwaysReadyAgain() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "There is no shell to set limits with");
        certificates.add(TestCertificate.make(temporary));
        certificates.add(TestCertificate.make(temporary));
        useCertificate();
        setClock(0);
        List<Thread> threads = new ArrayList<>();
        ServerProcess server = start();
        try {
            for (int i = 0; i < WRITERS; i++) {
                Gen own = new Gen(new SplittableRandom(gen.anyLong()));
                ChaosWriter writer = new ChaosWriter(i, own, place, lock.readLock(), stop);
                writers.add(writer);
                threads.add(Thread.ofPlatform().start(writer));
            }
            Gen own = new Gen(new SplittableRandom(gen.anyLong()));
            threads.add(
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((_, e) -> annoyance.set(e))
                            .start(() -> annoy(own)));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (System.nanoTime() < end) {
                pause(200, 1_500);
                server = harm(server, gen.pick(List.of(Fault.values())));
                awaitReady(server);
            }
            server = harm(server, Fault.KILLED);
            awaitReady(server);
        } finally {
            stop.set(true);
            server.kill();
            for (Thread thread : threads) {
                thread.join();
            }
        }
        tell();
    }

    private void tell() {
        long stored = writers.stream().mapToLong(ChaosWriter::stored).sum();
        long refused = writers.stream().mapToLong(ChaosWriter::refused).sum();
        StringBuilder said = new StringBuilder("ServerChaosTest:");
        for (Fault fault : Fault.values()) {
            said.append(' ').append(fault).append(' ').append(faults.getOrDefault(fault, 0));
        }
        said.append("; sets stored ").append(stored).append(", refused ").append(refused);
        said.append("; keys checked after kills ").append(checked);
        said.append("; resident at most ").append(mostResident >> 20).append(" MB");
        System.out.println(said);
        assertUnharmed();
        assertTrue(stored > 0);
    }

    /// All clients go on as they should.
    private void assertUnharmed() {
        writers.forEach(writer -> assertNull(writer.failure()));
        Throwable failed = annoyance.get();
        if (failed != null) {
            throw new AssertionError("A hostile client has failed", failed);
        }
    }

    private ServerProcess start() throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.add(disk().resolve("data").toString());
        arguments.add(temporary.resolve("log").toString());
        boolean tls = gen.chance(50);
        if (tls) {
            arguments.add(temporary.resolve("chain.pem").toString());
            arguments.add(temporary.resolve("key.pem").toString());
        }
        ServerProcess server =
                new ServerProcess(
                        List.of("/bin/sh", "-c", limits() + "; exec \"$@\"", "sh"),
                        ChaosTarget.class,
                        arguments.toArray(String[]::new));
        place.set(new ChaosWriter.Place(server.port(0), tls));
        return server;
    }

    /// What the shell does before it becomes the server.
    private String limits() {
        String limits = "ulimit -n " + DESCRIPTORS;
        return CLOCK.isEmpty()
                ? limits
                : limits
                        + "; export LD_PRELOAD='%s' FAKETIME_TIMESTAMP_FILE='%s'"
                                .formatted(CLOCK, clockFile())
                        + " FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1"
                        + " FAKETIME_FORCE_MONOTONIC_FIX=0"; // else waits of the JVM end at once
    }

    private Path clockFile() {
        return temporary.resolve("clock");
    }

    /// Moves the server's clock away from the right time.
    private void setClock(long seconds) throws IOException {
        Path next = temporary.resolve("next clock");
        Files.writeString(next, "%+d\n".formatted(seconds));
        Files.move(next, clockFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void pause(int millisMin, int millisMax) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(gen.between(millisMin, millisMax)));
    }

    private ServerProcess harm(ServerProcess server, Fault fault) throws Exception {
        if ((fault == Fault.DISK && DISK.isEmpty()) || (fault == Fault.CLOCK && CLOCK.isEmpty())) {
            return server;
        }
        faults.merge(fault, 1, Integer::sum);
        switch (fault) {
            case DESCRIPTORS -> harmed(server, "take 2");
            case MEMORY -> harmed(server, "eat 240");
            case PROCESSOR -> harmed(server, "spin 16");
            case DISK -> fill();
            case STOPPED -> {
                signal(server, "STOP");
                pause(100, 2_000);
                signal(server, "CONT");
            }
            case CLOCK -> setClock(gen.between(-3 * DAY_SECONDS, 3 * DAY_SECONDS));
            case CERTIFICATE -> useCertificate();
            case KILLED -> {
                return killed(server);
            }
        }
        return server;
    }

    private void harmed(ServerProcess server, String how) throws IOException {
        server.tell(how);
        pause(300, 3_000);
        server.tell("free");
    }

    private static void signal(ServerProcess server, String name) throws Exception {
        String pid = Long.toString(server.pid());
        assertTrue(new ProcessBuilder("kill", "-" + name, pid).start().waitFor() == 0, name);
    }

    private void fill() throws IOException {
        Path filler = disk().resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] piece = new byte[1 << 20];
            for (int i = 0; i < 4_096; i++) {
                out.write(piece);
            }
        } catch (IOException full) {
            pause(300, 3_000);
        }
        Files.delete(filler);
    }

    /// Kills the server while its clients write, starts another one, and compares all keys.
    private ServerProcess killed(ServerProcess server) throws Exception {
        awaitCounted(server);
        signal(server, "KILL");
        lock.writeLock().lock();
        try {
            server.close();
            ServerProcess next = start();
            try (ChaosLink link = new ChaosLink(next.port(0), place.get().tls())) {
                for (ChaosWriter writer : writers) {
                    checked += writer.check(link);
                }
            }
            refusedBefore = writers.stream().mapToLong(ChaosWriter::refused).sum();
            return next;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /// Each refusal that a client has seen is in the metrics.
    private void awaitCounted(ServerProcess server) throws IOException {
        lock.writeLock().lock();
        try (ChaosLink link = new ChaosLink(server.port(1), place.get().tls())) {
            String metrics = link.http("/metrics");
            Matcher counter =
                    Pattern.compile("\noriel_refused(?:_writes)?_total(?:\\{[^}]*})? (\\d+)")
                            .matcher(metrics);
            long counted = 0;
            while (counter.find()) {
                counted += Long.parseLong(counter.group(1));
            }
            long seen = writers.stream().mapToLong(ChaosWriter::refused).sum() - refusedBefore;
            assertTrue(counted >= seen, "clients saw " + seen + " refusals, metrics " + counted);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void awaitReady(ServerProcess server) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        String last = "";
        while (!last.startsWith("HTTP/1.1 200 ") || !isStored(server)) {
            assertTrue(System.nanoTime() < deadline, "not ready: " + last + "\n" + logEnd());
            assertUnharmed();
            try (ChaosLink link = new ChaosLink(server.port(1), place.get().tls())) {
                last = link.http("/health/ready");
            } catch (IOException e) { // the limit of connections, for example
                last = e.toString();
            }
        }
        long resident = server.residentBytes();
        mostResident = Math.max(mostResident, resident);
        assertTrue(resident < RESIDENT_BYTES_MAX, resident + " bytes are resident");
    }

    private boolean isStored(ServerProcess server) {
        try (ChaosLink link = new ChaosLink(server.port(0), place.get().tls())) {
            return link.send("set ready 0 0 1\r\n1\r\n").line().equals("STORED");
        } catch (IOException e) {
            return false;
        }
    }

    private String logEnd() throws IOException {
        List<String> lines = Files.readAllLines(temporary.resolve("log"));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    /// Clients that send anything, stop in the middle, never read, or stay silent.
    private void annoy(Gen own) {
        List<ChaosLink> held = new ArrayList<>();
        while (!stop.get()) {
            ChaosWriter.Place at = place.get();
            try {
                ChaosLink link = new ChaosLink(at.port(), at.tls() && own.chance(50));
                held.add(link);
                switch (own.below(5)) {
                    case 0 -> link.send(bytes(own));
                    case 1 -> link.send("set big 0 0 1000000\r\n" + "x".repeat(own.below(100_000)));
                    case 2 -> link.send("get ready\r\n".repeat(own.below(3_000)));
                    case 3 -> link.send("get " + "k".repeat(own.below(5_000)));
                    default -> LockSupport.parkNanos(1_000_000);
                }
            } catch (IOException e) { // closed in between, which is right
                LockSupport.parkNanos(1_000_000);
            }
            while (held.size() > own.below(60)) {
                close(held.remove(own.below(held.size())));
            }
            LockSupport.parkNanos(own.below(20) * 1_000_000L);
        }
        held.forEach(ServerChaosTest::close);
    }

    private void useCertificate() throws Exception {
        gen.pick(certificates).write(temporary.resolve("chain.pem"), temporary.resolve("key.pem"));
    }

    private static byte[] bytes(Gen own) {
        byte[] bytes = new byte[1 + own.below(5_000)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) own.anyInt();
        }
        return bytes;
    }

    private static void close(ChaosLink link) {
        try {
            link.close();
        } catch (IOException e) { // the server has closed it first
            assertTrue(link.isClosed(), e.toString());
        }
    }
}
