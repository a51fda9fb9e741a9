package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class BucketTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final AtomicLong now = new AtomicLong(1_000_000);

    private Buckets open(Store store, BucketOptions options) {
        Tables tables = check.closing(Tables.open(store, now::get));
        check.also("tables", tables::check);
        return check.closing(new Buckets(tables, options));
    }

    private Buckets open() {
        return open(Store.inMemory(StoreOptions.defaults()), BucketOptions.defaults());
    }

    @Test
    void valuesOfEachKindComeBackAsTheyWere() {
        Buckets buckets = open();
        Bucket<String> texts = buckets.bucket("things", Codec.text());
        assertTrue(texts.upsert("t", "Grüße") > 0);
        assertEquals("Grüße", texts.get("t"));
        assertNull(texts.get("other"));
        Bucket<Object> json = texts.as(Codec.json());
        record City(String name, List<Integer> zips, Map<String, Double> area) {}
        json.upsert("j", new City("Lübeck \"H\"", List.of(23552, 23569), Map.of("km2", 214.21)));
        assertEquals(
                Map.of(
                        "name", "Lübeck \"H\"",
                        "zips", List.of(23552L, 23569L),
                        "area", Map.of("km2", new BigDecimal("214.21"))),
                json.get("j"));
        assertEquals(Codec.JSON, assertEntry(json, "j").flags());
        Bucket<Moment> objects =
                texts.as(Codec.serialized(Moment.class, "java.time.*;java.lang.*"));
        Moment moment = new Moment(Instant.ofEpochSecond(5, 7));
        objects.upsert("o", moment);
        assertEquals(moment, objects.get("o"));
        Bucket<Moment> narrow = texts.as(Codec.serialized(Moment.class, "java.lang.Record"));
        assertThrows(CorruptionException.class, () -> narrow.get("o"));
        UsageException noJson = assertThrows(UsageException.class, () -> json.get("t"));
        assertEquals("The value is not JSON; read it as bytes: why=NOT_JSON", noJson.getMessage());
        texts.upsert("huge", "[1e40055555555555]");
        UsageException huge = assertThrows(UsageException.class, () -> json.get("huge"));
        assertEquals(
                "A number of the JSON value is out of range; read it as bytes:"
                        + " number=1e40055555555555",
                huge.getMessage());
    }

    @Test
    void whatIsWrittenAsJsonCanBeRead() {
        Bucket<Object> bucket = open().bucket("b", Codec.json());
        Object nested = List.of();
        for (int depth = 1; depth < 32; depth++) {
            nested = List.of(nested);
        }
        bucket.upsert("k", nested);
        assertEquals(nested, bucket.get("k"));
        Object deeper = List.of(nested);
        assertThrows(UsageException.class, () -> bucket.upsert("k", deeper));
    }

    record Moment(Instant at) implements java.io.Serializable {}

    private static <T> Entry<T> assertEntry(Bucket<T> bucket, String key) {
        Entry<T> entry = bucket.entry(key);
        assertNotNull(entry);
        return entry;
    }

    @Test
    void anotherNumberThanWasDemandedIsAConflict() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        long first = bucket.insert("k", "1");
        assertEquals(0, bucket.insert("k", "2"));
        assertEquals(0, bucket.replace("absent", "2"));
        long second = bucket.replace("k", "2", WriteOptions.none().ifCas(first));
        assertTrue(second > first);
        ConflictException stale =
                assertThrows(
                        ConflictException.class,
                        () -> bucket.upsert("k", "3", WriteOptions.none().ifCas(first)));
        assertEquals(ConflictException.Reason.CHANGED, stale.reason());
        assertThrows(
                ConflictException.class, () -> bucket.remove("k", WriteOptions.none().ifCas(1)));
        assertEquals("2", bucket.get("k"));
        assertTrue(bucket.remove("k", WriteOptions.none().ifCas(second)));
        assertFalse(bucket.remove("k"));
    }

    @Test
    void keysOfBytesComeBackInTheirOrder() {
        Bucket<byte[]> bucket = open().bucket("bytes");
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            keys.add(new byte[] {(byte) i});
            keys.add(new byte[] {(byte) i, 0});
        }
        keys.reversed().forEach(key -> bucket.upsert(Bucket.key(key), key));
        List<byte[]> found = new ArrayList<>();
        bucket.scan(
                "",
                entry -> {
                    assertArrayEquals(entry.value(), Bucket.keyBytes(entry.key()));
                    found.add(entry.value());
                });
        assertArrayEquals(keys.toArray(), found.toArray());
        assertThrows(UsageException.class, () -> Bucket.keyBytes("\u0100"));
    }

    @Test
    void touchedEntriesLiveOnAndOthersDoNot() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        Instant soon = Instant.ofEpochSecond(2);
        bucket.upsert("k", "1", WriteOptions.none().expiringAt(soon));
        bucket.upsert("m", "1", WriteOptions.none().expiringAt(soon));
        Entry<String> touched = bucket.getAndTouch("k", Instant.ofEpochSecond(3));
        assertNotNull(touched);
        assertEquals(Instant.ofEpochSecond(3), touched.expiresAt());
        assertEquals("1", touched.value());
        now.set(2_000_000);
        assertTrue(bucket.exists("k"));
        assertFalse(bucket.exists("m"));
        assertFalse(bucket.touch("m", null));
        bucket.upsert("k", "2", WriteOptions.none().keepingExpiry());
        now.set(3_000_000);
        assertNull(bucket.get("k"));
        bucket.upsert("far", "1", WriteOptions.none().expiringAt(Instant.MAX));
        assertEquals("1", bucket.get("far"));
        bucket.upsert("past", "1", WriteOptions.none().expiringAt(Instant.MIN));
        assertNull(bucket.get("past"));
    }

    @Test
    void theSweeperOutlivesWhoKeepsItWaiting() {
        StoreOptions impatient = StoreOptions.defaults().withWriteTimeoutMillis(500);
        Tables tables = check.closing(Tables.open(Store.inMemory(impatient), now::get));
        check.also("tables", tables::check);
        Buckets buckets =
                check.closing(new Buckets(tables, BucketOptions.defaults().withSweepMillis(1)));
        Bucket<String> bucket = buckets.bucket("b", Codec.text());
        Instant soon = Instant.ofEpochSecond(2);
        bucket.upsert("k", "1", WriteOptions.none().expiringAt(soon));
        try (TableTransaction alone = tables.beginExclusive()) {
            assertTrue(alone.writable());
            now.set(2_000_000);
            await(() -> buckets.sweepFailure() != null);
        }
        await(() -> buckets.swept() == 1);
        await(() -> buckets.sweepFailure() == null);
    }

    private static void await(BooleanSupplier wanted) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!wanted.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "it takes longer than a minute");
            Thread.onSpinWait();
        }
    }

    @Test
    void aBucketIsMadeBesideTransactionsThatWrite() {
        StoreOptions impatient = StoreOptions.defaults().withWriteTimeoutMillis(500);
        Tables tables = check.closing(Tables.open(Store.inMemory(impatient), now::get));
        check.also("tables", tables::check);
        Buckets buckets = check.closing(new Buckets(tables, BucketOptions.defaults()));
        try (TableTransaction own = tables.beginWrite()) {
            assertTrue(own.writable());
            Bucket<String> bucket = buckets.bucket("b", Codec.text());
            bucket.upsert("k", "1");
            assertEquals("1", bucket.get("k"));
        }
    }

    @Test
    void aBucketThatWasDroppedIsMadeAnew() {
        Tables tables =
                check.closing(Tables.open(Store.inMemory(StoreOptions.defaults()), now::get));
        check.also("tables", tables::check);
        Buckets buckets = check.closing(new Buckets(tables, BucketOptions.defaults()));
        Bucket<String> before = buckets.bucket("b", Codec.text());
        before.upsert("k", "1");
        try (TableTransaction transaction = tables.beginExclusive()) {
            Table table = transaction.catalog().table("BUCKET_B");
            assertNotNull(table);
            transaction.drop(table);
            transaction.commit();
        }
        assertThrows(UsageException.class, () -> before.get("k"));
        Bucket<String> again = buckets.bucket("b", Codec.text());
        assertNull(again.get("k"));
        again.upsert("k", "2");
        assertEquals("2", again.get("k"));
    }

    @Test
    void aBucketIsEmptiedWhateverItsKeysAre() {
        Buckets buckets = open();
        Bucket<String> bucket = buckets.bucket("b", Codec.text());
        assertEquals(0, buckets.clear("b"));
        int keys = 2_500; // more than go in one transaction
        List<KeyedChange> all = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            String key = new String(Character.toChars(0xFF00 + i)) + i; // some take two chars
            all.add(new KeyedChange(key, store(Change.Mode.SET, new byte[] {'1'})));
        }
        bucket.batch(all, WriteOptions.none());
        bucket.upsert("gone", "1", WriteOptions.none().expiringAt(Instant.ofEpochSecond(1)));
        assertEquals(keys, buckets.clear("b"));
        List<String> left = new ArrayList<>();
        bucket.scan("", entry -> left.add(entry.key()));
        assertEquals(List.of(), left);
    }

    @Test
    void errorsSayWhatToDo() {
        Buckets buckets =
                open(
                        Store.inMemory(StoreOptions.defaults()),
                        BucketOptions.defaults().withValueBytesMax(10));
        Bucket<String> bucket = buckets.bucket("b", Codec.text());
        assertEquals(
                "A key is text of 1 to 250 characters: status=INVALID length=0",
                assertThrows(UsageException.class, () -> bucket.upsert("", "x")).getMessage());
        assertEquals(
                "The value is too long; store it in parts: key=k",
                assertThrows(LimitException.class, () -> bucket.upsert("k", "x".repeat(11)))
                        .getMessage());
        bucket.upsert("k", "x");
        assertEquals(
                "The value is not a number in decimal digits: key=k",
                assertThrows(UsageException.class, () -> bucket.increment("k", 1, 0)).getMessage());
        assertThrows(UsageException.class, () -> buckets.bucket("no spaces"));
    }

    @Test
    void aBatchIsDoneTogetherAndEachPartHasItsOwnEnd() {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        bucket.upsert("there", "1");
        byte[] two = {'2'};
        List<Status> statuses =
                bucket.batch(
                        List.of(
                                new KeyedChange("z", store(Change.Mode.ADD, two)),
                                new KeyedChange("there", store(Change.Mode.ADD, two)),
                                new KeyedChange("a", new Change.Remove()),
                                new KeyedChange("z", store(Change.Mode.APPEND, two))),
                        WriteOptions.none());
        assertEquals(
                List.of(Status.SUCCESS, Status.EXISTS, Status.NOT_FOUND, Status.SUCCESS), statuses);
        assertEquals("22", bucket.get("z"));
        assertEquals("1", bucket.get("there"));
    }

    private static Change store(Change.Mode mode, byte[] value) {
        return new Change.Store(mode, value, 0, Change.NEVER);
    }

    @Test
    void aReadAllocatesNothingButTheValue() {
        Bucket<byte[]> bucket = open().bucket("b");
        bucket.upsert("key-of-some-length", new byte[100]);
        assertEquals(
                120,
                leastBytes(120, () -> assertNotNull(bucket.bytes("key-of-some-length"))),
                "an array of 100 bytes takes 120");
        assertEquals(0, leastBytes(0, () -> assertTrue(bucket.exists("key-of-some-length"))));
    }

    /// What a call allocates once the compiler of the JVM has come to it, which is late where others leave it no
    /// time: `wanted`, or the least that was seen.
    private static long leastBytes(long wanted, Runnable call) {
        int calls = 20_000;
        long least = Long.MAX_VALUE;
        long end = System.nanoTime() + 60_000_000_000L;
        while (least > wanted && System.nanoTime() < end) {
            long before = Allocations.bytes();
            for (int i = 0; i < calls; i++) {
                call.run();
            }
            least = Math.min(least, (Allocations.bytes() - before) / calls);
        }
        return least;
    }

    @Test
    void noCountAndNoSwapIsLostBetweenThreads() throws Exception {
        Bucket<String> bucket = open().bucket("b", Codec.text());
        int threads = 4;
        int rounds = 1_000;
        bucket.upsert("swapped", "0");
        CountDownLatch begin = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(
                        pool.submit(() -> {
                            begin.await();
                            for (int i = 0; i < rounds; i++) {
                                bucket.increment("counted", 1, 1);
                                swap(bucket);
                            }
                            return null;
                        }));
            }
            begin.countDown();
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals("" + threads * rounds, bucket.get("counted"));
        assertEquals("" + threads * rounds, bucket.get("swapped"));
    }

    private static void swap(Bucket<String> bucket) {
        while (true) {
            Entry<String> entry = assertEntry(bucket, "swapped");
            String next = "" + (Integer.parseInt(entry.value()) + 1);
            try {
                bucket.replace("swapped", next, WriteOptions.none().ifCas(entry.cas()));
                return;
            } catch (ConflictException e) {
                assertEquals(ConflictException.Reason.CHANGED, e.reason());
            }
        }
    }

    @Test
    void aSyncedWriteSurvivesAPowerCutAndABucketIsFoundAgain() {
        SimDirectory disk = new SimDirectory();
        StoreOptions written = StoreOptions.defaults().withDurability(Durability.WRITTEN);
        Tables tables = Tables.open(Store.open(disk, written), now::get);
        Buckets buckets = new Buckets(tables, BucketOptions.defaults().withSweepMillis(0));
        Bucket<String> bucket = buckets.bucket("b", Codec.text());
        bucket.upsert("k", "1", WriteOptions.none().withDurability(Durability.SYNC));
        SimDirectory left =
                disk.crash(Seed.of("BucketTest.powerCut", 1), CrashProfile.GARBAGE_SECTOR);
        Tables again = check.closing(Tables.open(Store.open(left, written), now::get));
        Buckets reopened = check.closing(new Buckets(again, BucketOptions.defaults()));
        assertEquals(List.of("b"), reopened.names());
        assertEquals("1", reopened.bucket("b", Codec.text()).get("k"));
    }
}
