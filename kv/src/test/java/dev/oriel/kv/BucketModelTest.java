package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Random histories of all operations, compared with a map of entries that expire.
final class BucketModelTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final int STEPS = 20_000;
    private static final String[] KEYS = {"a", "b", "b1", "b2", "counter", "ключ", "\u0000x", "zz"};

    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Model(
            byte[] value, int flags, long expires, long cas, boolean stale, boolean claimed) {
        Model(byte[] value, int flags, long expires, long cas) {
            this(value, flags, expires, cas, false, false);
        }

        Model with(long newExpires, long newCas) {
            return new Model(value, flags, newExpires, newCas, stale, claimed);
        }

        Model marked(boolean isStale, boolean isClaimed) {
            return new Model(value, flags, expires, cas, isStale, isClaimed);
        }
    }

    private record Held(long cas, long until) {}

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final Map<String, Model> model = new HashMap<>();
    private final Map<String, Held> locks = new HashMap<>();

    private @Nullable Held lock(String key) {
        Held held = locks.get(key);
        return held == null || held.until <= now.get() || live(key) == null ? null : held;
    }

    private @Nullable Model live(String key) {
        Model found = model.get(key);
        return found == null || (found.expires != 0 && found.expires <= now.get()) ? null : found;
    }

    @Test
    void everyOperationIsWhatAMapDoes() {
        Gen gen = new Gen(Seed.of("BucketModelTest", 7));
        Tables tables =
                check.closing(Tables.open(Store.inMemory(StoreOptions.defaults()), now::get));
        check.also("tables", tables::check);
        Buckets buckets =
                check.closing(
                        new Buckets(
                                tables,
                                BucketOptions.defaults()
                                        .withSweepMillis(0)
                                        .withValueBytesMax(500)));
        BucketSession session = check.closing(buckets.session("m"));
        Map<Status, Integer> seen = new EnumMap<>(Status.class);
        for (int i = 0; i < STEPS; i++) {
            if (gen.chance(5)) {
                now.addAndGet(gen.between(1, 400));
            }
            if (gen.chance(1)) {
                buckets.sweep();
            }
            String key = KEYS[gen.below(KEYS.length)];
            if (gen.chance(20)) {
                look(session, key);
            } else if (gen.chance(5)) {
                batch(buckets, session, gen, i);
            } else {
                seen.merge(step(session, gen, key, i), 1, Integer::sum);
            }
            if (i % 500 == 0) {
                scan(buckets, KEYS[gen.below(KEYS.length)]);
            }
        }
        for (Status wanted :
                List.of(
                        Status.SUCCESS,
                        Status.EXISTS,
                        Status.NOT_FOUND,
                        Status.NOT_STORED,
                        Status.NOT_A_NUMBER,
                        Status.LOCKED,
                        Status.NOT_LOCKED,
                        Status.MULTI_PATH_FAILURE,
                        Status.TOO_BIG)) {
            assertTrue(seen.getOrDefault(wanted, 0) > 20, wanted + " in " + seen);
        }
        assertTrue(buckets.swept() > 20, "swept " + buckets.swept());
    }

    private void look(BucketSession session, String key) {
        Model expected = live(key);
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        Status status = session.read(bytes, 0, bytes.length);
        assertEquals(expected == null ? Status.NOT_FOUND : Status.SUCCESS, status);
        if (expected != null) {
            assertArrayEquals(expected.value, session.value().toBytes());
            assertEquals(expected.flags, session.flags());
            assertEquals(expected.expires, session.expiresAtMicros());
            assertEquals(lock(key) == null ? expected.cas : -1, session.cas());
            assertEquals(expected.stale, session.isStale());
            assertEquals(expected.claimed, session.isClaimed());
        }
        session.release();
    }

    /// Some keys at once: each ends as it would alone.
    private void batch(Buckets buckets, BucketSession session, Gen gen, int i) {
        List<String> keys = new ArrayList<>(List.of(KEYS));
        gen.shuffle(keys);
        List<KeyedChange> changes = new ArrayList<>();
        List<Status> expected = new ArrayList<>();
        for (String key : keys.subList(0, 1 + gen.below(4))) {
            Model old = live(key);
            Held lock = lock(key);
            long cas = lock != null && gen.chance(70) ? lock.cas : 0;
            Change change = change(gen, i, Change.NEVER, old);
            changes.add(new KeyedChange(key, cas, change));
            Status status =
                    change instanceof Change.Lock
                            ? Status.INVALID
                            : lock != null && cas != lock.cas
                                    ? Status.LOCKED
                                    : expected(key, old, cas, change);
            expected.add(status);
            if (status == Status.SUCCESS) {
                locks.remove(key);
            }
        }
        WriteOptions options = WriteOptions.none().withDurability(gen.pick(DURABILITIES));
        assertEquals(expected, buckets.bucket("m").batch(changes, options), "step " + i);
        for (KeyedChange one : changes) {
            Model changed = model.get(one.key());
            if (changed != null && session.read(one.key()) == Status.SUCCESS) {
                if (lock(one.key()) == null) {
                    model.put(one.key(), changed.with(changed.expires, session.cas()));
                }
                session.release();
            }
            look(session, one.key());
        }
    }

    private static final List<Durability> DURABILITIES = List.of(Durability.values());

    private void scan(Buckets buckets, String prefix) {
        Map<String, Long> expected = new TreeMap<>();
        for (String key : KEYS) {
            Model entry = live(key);
            if (key.startsWith(prefix) && entry != null) {
                expected.put(key, entry.cas);
            }
        }
        Map<String, Long> found = new TreeMap<>();
        List<String> order = new ArrayList<>();
        buckets.bucket("m")
                .scan(
                        prefix,
                        entry -> {
                            found.put(entry.key(), entry.cas());
                            order.add(entry.key());
                        });
        assertEquals(expected, found);
        assertEquals(List.copyOf(expected.keySet()), order);
    }

    private Status step(BucketSession session, Gen gen, String key, int i) {
        Model old = live(key);
        long cas = 0;
        if (gen.chance(25)) {
            cas = old != null && gen.chance(50) ? old.cas : 1 + gen.below(50);
        }
        long expires = gen.chance(33) ? now.get() + gen.between(1, 3_000) : Change.NEVER;
        if (gen.chance(20)) {
            expires = Change.KEEP;
        }
        Held lock = lock(key);
        if (lock != null && gen.chance(70)) {
            cas = lock.cas;
        }
        Change change = change(gen, i, expires, old);
        Status status = session.change(key, cas, change, null);
        Status expected =
                lock != null && (cas != lock.cas || change instanceof Change.Lock)
                        ? Status.LOCKED
                        : expected(key, old, cas, change);
        assertEquals(expected, status, () -> "step " + i + " " + change + " of " + old);
        if (status == Status.SUCCESS) {
            locks.remove(key);
        }
        if (status == Status.SUCCESS && change instanceof Change.Lock locked) {
            locks.put(key, new Held(session.cas(), now.get() + locked.forMicros()));
        }
        if (status == Status.SUCCESS && !(change instanceof Change.Remove)) {
            Model now = model.get(key);
            assertNotNull(now);
            boolean written = !(change instanceof Change.Unlock) && !unchanged;
            if (old != null) {
                assertTrue(written ? session.cas() > old.cas : session.cas() == old.cas);
            }
            if (change instanceof Change.Claim) {
                assertEquals(won, session.hasWon());
            }
            assertArrayEquals(now.value, session.newValue());
            model.put(key, now.with(now.expires, session.cas()));
        }
        return status;
    }

    /// Of the last [Change.Claim]: whether it was to win, and whether nothing was to be written.
    private boolean won;

    private boolean unchanged;

    private static Change change(Gen gen, int i, long expires, @Nullable Model old) {
        return switch (gen.below(14)) {
            case 0, 1, 2, 3 -> {
                byte[] value =
                        gen.chance(25)
                                ? Long.toUnsignedString(gen.anyLong())
                                        .getBytes(StandardCharsets.US_ASCII)
                                : gen.bytes(gen.chance(30) ? 700 : 100);
                yield new Change.Store(gen.pick(List.of(Change.Mode.values())), value, i, expires);
            }
            case 4, 5 ->
                    new Change.Counter(
                            gen.chance(50), gen.anyLong(), gen.chance(50), gen.anyLong(), expires);
            case 6 -> new Change.Touch(expires);
            case 7 -> new Change.Lock(gen.between(1, 2_000));
            case 8 -> new Change.Unlock();
            case 9 -> new Change.Invalidate(expires);
            case 10 ->
                    new Change.Claim(
                            gen.chance(50) ? Change.KEEP : expires,
                            gen.chance(50) ? 0 : gen.between(1, 2_000),
                            gen.chance(50),
                            gen.chance(50) ? Change.NEVER : expires);
            case 11 -> {
                long seen = old == null ? 5 : old.cas + gen.between(-1, 1);
                yield new Change.StoreStale(gen.bytes(20), i, seen);
            }
            case 12 -> {
                JsonEdit count =
                        JsonEdit.of(
                                gen.chance(80)
                                        ? JsonEdit.Operation.COUNTER
                                        : JsonEdit.Operation.ARRAY_APPEND,
                                "n",
                                "7");
                List<Change.Mode> modes =
                        List.of(Change.Mode.SET, Change.Mode.ADD, Change.Mode.REPLACE);
                yield new Change.Edit(gen.pick(modes), List.of(count), expires);
            }
            default -> new Change.Remove();
        };
    }

    private Status expected(String key, @Nullable Model old, long cas, Change change) {
        if (cas != 0 && old == null) {
            return Status.NOT_FOUND;
        }
        if (old != null && lock(key) == null && change instanceof Change.Unlock) {
            return Status.NOT_LOCKED;
        }
        if (cas != 0 && old != null && old.cas != cas) {
            return Status.EXISTS;
        }
        unchanged = false;
        if (old == null && change instanceof Change.Claim claim && claim.create()) {
            won = true;
            long expires = keep(claim.createdExpiresAtMicros(), null);
            model.put(key, new Model(new byte[0], 0, expires, 0, false, true));
            return Status.SUCCESS;
        }
        return switch (change) {
            case Change.Store store -> expected(key, old, store);
            case Change.Edit edit -> expected(key, old, edit);
            case Change.Counter counter -> expected(key, old, counter);
            case Change.Touch touch -> {
                if (old == null) {
                    yield Status.NOT_FOUND;
                }
                model.put(key, old.with(keep(touch.expiresAtMicros(), old), old.cas));
                yield Status.SUCCESS;
            }
            case Change.Remove _ -> {
                if (old != null) {
                    model.remove(key);
                }
                yield old == null ? Status.NOT_FOUND : Status.SUCCESS;
            }
            case Change.Unlock _, Change.Lock _ -> old == null ? Status.NOT_FOUND : Status.SUCCESS;
            case Change.Invalidate invalidate -> {
                if (old == null) {
                    yield Status.NOT_FOUND;
                }
                Model kept = old.with(keep(invalidate.expiresAtMicros(), old), 0);
                model.put(key, kept.marked(true, false));
                yield Status.SUCCESS;
            }
            case Change.StoreStale stale -> {
                if (old == null || stale.cas() >= old.cas) {
                    yield old == null ? Status.NOT_FOUND : Status.EXISTS;
                }
                Model kept = new Model(stale.value(), stale.flags(), old.expires, 0);
                model.put(key, kept.marked(true, old.claimed));
                yield Status.SUCCESS;
            }
            case Change.Claim claim -> {
                if (old == null) {
                    yield Status.NOT_FOUND;
                }
                long expires = keep(claim.expiresAtMicros(), old);
                boolean late = expires != 0 && expires - now.get() < claim.renewBelowMicros();
                won = !old.claimed && (old.stale || late);
                unchanged = !won && claim.expiresAtMicros() == Change.KEEP;
                model.put(key, old.with(expires, 0).marked(old.stale, old.claimed || won));
                yield Status.SUCCESS;
            }
        };
    }

    /// The one edit that is made here: 7 is added to the member `n`.
    private Status expected(String key, @Nullable Model old, Change.Edit edit) {
        if (edit.mode() == Change.Mode.ADD && old != null) {
            return Status.EXISTS;
        }
        if (edit.mode() == Change.Mode.REPLACE && old == null) {
            return Status.NOT_FOUND;
        }
        if (edit.edits().getFirst().operation() != JsonEdit.Operation.COUNTER) {
            return Status.MULTI_PATH_FAILURE; // no value here has an array
        }
        String text = old == null ? "{}" : latin(old.value);
        String changed;
        if (text.equals("{}")) {
            changed = "{\"n\":7}";
        } else if (text.matches("\\{\"n\":[0-9]+}")) {
            long number = Long.parseLong(text.substring(5, text.length() - 1)) + 7;
            changed = "{\"n\":" + number + "}";
        } else {
            return Status.MULTI_PATH_FAILURE;
        }
        int flags = old == null ? Codec.JSON : old.flags;
        Model made =
                new Model(
                        changed.getBytes(StandardCharsets.US_ASCII),
                        flags,
                        keep(edit.expiresAtMicros(), old),
                        0);
        model.put(key, old == null ? made : made.marked(old.stale, old.claimed));
        return Status.SUCCESS;
    }

    private static long keep(long expires, @Nullable Model old) {
        return expires != Change.KEEP ? expires : old == null ? Change.NEVER : old.expires;
    }

    private Status expected(String key, @Nullable Model old, Change.Store store) {
        byte[] value = store.value();
        int flags = store.flags();
        long expires = keep(store.expiresAtMicros(), old);
        switch (store.mode()) {
            case ADD -> {
                if (old != null) {
                    return Status.EXISTS;
                }
            }
            case REPLACE -> {
                if (old == null) {
                    return Status.NOT_FOUND;
                }
            }
            case APPEND, PREPEND -> {
                if (old == null) {
                    return Status.NOT_STORED;
                }
                boolean append = store.mode() == Change.Mode.APPEND;
                String both =
                        append ? latin(old.value) + latin(value) : latin(value) + latin(old.value);
                value = both.getBytes(StandardCharsets.ISO_8859_1);
                flags = old.flags;
                expires = old.expires;
            }
            case SET -> {}
        }
        if (value.length > 500) {
            return Status.TOO_BIG;
        }
        model.put(key, new Model(value, flags, expires, 0));
        return Status.SUCCESS;
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private Status expected(String key, @Nullable Model old, Change.Counter counter) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(64);
        if (old == null) {
            if (!counter.create()) {
                return Status.NOT_FOUND;
            }
            String digits = Long.toUnsignedString(counter.initial());
            model.put(
                    key,
                    new Model(
                            digits.getBytes(StandardCharsets.US_ASCII),
                            0,
                            keep(counter.expiresAtMicros(), null),
                            0));
            return Status.SUCCESS;
        }
        String text = latin(old.value).replaceFirst(" +\\z", "");
        if (!text.matches("[0-9]{1,20}") || new BigInteger(text).compareTo(modulus) >= 0) {
            return Status.NOT_A_NUMBER;
        }
        BigInteger delta = new BigInteger(Long.toUnsignedString(counter.delta()));
        BigInteger number = new BigInteger(text);
        number = counter.up() ? number.add(delta).mod(modulus) : number.subtract(delta);
        if (number.signum() < 0) {
            number = BigInteger.ZERO;
        }
        byte[] digits = number.toString().getBytes(StandardCharsets.US_ASCII);
        model.put(key, new Model(digits, old.flags, old.expires, 0).marked(old.stale, old.claimed));
        return Status.SUCCESS;
    }
}
