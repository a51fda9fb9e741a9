package dev.oriel.bench.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TargetsTest {
    private static final String OPEN = "axion/open-ended/both/warm";

    @Test
    void nothingIsMeasuredInEmptyResults() {
        Results none = new SampleResults().build();
        List<Outcome> all = Targets.of(measured(none));
        assertEquals(56, all.size());
        assertEquals(56, Targets.count(all, Status.NOT_MEASURED));
        assertEquals(List.of(), Targets.of(none, measured(none)));
    }

    @Test
    void onDiskWeAreHeldAgainstTheFastestPeerInMemory() {
        SampleResults results =
                new SampleResults()
                        .memoryRate(OPEN, "oriel-memory", 900.0, 900.0)
                        .rate(OPEN, "oriel", 320.0, 300.0)
                        .memoryRate(OPEN, "axion-memory", 200.0, 190.0)
                        .rate(OPEN, "sqlite-disk", 800.0, 800.0);
        Check check = worst(results, "open-ended");
        assertEquals("axion-memory", check.against());
        assertEquals(1.589, check.figure().value(), 0.001);
        assertEquals(Status.MET, status(results, "open-ended"));
        assertEquals(Status.NOT_MEASURED, status(results, "LIMIT"));
    }

    @Test
    void everyInsertCaseMustReachTheBound() {
        SampleResults results =
                new SampleResults()
                        .rate("jdbm/insert/in-order/10000x150/written", "oriel", 200.0)
                        .rate("jdbm/insert/in-order/10000x150/written", "lmdb", 100.0);
        assertEquals(Status.MET, status(results, "inserts"));
        results.rate("jdbm/insert/at-random/10000x150/written", "oriel", 119.0)
                .rate("jdbm/insert/at-random/10000x150/written", "jdbm", 10.0)
                .rate("jdbm/insert/at-random/10000x150/written", "lmdb", 100.0);
        assertEquals(Status.NOT_MET, status(results, "inserts"));
        assertEquals("lmdb", worst(results, "inserts").against());
        assertEquals(1.19, worst(results, "inserts").figure().value(), 1e-9);
    }

    @Test
    void serversAreHeldAgainstMemcachedAndRedis() {
        String text = "couchbase/loopback/text";
        String deep = "couchbase/pipelined-16";
        SampleResults results =
                new SampleResults()
                        .rate(text, "oriel-server", 110.0)
                        .rate(text, "oriel-server-written", 10.0)
                        .memoryRate(text, "memcached", 100.0)
                        .figure(text, "oriel-server", "cpu", "ns/op", 900.0)
                        .figure(text, "memcached", "cpu", "ns/op", 1_000.0)
                        .figure(text, "oriel-server", "p99", "ns", 900.0)
                        .rate(deep, "oriel-server", 79.0)
                        .memoryRate(deep, "memcached", 10.0)
                        .memoryRate(deep, "redis", 100.0)
                        .figure("couchbase/idle/10000", "oriel-server", "memory", "bytes", 61e6);
        assertEquals(Status.MET, status(results, "rate >= 1.0x"));
        assertEquals(1.1, worst(results, "rate >= 1.0x").figure().value(), 1e-9);
        assertEquals(Status.MET, status(results, "server's processor"));
        assertEquals(0.9, worst(results, "server's processor").figure().value(), 1e-9);
        assertEquals(Status.NOT_MEASURED, status(results, "99 of 100"));
        assertEquals(Status.NOT_MET, status(results, "16 requests"));
        assertEquals("redis", worst(results, "16 requests").against());
        assertEquals(Status.NOT_MET, status(results, "10,000 idle"));
    }

    @Test
    void getsAllocateNothingAtTheTwoSizesOnly() {
        String small = "jdbm/get/at-random/10000x150/written";
        String large = "jdbm/get/at-random/1000000x150/written";
        SampleResults results =
                new SampleResults().add(small, "oriel", "rate", "ops/s", "written", 99.0, 5.0);
        assertEquals(Status.NOT_MEASURED, status(results, "allocated by a get"));
        assertEquals(Status.NOT_MEASURED, status(results, "gets of 1 M"));
        results.add(large, "oriel", "rate", "ops/s", "written", 0.4, 5.0);
        assertEquals(Status.MET, status(results, "allocated by a get"));
        results.add(
                large.replace("1000000x", "10000000x"),
                "oriel",
                "rate",
                "ops/s",
                "written",
                24.0,
                5.0);
        assertEquals(Status.NOT_MET, status(results, "allocated by a get"));
        assertEquals(24, worst(results, "allocated by a get").figure().value());
    }

    @Test
    void aCommitIsHeldAgainstTheFastestSync() {
        SampleResults results =
                new SampleResults()
                        .rate("jdbm/commit/1", "oriel", 10_000.0, 5_000.0)
                        .add("limits/sync/a", "machine", "time", "us/op", "sync", null, 90.0, 180.0)
                        .add(
                                "limits/sync/b",
                                "machine",
                                "time",
                                "us/op",
                                "sync",
                                null,
                                95.0,
                                190.0);
        Check check = worst(results, "single commit <=");
        assertEquals(100.0 / 90, check.figure().value(), 1e-9);
        assertEquals("limits/sync/a", check.against());
        assertEquals(Status.MET, status(results, "single commit <="));
        assertEquals(Status.NOT_MEASURED, status(results, "single commit >="));
        results.figure("jdbm/commit/1", "oriel", "p50", "ns", 108_000.0, 216_000.0);
        assertEquals(1.2, worst(results, "single commit <=").figure().value(), 1e-9);
        assertEquals(Status.NOT_MET, status(results, "single commit <="));
        results.rate("jdbm/commit/8", "oriel", 34_000.0, 17_000.0);
        assertEquals(3.4, worst(results, "8 committers").figure().value(), 1e-9);
        assertEquals(Status.NOT_MET, status(results, "8 committers"));
    }

    @Test
    void filesAreHeldAgainstTheirData() {
        SampleResults results =
                new SampleResults()
                        .figure(
                                "jdbm/insert/in-order/10000x150/written",
                                "oriel",
                                "file",
                                "bytes/op",
                                158 * 1.1,
                                158 * 1.1)
                        .figure(
                                "jdbm/insert/at-random/1000x92/written",
                                "oriel",
                                "file",
                                "bytes",
                                170_000.0);
        assertEquals(1.1, worst(results, "in order").figure().value(), 1e-9);
        assertEquals(Status.MET, status(results, "data in order"));
        assertEquals(1.7, worst(results, "data at random").figure().value(), 1e-9);
        assertEquals(Status.NOT_MET, status(results, "data at random"));
    }

    @Test
    void voronCountsNativeBytesWhereTheWorkloadTellsThem() {
        SampleResults results =
                new SampleResults()
                        .add("voron/article", "oriel", "time", "ns/op", "memory", 1.0, 10.0)
                        .add("voron/article", "voron-new", "time", "ns/op", "memory", 50.0, 300.0)
                        .add("voron/article", "voron-old", "time", "ns/op", "memory", 100.0, 250.0);
        assertEquals("voron-old", worst(results, "article's point").against());
        assertEquals(25, worst(results, "article's point").figure().value(), 1e-9);
        assertEquals(0.01, worst(results, "of its bytes").figure().value(), 1e-9);
        results.figure("voron/article", "oriel", "allocated", "bytes/op", 30.0)
                .figure("voron/article", "voron-old", "allocated", "bytes/op", 100.0);
        assertEquals(0.3, worst(results, "of its bytes").figure().value(), 1e-9);
        assertEquals(Status.NOT_MET, status(results, "of its bytes"));
    }

    @Test
    void theArticleHappensWhereItsNewDesignIsSlowerAndAllocatesLess() {
        SampleResults results =
                new SampleResults()
                        .time("voron/article", "voron-old", 100.0, 110.0)
                        .time("voron/article", "voron-new", 150.0, 165.0);
        assertEquals(1.5, worst(results, "takes longer").figure().value(), 1e-9);
        assertEquals(Status.MET, status(results, "takes longer"));
        assertEquals(Status.NOT_MEASURED, status(results, "allocates less"));
        results.figure("voron/article", "voron-old", "allocated", "bytes/op", 10.0)
                .figure("voron/article", "voron-new", "allocated", "bytes/op", 11.0);
        assertEquals(Status.NOT_MET, status(results, "allocates less"));
    }

    @Test
    void aStartIsAShareOfThePeersTime() {
        SampleResults results =
                new SampleResults()
                        .time("cold/first-query", "oriel", 50.0, 60.0, 55.0)
                        .time("cold/first-query", "h2-disk", 100.0, 105.0, 90.0);
        Check check = worst(results, "fresh JVM");
        assertTrue(check.figure().value() > 0.5 && check.figure().value() < 0.6);
        assertEquals(Status.NOT_MEASURED, status(results, "opening"));
        results.time("cold/open", "oriel", 70.0).time("cold/open", "h2-disk", 100.0);
        assertEquals(Status.NOT_MET, status(results, "opening"));
        Outcome outcome = outcome(results, "fresh JVM");
        assertEquals(Status.MET, outcome.status());
        assertTrue(outcome.target().close(check), "the interval reaches 0.6");
    }

    private static Measured measured(Results results) {
        return new Measured(results, new Comparisons(results));
    }

    private static Outcome outcome(SampleResults results, String words) {
        List<Outcome> found =
                Targets.of(measured(results.build())).stream()
                        .filter(outcome -> outcome.target().text().contains(words))
                        .toList();
        assertEquals(1, found.size(), words);
        return found.getFirst();
    }

    private static Status status(SampleResults results, String words) {
        return outcome(results, words).status();
    }

    private static Check worst(SampleResults results, String words) {
        return Objects.requireNonNull(outcome(results, words).worst());
    }
}
