package dev.oriel.store.engine;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/// The process that [TargetedKillTest] kills: it opens a store and commits to [CountedTree]s in threads of their
/// own. Meanwhile it repeats the phase of its [KillPoint], until a call reaches that. It prints to its standard
/// output, a line each:
///
/// - `opened W N` for each writer: the number of commits found;
/// - `commit W N`: acknowledged; `solid W N`: acknowledged in a way that a kill cannot take back;
/// - `calls COUNT PHASE STEP`: number of calls in a run of a phase, which the next kill points are drawn from;
/// - `at PHASE STEP`: it stands there now, and waits to be killed;
/// - `missed`: no run of the phase had that call; it ends without closing the store.
///
/// Arguments: folder, durability, phase, step, occurrence, way.
final class KillTarget {
    static final int WRITERS = 2;

    /// Number of commits of an ASYNC store from one WRITTEN commit to the next.
    static final int SOLID_EVERY = 16;

    private static final int RUNS = 3;
    private static final long COMMITS_BETWEEN = 25;
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private final Path path;
    private final StoreOptions options;
    private final KillPhase wanted;
    private final PausingDirectory.Calls calls;
    private final AtomicLongArray commits = new AtomicLongArray(WRITERS);
    private final List<Thread> writers = new ArrayList<>();
    private final Durability solidDurability;
    private int copies;
    private volatile boolean stopping;

    private KillTarget(Path path, Durability durability, KillPoint point) {
        this.path = path;
        this.wanted = point.phase();
        this.solidDurability = durability == Durability.ASYNC ? Durability.WRITTEN : durability;
        this.calls = new PausingDirectory.Calls(point);
        this.options =
                StoreOptions.defaults()
                        .withDurability(durability)
                        .withCheckpointBytes(wanted == KillPhase.CHECKPOINT ? 96 << 10 : 4 << 20);
    }

    public static void main(String[] arguments) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        KillPoint point =
                new KillPoint(
                        KillPhase.valueOf(arguments[2]),
                        arguments[3],
                        Integer.parseInt(arguments[4]),
                        KillPoint.Way.valueOf(arguments[5]));
        new KillTarget(Path.of(arguments[0]), Durability.valueOf(arguments[1]), point).run();
        say("missed");
        Runtime.getRuntime().halt(0); // leaves something to recover
    }

    /// One write for each line, so that a kill cuts none in two.
    static void say(String line) throws IOException {
        OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private Directory folder(Path at) {
        try {
            return new PausingDirectory(DiskDirectory.create(at), calls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() throws Exception {
        Store store = open();
        if (wanted == KillPhase.OPENING || wanted == KillPhase.CREATION) {
            calls.report(wanted);
            awaitCommits();
            return;
        }
        for (int run = 0; run < RUNS; run++) {
            awaitCommits();
            Store open = store;
            switch (wanted) {
                case CREATION, OPENING, COMMIT -> {}
                case CHECKPOINT -> checkpoint(open);
                case COMPACTION -> wanted.run(() -> open.compact(Progress.NONE));
                case BACKUP -> wanted.run(() -> open.backup(folder(copy("backup")), Progress.NONE));
                case RESTORE -> restore(open);
                case CLOSING -> {
                    close(open);
                    store = open();
                }
                case OFFLINE_COMPACTION -> {
                    close(open);
                    wanted.run(() -> Store.compact(folder(path), options, Progress.NONE));
                    store = open();
                }
            }
            calls.report(wanted);
        }
    }

    private Store open() throws IOException {
        Store[] opened = new Store[1];
        KillPhase phase = Files.exists(path) ? KillPhase.OPENING : KillPhase.CREATION;
        phase.run(() -> opened[0] = Store.open(folder(path), options));
        Store store = opened[0];
        stopping = false;
        CountedTree[] trees = new CountedTree[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            trees[i] = new CountedTree("w" + i);
            commits.set(i, trees[i].create(store));
            say("opened " + i + " " + commits.get(i));
        }
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            CountedTree tree = trees[i];
            long found = commits.get(i);
            writers.add(Thread.ofPlatform().start(() -> write(store, tree, writer, found)));
        }
        return store;
    }

    private void write(Store store, CountedTree tree, int writer, long found) {
        try {
            for (long number = found + 1; !stopping; number++) {
                boolean solid =
                        options.durability() != Durability.ASYNC || number % SOLID_EVERY == 0;
                tree.commit(store, number, solid ? solidDurability : Durability.ASYNC);
                say((solid ? "solid " : "commit ") + writer + " " + number);
                commits.set(writer, number);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns once each writer has made some more commits.
    private void awaitCommits() {
        for (int i = 0; i < WRITERS; i++) {
            long enough = commits.get(i) + COMMITS_BETWEEN;
            while (commits.get(i) < enough) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /// Commits acknowledged before a checkpoint need no log after it.
    private void checkpoint(Store store) throws IOException {
        long[] before = told();
        wanted.run(store::checkpoint);
        saySolid(before);
    }

    private void close(Store store) throws Exception {
        stopping = true;
        for (Thread writer : writers) {
            writer.join();
        }
        writers.clear();
        KillPhase.CLOSING.run(store::close);
        saySolid(told());
    }

    private long[] told() {
        long[] told = new long[WRITERS];
        Arrays.setAll(told, commits::get);
        return told;
    }

    private static void saySolid(long[] told) throws IOException {
        for (int i = 0; i < WRITERS; i++) {
            say("solid " + i + " " + told[i]);
        }
    }

    private void restore(Store store) throws IOException {
        Path source = copy("source");
        store.backup(DiskDirectory.create(source), Progress.NONE);
        Directory from = DiskDirectory.open(source);
        wanted.run(() -> Store.restore(from, folder(copy("restored")), Progress.NONE));
    }

    /// A new folder beside that of the store.
    private Path copy(String kind) {
        copies++;
        return path.resolveSibling(
                "%s-%d-%d".formatted(kind, ProcessHandle.current().pid(), copies));
    }
}
