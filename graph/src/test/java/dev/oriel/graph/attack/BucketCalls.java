package dev.oriel.graph.attack;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Change;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.KeyedChange;
import dev.oriel.kv.WriteOptions;
import dev.oriel.testkit.Gen;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Calls of buckets by one thread.
final class BucketCalls {
    private static final int KEYS = 30;

    private final World world;
    private final int number;
    private final PrivateKeys keys;

    BucketCalls(World world, int number) {
        this.world = world;
        this.number = number;
        this.keys = world.entries.get(number);
    }

    void call(int kind, Gen gen) {
        if (kind < 25) {
            putOwn(gen);
        } else if (kind < 45) {
            transfer(gen);
        } else if (kind < 60) {
            count(gen);
        } else if (kind < 95) {
            changeCommon(gen);
        } else {
            Invariants.checkEntries(world.database, world.findings);
        }
    }

    private void putOwn(Gen gen) {
        Bucket<String> bucket = world.database.bucket("own", Codec.text());
        int key = gen.below(KEYS);
        String value = gen.chance(25) ? PrivateKeys.ABSENT : "v" + gen.below(1_000_000);
        Map<Integer, String> change = Map.of(key, value);
        try {
            if (!value.isEmpty()) {
                long _ = bucket.upsert(number + "-" + key, value);
            } else if (!bucket.remove(number + "-" + key)) {
                return;
            }
            keys.acknowledged(change);
        } catch (Throwable e) {
            keys.unknown(change);
            throw e;
        }
    }

    private void transfer(Gen gen) {
        int from = gen.below(World.ACCOUNTS);
        int to = (from + 1 + gen.below(World.ACCOUNTS - 1)) % World.ACCOUNTS;
        long amount = gen.below(20);
        Change take = new Change.Counter(false, amount, false, 0, Change.KEEP);
        Change give = new Change.Counter(true, amount, false, 0, Change.KEEP);
        var _ =
                world.database
                        .bucket("money")
                        .batch(
                                List.of(
                                        new KeyedChange("a" + from, take),
                                        new KeyedChange("a" + to, give)),
                                WriteOptions.none());
    }

    private void count(Gen gen) {
        int counter = gen.below(World.COUNTERS);
        long delta = gen.below(10);
        world.maybeCounted[counter].addAndGet(delta);
        long _ = world.database.bucket("counters").increment("c" + counter, delta, delta);
        world.counted[counter].addAndGet(delta);
    }

    private void changeCommon(Gen gen) {
        Bucket<String> bucket = world.database.bucket("common", Codec.text());
        String key = "k" + gen.below(12);
        switch (gen.below(10)) {
            case 0 -> {
                Duration life = Duration.ofMillis(gen.below(50));
                long _ = bucket.upsert(key, "x", WriteOptions.none().expiringIn(life));
            }
            case 1 -> {
                long _ = bucket.insert(key, "y".repeat(gen.below(5_000)));
            }
            case 2 -> {
                long _ = bucket.append(key, new byte[gen.below(100)]);
            }
            case 3 -> {
                Entry<String> entry = bucket.getAndLock(key, Duration.ofMillis(gen.below(100)));
                if (entry != null && gen.chance(70)) {
                    boolean _ = bucket.unlock(key, entry.cas());
                }
            }
            case 4 -> {
                Entry<String> entry = bucket.entry(key);
                if (entry != null) {
                    WriteOptions options = WriteOptions.none().ifCas(entry.cas());
                    long _ = bucket.replace(key, "z", options);
                }
            }
            case 5 -> {
                boolean _ = bucket.touch(key, null);
            }
            case 6 -> {
                var _ = bucket.getAll(List.of("k1", "k2", key));
            }
            case 7 ->
                    bucket.scan(
                            "k",
                            entry -> {
                                if (entry.value().length() > 4_000) {
                                    boolean _ = bucket.exists(entry.key());
                                }
                            });
            case 8 -> {
                long _ = world.database.buckets().clear("common");
            }
            default -> {
                boolean _ = bucket.remove(key);
            }
        }
    }
}
