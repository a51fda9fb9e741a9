package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.testkit.AsOnWindows;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Part of the store's tests on a disk that refuses what Windows refuses. The others run so by hand:
/// `-Dsim=windows -Dtest=StoreCrashTest,SmallCrashTest,SpillCrashTest`. Those that count temporary files then find
/// more, since maps hold them.
@ExtendWith(AsOnWindows.class)
final class WindowsTest {
    @Nested
    final class Backups extends BackupTest {}

    @Nested
    final class Checkpoints extends CheckpointTest {}

    @Nested
    final class Compactions extends CompactionCrashTest {}

    @Nested
    final class Faults extends StoreFaultTest {}

    @Nested
    final class Models extends StoreModelTest {}

    @Test
    void storeWorksThoughItsTemporaryFilesStay() throws Exception {
        SimDirectory directory = new SimDirectory();
        StoreOptions options = StoreOptions.defaults().withWriteSetBytesMax(1 << 20);
        for (int opening = 1; opening <= 3; opening++) {
            try (Store store = Store.open(directory, options)) {
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = transaction.tree("t");
                    if (tree == null) {
                        tree = transaction.createTree("t");
                    }
                    for (int i = 0; i < 40_000; i++) {
                        transaction.put(
                                tree, Slice.of(opening + "-" + i), Slice.of("x".repeat(60)));
                    }
                    transaction.commit();
                }
                assertEquals(List.of(), store.check());
            }
        }
        assertTrue(directory.list().stream().anyMatch(name -> name.startsWith("spill-")));
        SimDirectory restarted = directory.copy(); // by another process, which has no maps
        Store.open(restarted, options).close();
        assertTrue(restarted.list().stream().noneMatch(name -> name.startsWith("spill-")));
    }
}
