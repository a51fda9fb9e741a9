package dev.oriel.store.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.data.Pages;
import dev.oriel.store.lock.TreeLocks;
import dev.oriel.store.memory.HeapMemory;
import dev.oriel.store.transaction.WriteSetLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Parallel arrays grow all of them or none: a caller that goes on after memory has run out finds room.
final class HeapMemoryTest {
    private static final int ARRAYS_MAX = 3;

    @AfterEach
    void enoughMemory() {
        HeapMemory.before = null;
    }

    /// Makes copy number `failing`, counted from 1, fail in `growing`.
    private static void failAt(int failing, Runnable growing) {
        int[] copies = {0};
        HeapMemory.before =
                () -> {
                    if (++copies[0] == failing) {
                        throw new OutOfMemoryError("planned");
                    }
                };
        assertThrows(OutOfMemoryError.class, growing::run);
        HeapMemory.before = null;
    }

    @Test
    void treesOfATransactionThatHoldsLocks() {
        for (int failing = 1; failing <= ARRAYS_MAX; failing++) {
            TreeLocks trees = new TreeLocks();
            for (int root = 1; root <= 4; root++) {
                trees.reserve();
                trees.add(root, 10);
            }
            failAt(failing, trees::reserve);
            trees.reserve();
            trees.add(5, 10);
            assertTrue(trees.knows(5));
            assertEquals(0, trees.count());
        }
    }

    @Test
    void treesOfAnWriteSet() {
        for (int failing = 1; failing < ARRAYS_MAX; failing++) {
            WriteSetLayer layer = new WriteSetLayer(Pages.ofOneTransaction());
            for (int root = 1; root <= 4; root++) {
                layer.add(root, 10 + root);
            }
            failAt(failing, () -> layer.add(5, 15));
            layer.add(5, 15);
            assertEquals(15, layer.rootOf(5));
        }
    }

    @Test
    void idsThatAreFree() {
        for (int failing = 1; failing <= ARRAYS_MAX; failing++) {
            RecordIds ids = new RecordIds();
            for (int id = 1; id <= 64; id++) {
                free(ids, id);
            }
            failAt(failing, () -> free(ids, 65));
            free(ids, 65);
            RecordIds.Token token = new RecordIds.Token();
            assertTrue(ids.take(1, token));
            assertEquals(65, token.id);
        }
    }

    private static void free(RecordIds ids, long id) {
        RecordIds.Changes changes = new RecordIds.Changes(ids);
        changes.freed(id, id);
        changes.beforePublish(1);
    }
}
