package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.couchbase.client.core.error.BucketNotFoundException;
import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.DocumentNotLockedException;
import com.couchbase.client.core.error.FeatureNotAvailableException;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.ClusterOptions;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.codec.RawBinaryTranscoder;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.GetResult;
import com.couchbase.client.java.kv.IncrementOptions;
import com.couchbase.client.java.kv.LookupInMacro;
import com.couchbase.client.java.kv.LookupInResult;
import com.couchbase.client.java.kv.LookupInSpec;
import com.couchbase.client.java.kv.MutateInOptions;
import com.couchbase.client.java.kv.MutateInResult;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.kv.RemoveOptions;
import com.couchbase.client.java.kv.ReplaceOptions;
import com.couchbase.client.java.kv.ScanType;
import com.couchbase.client.java.kv.StoreSemantics;
import com.couchbase.client.java.kv.UpsertOptions;
import com.couchbase.client.java.manager.bucket.BucketSettings;
import dev.oriel.testkit.TestCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The Java SDK of Couchbase, as it is published, against this server.
final class CouchbaseSdkTest {
    /// Where others have the processor.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// 100 ms on a machine with nothing else to do.
    private static final long REFUSED_MILLIS_MAX = 2_000;

    @RegisterExtension final Served served = new Served();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void theUnmodifiedSdkStartsAndWorks() {
        OrielServer server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(-1, 0, 0)
                                .withBucket("shop")
                                .withUsers(Map.of("ada", "secret")));
        String address = "couchbase://127.0.0.1:" + server.couchbasePort();
        ClusterOptions options =
                ClusterOptions.clusterOptions("ada", "secret")
                        .environment(environment ->
                                environment.timeoutConfig(timeouts ->
                                        timeouts.kvTimeout(PATIENCE)
                                                .kvDurableTimeout(PATIENCE)
                                                .connectTimeout(PATIENCE)
                                                .managementTimeout(PATIENCE)));
        try (Cluster cluster = Cluster.connect(address, options)) {
            Bucket bucket = cluster.bucket("shop");
            bucket.waitUntilReady(PATIENCE);
            Collection collection = bucket.defaultCollection();
            documents(collection);
            numbers(collection);
            parts(collection);
            durable(collection);
            locked(collection);
            attributes(collection);
            named(bucket);
        }
        byte[] seen = served.database.bucket("shop").get("doc");
        assertTrue(
                seen != null
                        && new String(seen, StandardCharsets.UTF_8).contains("\"name\":\"Grace\""));
    }

    @Test
    void theSdkWorksOverTls() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        TestCertificate.make(folder).write(chain, key);
        OrielServer server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(-1, 0, 0)
                                .withBucket("shop")
                                .withCertificate(chain, key)
                                .withUsers(Map.of("ada", "secret")));
        ClusterOptions options =
                ClusterOptions.clusterOptions("ada", "secret")
                        .environment(environment ->
                                environment
                                        .securityConfig(security ->
                                                security.enableTls(true)
                                                        .enableHostnameVerification(false)
                                                        .trustCertificate(chain))
                                        .timeoutConfig(timeouts ->
                                                timeouts.kvTimeout(PATIENCE)
                                                        .connectTimeout(PATIENCE)
                                                        .managementTimeout(PATIENCE)));
        String address = "couchbases://127.0.0.1:" + server.couchbasePort();
        try (Cluster cluster = Cluster.connect(address, options)) {
            Bucket bucket = cluster.bucket("shop");
            bucket.waitUntilReady(PATIENCE);
            documents(bucket.defaultCollection());
            managed(cluster);
        }
    }

    /// The SDK's management of buckets, scopes and collections: each call works, or is refused with a reason at once.
    private static void managed(Cluster cluster) {
        cluster.buckets().createBucket(BucketSettings.create("other"));
        assertTrue(cluster.buckets().getAllBuckets().containsKey("other"));
        assertEquals("other", cluster.buckets().getBucket("other").name());
        Bucket other = cluster.bucket("other");
        other.waitUntilReady(PATIENCE);
        other.collections().createScope("sales");
        other.collections().createCollection("sales", "orders");
        Collection orders = other.scope("sales").collection("orders");
        orders.upsert("a", JsonObject.create().put("n", 1));
        assertTrue(
                other.collections().getAllScopes().stream()
                        .anyMatch(scope ->
                                scope.name().equals("sales")
                                        && scope.collections().stream()
                                                .anyMatch(one -> one.name().equals("orders"))));
        other.collections().dropCollection("sales", "orders");
        other.collections().dropScope("sales");
        cluster.buckets().flushBucket("other");
        cluster.buckets().dropBucket("other");
        assertFalse(cluster.buckets().getAllBuckets().containsKey("other"));
        long begun = System.nanoTime();
        assertThrows(BucketNotFoundException.class, () -> cluster.buckets().getBucket("other"));
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        System.out.println("CouchbaseSdkTest: refused after " + millis + " ms");
        assertTrue(millis < REFUSED_MILLIS_MAX, millis + " ms until it was refused");
    }

    private static void documents(Collection collection) {
        JsonObject ada = JsonObject.create().put("name", "Ada").put("born", 1815);
        long first = collection.upsert("doc", ada).cas();
        GetResult found = collection.get("doc");
        assertEquals(ada, found.contentAsObject());
        assertEquals(first, found.cas());
        assertTrue(collection.exists("doc").exists());
        assertFalse(collection.exists("other").exists());
        assertThrows(DocumentExistsException.class, () -> collection.insert("doc", ada));
        assertThrows(DocumentNotFoundException.class, () -> collection.get("other"));
        assertThrows(DocumentNotFoundException.class, () -> collection.replace("other", ada));
        assertThrows(
                CasMismatchException.class,
                () ->
                        collection.replace(
                                "doc", ada, ReplaceOptions.replaceOptions().cas(first + 1)));
        JsonObject grace = JsonObject.create().put("name", "Grace");
        long second =
                collection.replace("doc", grace, ReplaceOptions.replaceOptions().cas(first)).cas();
        assertNotEquals(first, second);
        collection.upsert("gone", ada);
        collection.remove("gone");
        assertThrows(DocumentNotFoundException.class, () -> collection.remove("gone"));
        collection.touch("doc", Duration.ofHours(1));
        assertEquals(grace, collection.getAndTouch("doc", Duration.ofHours(2)).contentAsObject());
        collection.touch("doc", Duration.ZERO);
    }

    private static void numbers(Collection collection) {
        IncrementOptions from = IncrementOptions.incrementOptions().initial(5).delta(3);
        assertEquals(5, collection.binary().increment("n", from).content());
        assertEquals(8, collection.binary().increment("n", from).content());
        assertEquals(7, collection.binary().decrement("n").content());
        UpsertOptions raw = UpsertOptions.upsertOptions().transcoder(RawBinaryTranscoder.INSTANCE);
        collection.upsert("raw", "b".getBytes(StandardCharsets.UTF_8), raw);
        collection.binary().append("raw", "c".getBytes(StandardCharsets.UTF_8));
        collection.binary().prepend("raw", "a".getBytes(StandardCharsets.UTF_8));
        GetResult all =
                collection.get(
                        "raw",
                        com.couchbase.client.java.kv.GetOptions.getOptions()
                                .transcoder(RawBinaryTranscoder.INSTANCE));
        assertEquals("abc", new String(all.contentAsBytes(), StandardCharsets.UTF_8));
    }

    private static void parts(Collection collection) {
        collection.upsert("parts", JsonObject.fromJson("{\"a\":{\"b\":[1,2]},\"n\":1}"));
        LookupInResult looked =
                collection.lookupIn(
                        "parts",
                        List.of(
                                LookupInSpec.get("a.b[1]"),
                                LookupInSpec.exists("a.c"),
                                LookupInSpec.count("a.b")));
        assertEquals(2, looked.contentAs(0, Integer.class));
        assertFalse(looked.exists(1));
        assertEquals(2, looked.contentAs(2, Integer.class));
        MutateInResult changed =
                collection.mutateIn(
                        "parts",
                        List.of(
                                MutateInSpec.upsert("x.y", "z").createPath(),
                                MutateInSpec.arrayAppend("a.b", List.of(3)),
                                MutateInSpec.increment("n", 4),
                                MutateInSpec.remove("a.b[0]")));
        assertEquals(5, changed.contentAs(2, Integer.class));
        assertEquals(
                JsonObject.fromJson("{\"a\":{\"b\":[2,3]},\"n\":5,\"x\":{\"y\":\"z\"}}"),
                collection.get("parts").contentAsObject());
        assertThrows(
                PathNotFoundException.class,
                () -> collection.mutateIn("parts", List.of(MutateInSpec.replace("q", 1))));
        collection.mutateIn(
                "made",
                List.of(MutateInSpec.insert("k", 1)),
                MutateInOptions.mutateInOptions().storeSemantics(StoreSemantics.UPSERT));
        assertEquals(1, collection.get("made").contentAsObject().getInt("k"));
    }

    private static void durable(Collection collection) {
        for (DurabilityLevel level :
                List.of(DurabilityLevel.MAJORITY, DurabilityLevel.PERSIST_TO_MAJORITY)) {
            collection.upsert(
                    "durable",
                    JsonObject.create(),
                    UpsertOptions.upsertOptions().durability(level));
        }
        collection.remove(
                "durable", RemoveOptions.removeOptions().durability(DurabilityLevel.MAJORITY));
        UpsertOptions expiring = UpsertOptions.upsertOptions().expiry(Duration.ofHours(1));
        collection.upsert("expires", JsonObject.create(), expiring);
        collection.upsert(
                "expires", JsonObject.create(), UpsertOptions.upsertOptions().preserveExpiry(true));
    }

    private static void locked(Collection collection) {
        JsonObject first = JsonObject.create().put("n", 1);
        collection.upsert("locked", first);
        GetResult held = collection.getAndLock("locked", Duration.ofSeconds(20));
        assertEquals(first, held.contentAsObject());
        assertEquals(-1, collection.get("locked").cas()); // as Couchbase's server shows it
        assertThrows( // and is not tried again until its time is over
                CasMismatchException.class, () -> collection.upsert("locked", JsonObject.create()));
        assertThrows(CasMismatchException.class, () -> collection.unlock("locked", held.cas() + 1));
        collection.unlock("locked", held.cas());
        assertThrows(
                DocumentNotLockedException.class, () -> collection.unlock("locked", held.cas()));
        assertThrows(
                DocumentNotFoundException.class, () -> collection.unlock("absent", held.cas()));
        GetResult again = collection.getAndLock("locked", Duration.ofSeconds(20));
        JsonObject second = JsonObject.create().put("n", 2);
        collection.replace("locked", second, ReplaceOptions.replaceOptions().cas(again.cas()));
        collection.upsert("locked", first); // the replacement has unlocked it
        GetResult brief = collection.getAndLock("locked", Duration.ofSeconds(1));
        assertNotEquals(again.cas(), brief.cas());
        GetResult later = // tried again until the second is over
                collection.getAndLock("locked", Duration.ofSeconds(20));
        collection.unlock("locked", later.cas());
        collection.upsert("locked", second);
        assertEquals(second, collection.get("locked").contentAsObject());
    }

    private static Optional<Long> expiry(Collection collection, String id) {
        return collection
                .get(id, com.couchbase.client.java.kv.GetOptions.getOptions().withExpiry(true))
                .expiryTime()
                .map(Instant::getEpochSecond);
    }

    private static void attributes(Collection collection) {
        UpsertOptions hour = UpsertOptions.upsertOptions().expiry(Duration.ofHours(1));
        collection.upsert("timed", JsonObject.create().put("a", 1).put("b", 2), hour);
        GetResult timed =
                collection.get(
                        "timed",
                        com.couchbase.client.java.kv.GetOptions.getOptions().withExpiry(true));
        long seconds = timed.expiryTime().orElseThrow().getEpochSecond();
        long hourOn = System.currentTimeMillis() / 1_000 + 3_600;
        assertTrue(Math.abs(seconds - hourOn) < 60, seconds + " and not " + hourOn);
        GetResult part =
                collection.get(
                        "timed", com.couchbase.client.java.kv.GetOptions.getOptions().project("b"));
        assertEquals(JsonObject.create().put("b", 2), part.contentAsObject());
        LookupInResult looked =
                collection.lookupIn(
                        "timed",
                        List.of(
                                LookupInSpec.get(LookupInMacro.EXPIRY_TIME).xattr(),
                                LookupInSpec.get("$document.value_bytes").xattr(),
                                LookupInSpec.exists("txn").xattr(),
                                LookupInSpec.get("")));
        assertEquals(seconds, looked.contentAs(0, Long.class));
        assertEquals(13, looked.contentAs(1, Integer.class));
        assertFalse(looked.exists(2));
        assertEquals(2, looked.contentAsObject(3).getInt("b"));
        assertThrows(
                CouchbaseException.class,
                () ->
                        collection.mutateIn(
                                "timed", List.of(MutateInSpec.upsert("mine", 1).xattr())));
        collection.mutateIn(
                "timed",
                List.of(MutateInSpec.upsert("c", 3)),
                MutateInOptions.mutateInOptions().preserveExpiry(true));
        assertEquals(Optional.of(seconds), expiry(collection, "timed"));
        collection.mutateIn("timed", List.of(MutateInSpec.upsert("c", 4)));
        assertEquals(Optional.empty(), expiry(collection, "timed"));
        assertThrows(
                FeatureNotAvailableException.class,
                () -> collection.scan(ScanType.prefixScan("t")).toList());
        assertEquals(
                2,
                collection
                        .getAllReplicas("timed")
                        .toList()
                        .getFirst()
                        .contentAsObject()
                        .getInt("b"));
    }

    private void named(Bucket bucket) {
        served.database.bucket("shop$sales$orders");
        Collection orders = bucket.scope("sales").collection("orders");
        orders.upsert("doc", JsonObject.create().put("order", 1));
        assertEquals(1, orders.get("doc").contentAsObject().getInt("order"));
        assertEquals(
                "Grace", bucket.defaultCollection().get("doc").contentAsObject().getString("name"));
        assertTrue(bucket.ping().endpoints().size() > 0);
        Duration soon = Duration.ofSeconds(2); // long enough for an answer, on a busy machine too
        Collection unknown = bucket.scope("sales").collection("unknown");
        RuntimeException refused =
                assertThrows(
                        RuntimeException.class,
                        () ->
                                unknown.upsert(
                                        "doc",
                                        JsonObject.create(),
                                        UpsertOptions.upsertOptions().timeout(soon)));
        assertTrue( // this SDK itself asks again until its time is over
                refused.toString().contains("COLLECTION_NOT_FOUND"), refused.toString());
    }
}
