package dev.oriel.bench.store;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// A database of records of 1,000 bytes, changed at random by a process that dies with a given length of log after
/// the last checkpoint; then it is opened. Both processes have memory for all pages that the log changes, and no
/// other limit causes a checkpoint. The clock runs from before the opening until the first record is read.
final class StoreOpening {
    private static final String TREE = "records";
    private static final int VALUE_BYTES = 1_000;
    private static final int CHANGES_A_COMMIT = 20;

    private final Run run;
    private final Path folder;

    StoreOpening(Run run) {
        this.run = run;
        this.folder = run.folder().resolve("opened");
    }

    /// Makes the database.
    void fill(int records) throws IOException {
        run.phase("filling");
        Files.createDirectories(folder);
        Slice record = Slice.copyOf(new byte[VALUE_BYTES]);
        try (Store store = open();
                Transaction transaction = store.beginExclusive()) {
            int[] next = {0};
            transaction.load(
                    transaction.createTree(TREE),
                    (key, value) -> {
                        key.setCopy(key(next[0]));
                        value.setCopy(record);
                        return next[0]++ < records;
                    });
            transaction.commit();
        }
    }

    private Store open() throws IOException {
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
        return Store.open(DiskDirectory.open(folder), options);
    }

    private static Slice key(int i) {
        return Slice.of("record %09d".formatted(i));
    }

    /// Starts a process that dies with a log of about `megabytes`, then opens its store. It is closed afterwards, so
    /// that the next one begins at a checkpoint.
    void measure(String caseName, int megabytes) throws IOException, InterruptedException {
        run.phase("writing log");
        if (megabytes > 0) {
            List<Path> classPath =
                    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                            .map(Path::of)
                            .toList();
            new ChildJvm(List.of("-XX:+UseSerialGC", "-Xmx2g"), classPath, StoreOpening.class)
                    .run(List.of(folder.toString(), Integer.toString(megabytes)));
        }
        run.phase("opening");
        long begun = System.nanoTime();
        try (Store store = open()) {
            try (Transaction transaction = store.beginRead()) {
                Tree tree = Objects.requireNonNull(transaction.tree(TREE));
                if (!transaction.get(tree, key(0), new Slice())) {
                    throw new IllegalStateException("The first record is lost");
                }
            }
            double nanos = System.nanoTime() - begun;
            run.figure(caseName, "time", "ns", nanos, Durability.SYNC);
            long pages = store.stats().scratchPages();
            if (pages > 0) {
                run.figure(caseName, "pages-in-memory", "pages", (double) pages, Durability.SYNC);
            }
        }
    }

    /// The process that dies. Arguments: the folder, and the megabytes of log.
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        long bytes = Long.parseLong(arguments[1]) << 20;
        StoreOptions options =
                StoreOptions.defaults()
                        .withCheckpointBytes(Long.MAX_VALUE / 8)
                        .withDirtyBytesMax(Long.MAX_VALUE / 8)
                        .withDurability(dev.oriel.store.Durability.WRITTEN);
        Store store = Store.open(DiskDirectory.open(folder), options);
        SplittableRandom random = new SplittableRandom(bytes);
        byte[] content = new byte[VALUE_BYTES];
        int records;
        try (Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree(TREE));
            records = (int) transaction.count(tree, new Slice(), null);
        }
        while (store.stats().logBytesBehind() < bytes) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = Objects.requireNonNull(transaction.tree(TREE));
                for (int i = 0; i < CHANGES_A_COMMIT; i++) {
                    random.nextBytes(content);
                    transaction.put(tree, key(random.nextInt(records)), Slice.copyOf(content));
                }
                transaction.commit();
            }
        }
        System.out.println(ChildJvm.MARK + store.stats().logBytesBehind());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
