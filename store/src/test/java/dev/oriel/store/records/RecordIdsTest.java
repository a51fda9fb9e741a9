package dev.oriel.store.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Allots ids without trees: transactions are only snapshots and ends.
final class RecordIdsTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 20_000;

    private final RecordIds.Token token = new RecordIds.Token();

    private static void freeOne(RecordIds ids, long id, long txid) {
        RecordIds.Changes changes = new RecordIds.Changes(ids);
        changes.freed(id, ids.nextStamp());
        changes.beforePublish(txid);
    }

    @Test
    void anIdIsTakenBySnapshotsThatSeeItsDeletion() {
        RecordIds ids = new RecordIds();
        freeOne(ids, 5, 10);
        assertFalse(ids.take(9, token));
        assertTrue(ids.take(10, token));
        assertEquals(5, token.id);
        assertFalse(ids.take(10, token));
    }

    @Test
    void whatWasFreedLastComesFirstAndReturnsAfterARollback() {
        RecordIds ids = new RecordIds();
        freeOne(ids, 5, 10);
        freeOne(ids, 6, 11);
        RecordIds.Changes changes = new RecordIds.Changes(ids);
        assertTrue(ids.take(11, token));
        assertEquals(6, token.id);
        long stamp = token.stamp;
        changes.taken(token);
        changes.rolledBack();
        assertTrue(ids.take(11, token));
        assertEquals(6, token.id);
        assertEquals(stamp, token.stamp);
        assertTrue(ids.take(11, token));
        assertEquals(5, token.id);
    }

    @Test
    void theStackIsBounded() {
        RecordIds ids = new RecordIds();
        RecordIds.Changes changes = new RecordIds.Changes(ids);
        for (long id = 1; id <= RecordIds.STACK_MAX + 1_000; id++) {
            changes.freed(id, ids.nextStamp());
        }
        changes.beforePublish(1);
        freeOne(ids, 1L << 40, 2);
        long last = 0;
        int count = 0;
        while (ids.take(2, token)) {
            assertTrue(count == 0 || token.id == last - 1);
            last = token.id;
            count++;
        }
        assertEquals(RecordIds.STACK_MAX, count);
    }

    /// At any moment at most one thread holds an id, fresh or reused, also if some holders roll back.
    @Test
    void severalWritersAtOnceNeverHoldTheSameId() throws Exception {
        RecordIds ids = new RecordIds();
        Set<Long> inUse = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                int writer = i;
                all.add(executor.submit(() -> write(ids, inUse, writer)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertTrue(ids.fresh() < (long) THREADS * ROUNDS, "ids were given again");
    }

    private static void write(RecordIds ids, Set<Long> inUse, int writer) {
        RecordIds.Token token = new RecordIds.Token();
        for (int round = 0; round < ROUNDS; round++) {
            RecordIds.Changes changes = new RecordIds.Changes(ids);
            boolean again = ids.take(Long.MAX_VALUE, token);
            long id = again ? token.id : ids.fresh();
            if (again) {
                changes.taken(token);
            }
            assertTrue(inUse.add(id), () -> "id " + id + " is in use");
            assertTrue(inUse.remove(id));
            if (again && (round + writer) % 3 == 0) {
                changes.rolledBack();
            } else {
                changes.freed(id, ids.nextStamp());
                changes.beforePublish(round);
            }
        }
    }
}
