package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A running [KillTarget], as its parent sees it.
final class Victim implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path errors;
    private final Thread listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition heard = lock.newCondition();
    private final List<String> events = new ArrayList<>();
    private final long[] told = new long[Teller.COUNT];
    private long lastCommit = -1;
    private boolean silent;

    private Victim(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.listener = new Thread(this::listen, "victim-listener");
        listener.start();
    }

    /// Starts a process of its own that writes the database of `url`; what it has to say of errors
    /// goes to a file in `folder`.
    static Victim start(Path folder, String url, long seed, long detours, long commits)
            throws IOException {
        Path errors = Files.createTempFile(folder, "errors-", ".txt");
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        KillTarget.class.getName(),
                        url,
                        Long.toString(seed),
                        Long.toString(detours),
                        Long.toString(commits));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .start();
        return new Victim(process, errors);
    }

    /// What this process was started with, in whichever way the tests are run, as one class path.
    static String classPath() {
        String name = KillTarget.class.getSimpleName() + ".class";
        Path tests =
                Path.of(URI.create(String.valueOf(KillTarget.class.getResource(name))))
                        .resolve("../../../..")
                        .normalize();
        return Stream.of(
                        tests.toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader()) {
            String line = lines.readLine();
            while (line != null) {
                hear(line);
                line = lines.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.lock();
            try {
                silent = true;
                heard.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void hear(String line) {
        lock.lock();
        try {
            String[] words = line.split(" ", -1);
            if (words[0].equals("teller")) {
                told[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
            } else if (words.length > 1) {
                lastCommit = Long.parseLong(words[1]);
            }
            if (!words[0].equals("commit") && !words[0].equals("teller")) {
                events.add(words[0]);
            }
            heard.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the process has said `event`.
    void await(String event) throws InterruptedException, IOException {
        await(event, () -> events.contains(event));
    }

    /// Waits until commit `number` is acknowledged.
    void awaitCommit(long number) throws InterruptedException, IOException {
        await("commit " + number, () -> lastCommit >= number);
    }

    private void await(String what, BooleanSupplier heardIt)
            throws InterruptedException, IOException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!heardIt.getAsBoolean()) {
                if (silent || left <= 0) {
                    fail(
                            "the process has not said '%s', but %s and commit %d%n%s"
                                    .formatted(what, events, lastCommit, Files.readString(errors)));
                }
                left = heard.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets it live for a while more, then kills it, as `kill -9` does, and hears it out.
    ///
    /// @return whether the kill came before the process ended by itself
    boolean killAfter(long nanos) throws InterruptedException, IOException {
        boolean ended = process.waitFor(nanos, TimeUnit.NANOSECONDS);
        close();
        process.waitFor();
        listener.join();
        if (ended && process.exitValue() != 0) {
            fail(
                    "the process failed with exit code %d after commit %d%n%s"
                            .formatted(
                                    process.exitValue(), lastCommit(), Files.readString(errors)));
        }
        Files.delete(errors);
        return !ended;
    }

    /// Whether it has said `event`.
    boolean said(String event) {
        lock.lock();
        try {
            return events.contains(event);
        } finally {
            lock.unlock();
        }
    }

    /// The last commit that it has acknowledged, or found at its start; -1 for none.
    long lastCommit() {
        lock.lock();
        try {
            return lastCommit;
        } finally {
            lock.unlock();
        }
    }

    /// The last commit that it has acknowledged to `teller`; 0 for none.
    long told(int teller) {
        lock.lock();
        try {
            return told[teller];
        } finally {
            lock.unlock();
        }
    }

    long pid() {
        return process.pid();
    }

    /// Kills the process where a test has not got round to it.
    @Override
    public void close() {
        // Not the process's own destroyForcibly, which closes the pipe with what is still in it.
        process.toHandle().destroyForcibly();
    }
}
