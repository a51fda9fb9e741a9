package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.profiler.Probe;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.SimDirectory;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.JUnitException;
import org.opentest4j.AssertionFailedError;

/// Other page sizes. The size is a setting of the JVM, read at the first use of a page; so each size has its own
/// classes here, from its own class loader.
final class PageSizeTest {
    /// Workload with another page size; called through reflection.
    static final class Work {
        private Work() {}

        /// Changes, checkpoints, compacts, closes and opens a store in `folder`, against a model. Returns its
        /// page size.
        static Integer run(String folder) throws Exception {
            Directory directory = DiskDirectory.open(Path.of(folder));
            Gen gen = new Gen(new SplittableRandom(5));
            RandomHistory history = new RandomHistory(gen, Node.KEY_BYTES_MAX, 4_000);
            Model model = new Model();
            StoreOptions options =
                    StoreOptions.defaults()
                            .withDurability(Durability.WRITTEN)
                            .withCheckpointBytes(300_000);
            for (int session = 0; session < 3; session++) {
                try (Store store = Store.open(directory, options)) {
                    for (int i = 0; i < 30; i++) {
                        try (Transaction transaction = store.beginWrite()) {
                            history.change(transaction, model, gen.below(80));
                            transaction.commit();
                        }
                    }
                    store.checkpoint();
                    store.compact(Progress.NONE);
                    check(store, model);
                }
                try (Store store = Store.open(directory, options)) {
                    check(store, model);
                }
            }
            return Page.BYTES;
        }

        private static void check(Store store, Model model) {
            try (Transaction transaction = store.beginRead()) {
                model.assertSeenBy(transaction);
            }
            if (!store.check().isEmpty()) {
                throw new AssertionError(store.check().toString());
            }
        }
    }

    /// Returns the folder or jar of the class; also of a test class, which belongs to the module.
    private static URL place(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        String url =
                String.valueOf(type.getResource(file.substring(file.lastIndexOf('/') + 1)))
                        .replace(file, "");
        try {
            return URI.create(url.replaceFirst("^jar:", "").replaceFirst("!/$", "")).toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(url, e);
        }
    }

    private static Object runWith(String pageBytes, Path folder) throws Exception {
        assertEquals(8192, Page.BYTES); // the class has read its setting by now
        URL[] places =
                Stream.of(
                                Store.class,
                                PageSizeTest.class,
                                Directory.class,
                                Probe.class,
                                SimDirectory.class,
                                Assertions.class,
                                AssertionFailedError.class,
                                JUnitException.class)
                        .map(PageSizeTest::place)
                        .distinct()
                        .toArray(URL[]::new);
        System.setProperty(Page.SIZE, pageBytes);
        try (URLClassLoader loader = new URLClassLoader(places, null)) {
            Class<?> work = loader.loadClass(Work.class.getName());
            var run = work.getDeclaredMethod("run", String.class);
            run.setAccessible(true);
            return run.invoke(null, folder.toString());
        } finally {
            System.clearProperty(Page.SIZE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"16384", "32768"})
    void storesWorkWithLargerPagesAndOpenWithNoOthers(String pageBytes, @TempDir Path folder)
            throws Exception {
        assertEquals(Integer.valueOf(pageBytes), runWith(pageBytes, folder));
        Directory directory = DiskDirectory.open(folder);
        UsageException other =
                assertThrows(
                        UsageException.class, () -> Store.open(directory, StoreOptions.defaults()));
        String message = String.valueOf(other.getMessage());
        assertTrue(message.contains("-Doriel.pageBytes=" + pageBytes), message);
    }

    @Test
    void otherSizesAreRefused(@TempDir Path folder) {
        for (String size : List.of("4096", "65536", "8k")) {
            InvocationTargetException failure =
                    assertThrows(InvocationTargetException.class, () -> runWith(size, folder));
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertTrue(cause.toString().contains("8192, 16384 or 32768"), cause.toString());
        }
    }
}
