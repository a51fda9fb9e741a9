package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.profiler.Probe;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Seed;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes with little memory: one transaction of many rows, and permanent lack of memory.
final class SmallHeapTest {
    /// `-Drows=` for the large transaction; some million take about a minute.
    private static final int ROWS = Integer.getInteger("rows", 150_000);

    private static final long STARVE_MILLIS = Long.getLong("starveMillis", 4_000);

    /// Minutes in addition to the test's own duration.
    private static final long MINUTES_MAX = 10 + STARVE_MILLIS / 60_000 + ROWS / 100_000;

    @TempDir private Path folder;

    @Test
    void largeTransactionNeedsLittleMemory() throws Exception {
        String said = child("-Xmx40m", "large", folder.resolve("db").toString(), "" + ROWS);
        System.out.print(said);
        assertTrue(number(said, "temporaryBytes") > ROWS * 50L, said);
        assertTrue(number(said, "scratchBytes") < 20 << 20, said);
        try (Store store = open();
                Transaction transaction = store.beginRead()) {
            Tree large = Objects.requireNonNull(transaction.tree("large"));
            SmallHeap.check(store, transaction, large, ROWS);
            assertEquals(List.of(), store.check());
        }
        try (var files = Files.list(folder.resolve("db"))) {
            assertTrue(
                    files.noneMatch(file -> TemporaryFiles.isName(file.getFileName().toString())));
        }
    }

    @Test
    void processThatIsOutOfMemoryAllTheTimeLosesNothingAcknowledged() throws Exception {
        long seed = Seed.of("SmallHeapTest", 1).nextLong();
        String path = folder.resolve("db").toString();
        String said = child("-Xmx24m", "starve", path, "" + seed, "" + STARVE_MILLIS);
        System.out.print(said);
        long acknowledged = number(said, "acknowledged");
        assertTrue(acknowledged > 0 && number(said, "failed") > 0, said);
        try (Store store = open();
                Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            assertTrue(transaction.get(tree, Slice.of("count"), value));
            long count = value.segment().get(Page.LONG, value.offset());
            assertTrue(count >= acknowledged, () -> count + " found, " + said);
            assertEquals(List.of(), store.check());
        }
    }

    private Store open() throws IOException {
        return Store.open(DiskDirectory.open(folder.resolve("db")), StoreOptions.defaults());
    }

    private static long number(String text, String name) {
        Matcher matcher = Pattern.compile(name + "=([0-9]+)").matcher(text);
        assertTrue(matcher.find(), text);
        return Long.parseLong(matcher.group(1));
    }

    private String child(String memory, String... arguments) throws Exception {
        Files.createDirectories(folder.resolve("db"));
        Set<String> classPath = new LinkedHashSet<>();
        for (Class<?> type : List.of(SmallHeap.class, Store.class, Directory.class, Probe.class)) {
            classPath.add(root(type));
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                memory,
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                String.join(File.pathSeparator, classPath),
                                SmallHeap.class.getName()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
        if (!ended) { // says where its threads are, which ends a test that would hang with
            // something to read
            new ProcessBuilder("kill", "-QUIT", "" + process.pid()).start().waitFor();
            boolean _ = process.waitFor(10, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
        }
        String said = Files.readString(output);
        assertTrue(ended, () -> "it does not end: " + said);
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    /// Returns the root from which `type` was loaded.
    private static String root(Class<?> type) {
        String file = type.getResource(type.getSimpleName() + ".class").toString();
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String place = file.substring(0, file.length() - name.length());
        String url = place.startsWith("jar:") ? place.substring(4, place.length() - 1) : place;
        return Path.of(URI.create(url)).toString();
    }
}
