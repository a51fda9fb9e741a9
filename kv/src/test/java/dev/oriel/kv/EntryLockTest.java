package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.AfterEachCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Entries that are locked for a while, and the options that every change takes.
final class EntryLockTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final AtomicLong now = new AtomicLong(1_000_000);

    private Buckets open() {
        Tables tables =
                check.closing(Tables.open(Store.inMemory(StoreOptions.defaults()), now::get));
        check.also("tables", tables::check);
        return check.closing(new Buckets(tables, BucketOptions.defaults().withSweepMillis(0)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whoHasLockedAnEntryMayChangeItAndNobodyElse() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        assertNull(bucket.getAndLock("k", Duration.ofSeconds(5)));
        bucket.upsert("k", "1");
        Entry<String> held = bucket.getAndLock("k", Duration.ofSeconds(5));
        assertNotNull(held);
        assertEquals("1", held.value());
        Entry<String> seen = bucket.entry("k");
        assertNotNull(seen);
        assertEquals(-1, seen.cas());
        ConflictException locked =
                assertThrows(ConflictException.class, () -> bucket.upsert("k", "2"));
        assertEquals(ConflictException.Reason.LOCKED, locked.reason());
        assertEquals(
                "The entry is locked by another client; wait until it is unlocked: key=k",
                locked.getMessage());
        for (Runnable change :
                List.<Runnable>of(
                        () -> bucket.remove("k"),
                        () -> bucket.touch("k", null),
                        () -> bucket.append("k", bytes("x")),
                        () -> bucket.upsert("k", "2", WriteOptions.none().ifCas(-1)),
                        () -> bucket.unlock("k", held.cas() + 1),
                        () -> bucket.getAndLock("k", Duration.ofSeconds(1)))) {
            assertThrows(ConflictException.class, change::run);
        }
        long cas = bucket.replace("k", "2", WriteOptions.none().ifCas(held.cas()));
        assertTrue(cas > held.cas());
        assertFalse(bucket.unlock("k", cas), "the replacement has unlocked it");
        bucket.upsert("k", "3");
    }

    @Test
    void aLockEndsByItselfByUnlockAndByClear() {
        Buckets buckets = open();
        Bucket<String> bucket = buckets.bucket("b", Codec.text());
        bucket.upsert("k", "1");
        assertNotNull(bucket.getAndLock("k", Duration.ofSeconds(5)));
        now.addAndGet(4_999_999);
        assertThrows(ConflictException.class, () -> bucket.upsert("k", "2"));
        now.addAndGet(1);
        bucket.upsert("k", "2");
        Entry<String> held = bucket.getAndLock("k", Duration.ofSeconds(5));
        assertNotNull(held);
        assertTrue(bucket.unlock("k", held.cas()));
        Entry<String> seen = bucket.entry("k");
        assertNotNull(seen);
        assertEquals(held.cas(), seen.cas());
        assertNotNull(bucket.getAndLock("k", Duration.ofSeconds(5)));
        assertEquals(1, buckets.clear("b"));
        bucket.upsert("k", "3");
        assertThrows(UsageException.class, () -> bucket.getAndLock("k", Duration.ofSeconds(31)));
        assertThrows(UsageException.class, () -> bucket.getAndLock("k", Duration.ZERO));
    }

    @Test
    void oneOfManyHasTheLock() throws Exception {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        bucket.upsert("k", "0");
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(
                        threads.submit(() -> {
                            for (int turn = 0; turn < 500; ) {
                                Entry<String> held;
                                try {
                                    held = bucket.getAndLock("k", Duration.ofSeconds(30));
                                } catch (ConflictException somebodyElse) {
                                    Thread.onSpinWait();
                                    continue;
                                }
                                assertNotNull(held);
                                assertEquals(1, holders.incrementAndGet());
                                String next = "" + (Integer.parseInt(held.value()) + 1);
                                holders.decrementAndGet();
                                WriteOptions mine = WriteOptions.none().ifCas(held.cas());
                                bucket.replace("k", next, mine);
                                turns.incrementAndGet();
                                turn++;
                            }
                            return null;
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals("" + turns.get(), bucket.get("k"));
    }

    @Test
    void everyChangeTakesANumberAndADurability() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        WriteOptions sync = WriteOptions.none().withDurability(Durability.SYNC);
        long cas = bucket.insert("k", "1", sync);
        WriteOptions wrong = sync.ifCas(cas + 1_000_000);
        for (Runnable change :
                List.<Runnable>of(
                        () -> bucket.upsert("k", "2", wrong),
                        () -> bucket.replace("k", "2", wrong),
                        () -> bucket.append("k", bytes("2"), wrong),
                        () -> bucket.prepend("k", bytes("2"), wrong),
                        () -> bucket.touch("k", null, wrong),
                        () -> bucket.getAndTouch("k", null, wrong),
                        () -> bucket.increment("k", 1, 1, wrong),
                        () -> bucket.mutateIn("k", List.of(), wrong),
                        () -> bucket.remove("k", wrong))) {
            ConflictException stale = assertThrows(ConflictException.class, change::run);
            assertEquals(ConflictException.Reason.CHANGED, stale.reason());
        }
        cas = bucket.append("k", bytes("5"), sync.ifCas(cas));
        cas = bucket.prepend("k", bytes("2"), sync.ifCas(cas));
        assertEquals(217, bucket.increment("k", 2, 0, sync.ifCas(cas)));
        assertTrue(bucket.touch("k", Instant.ofEpochSecond(100), sync));
        Entry<String> touched = bucket.getAndTouch("k", Instant.ofEpochSecond(50), sync);
        assertNotNull(touched);
        assertEquals(Instant.ofEpochSecond(50), touched.expiresAt());
        assertTrue(bucket.remove("k", sync.ifCas(touched.cas())));
        assertNull(bucket.increment("k", 2, 0, sync.ifCas(cas)));
        Long made = bucket.increment("k", 2, 7, sync.expiringAt(Instant.ofEpochSecond(60)));
        assertEquals(7, made);
        now.set(60_000_000);
        assertFalse(bucket.exists("k"));
    }

    @Test
    void severalKeysAreReadAtOneMoment() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        bucket.upsert("a", "1");
        bucket.upsert("c", "3", WriteOptions.none().expiringAt(Instant.ofEpochSecond(2)));
        assertEquals(Map.of("a", "1", "c", "3"), bucket.getAll(List.of("a", "b", "c")));
        now.set(2_000_000);
        assertEquals(Map.of("a", "1"), bucket.getAll(List.of("a", "b", "c", "")));
    }
}
