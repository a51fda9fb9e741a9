package dev.oriel.bench.peers;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.ClusterOptions;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import dev.oriel.bench.Durability;
import dev.oriel.bench.Jars;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.couchbase.ClientLoop;
import dev.oriel.bench.couchbase.OrielServerStart;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import java.time.Duration;

/// The article's loop: one thread writes and reads one document again and again through Couchbase's published Java
/// SDK.
record SdkLoop() implements ClientLoop {
    private static final long WARM_NANOS = 15_000_000_000L;
    private static final long QUICK_NANOS = 5_000_000_000L;
    private static final long FULL_NANOS = 10_000_000_000L;

    @Override
    public String name() {
        return "oriel-couchbase-sdk";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Couchbase's Java SDK "
                + Jars.version("java-client")
                + ", defaults, one thread that waits for each answer; oriel serve --durability async.";
    }

    @Override
    public void run(Run run, String caseName, int couchbasePort) {
        String address = "couchbase://127.0.0.1:" + couchbasePort;
        ClusterOptions options =
                ClusterOptions.clusterOptions(OrielServerStart.USER, OrielServerStart.PASSWORD);
        try (Cluster cluster = Cluster.connect(address, options)) {
            var bucket = cluster.bucket("default");
            bucket.waitUntilReady(Duration.ofSeconds(30));
            Collection documents = bucket.defaultCollection();
            run.phase("warming up");
            long _ = loop(documents, WARM_NANOS, new Latencies());
            run.phase("measuring");
            Latencies latencies = new Latencies();
            long nanos = run.scale() == Scale.QUICK ? QUICK_NANOS : FULL_NANOS;
            Meter meter = Meter.start();
            long operations = loop(documents, nanos, latencies);
            run.rate(caseName, meter.stop(operations), Durability.ASYNC, 0);
            run.latencies(caseName, latencies, Durability.ASYNC);
        }
    }

    private static long loop(Collection documents, long nanos, Latencies latencies) {
        JsonObject document = JsonObject.create().put("name", "Ada").put("visits", 7);
        long begun = System.nanoTime();
        long operations = 0;
        long before = begun;
        while (before - begun < nanos) {
            documents.upsert("article", document);
            long between = System.nanoTime();
            JsonObject read = documents.get("article").contentAsObject();
            if (read.getInt("visits") != 7) {
                throw new IllegalStateException("It read " + read);
            }
            long now = System.nanoTime();
            latencies.add(between - before);
            latencies.add(now - between);
            operations += 2;
            before = now;
        }
        return operations;
    }
}
