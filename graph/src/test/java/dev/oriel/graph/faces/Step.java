package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Entry;
import dev.oriel.kv.MapCursor;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.OrderedMap;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.testkit.Gen;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A step of a random program over all faces. Each is valid at any place of any program, so programs can be
/// shortened.
///
/// @param kind the kind of action
/// @param seed seed of the action's choices
record Step(Kind kind, long seed) {
    private static final int KEYS = 8;
    private static final List<Isolation> LEVELS = List.of(Isolation.values());

    /// Kind of action; the weight is its relative frequency.
    enum Kind {
        BEGIN(12),
        COMMIT(6),
        ROLLBACK(3),
        MARK(8),
        BACK(6),
        FORGET(3),
        PASS(6),
        CHECK(5),
        STOCK(20),
        STOCK_BY_SQL(12),
        ACCOUNT(14),
        NOTE(10),
        SESSION(24),
        SESSION_BY_SQL(8),
        PERSON(14),
        FRIEND(12),
        PLAIN(8),
        WALK(5),
        MAKE(3);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    static Step draw(Gen gen) {
        int[] weights = new int[Kind.values().length];
        int at = 0;
        for (Kind kind : Kind.values()) {
            weights[at++] = kind.weight;
        }
        return new Step(Kind.values()[gen.weighted(weights)], gen.random().nextLong(1_000_000));
    }

    void run(World world) throws Exception {
        Random random = new Random(seed);
        switch (kind) {
            case BEGIN -> world.begin(LEVELS.get(random.nextInt(3)));
            case COMMIT -> world.end(true);
            case ROLLBACK -> world.end(false);
            case MARK -> world.mark();
            case BACK -> world.backTo(random.nextInt(5));
            case FORGET -> world.forget(random.nextInt(5));
            case PASS -> world.pass(random.nextInt(3_000_000));
            case CHECK -> world.check();
            case STOCK -> stock(world, random);
            case STOCK_BY_SQL -> stockBySql(world, random);
            case ACCOUNT -> account(world, random);
            case NOTE -> note(world, random);
            case SESSION -> session(world, random);
            case SESSION_BY_SQL -> sessionBySql(world, random);
            case PERSON, FRIEND -> {
                if (!world.isExclusive()) {
                    GraphSteps.run(kind == Kind.PERSON, world, random);
                }
            }
            case PLAIN -> plain(world, random);
            case WALK -> walk(world, random);
            case MAKE -> make(world, random);
        }
    }

    private static void stock(World world, Random random) throws Exception {
        OrderedMap<Long, Long> map = world.stock();
        Model model = world.model();
        long key = random.nextInt(KEYS);
        long value = 10L + random.nextInt(2 * KEYS);
        Long there = model.stock.get(key);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                boolean wanted = model.putStock(key, value);
                world.run(wanted, () -> assertEquals(there == null, map.put(key, value)));
            }
            case 2 -> {
                boolean wanted = there != null || model.putStock(key, value);
                world.run(wanted, () -> assertEquals(there, map.putIfAbsent(key, value)));
            }
            case 3 -> {
                boolean wanted = there == null || model.putStock(key, value);
                world.run(wanted, () -> assertEquals(there, map.replace(key, value)));
            }
            case 4 -> {
                boolean wanted = model.removeStock(key, key);
                world.run(wanted, () -> assertEquals(there, map.remove(key)));
            }
            case 5 -> {
                Long expected = random.nextInt(3) > 0 ? there : Long.valueOf(99);
                boolean swaps = Objects.equals(expected, there);
                boolean wanted = !swaps || model.putStock(key, value);
                world.run(
                        wanted, () -> assertEquals(swaps, map.compareAndSet(key, expected, value)));
            }
            case 6 -> {
                long end = key + random.nextInt(3);
                long count = model.stock.subMap(key, true, end, true).size();
                boolean wanted = model.removeStock(key, end);
                world.run(
                        wanted,
                        () -> assertEquals(count, map.deleteRange(MapRange.from(key).andTo(end))));
            }
            case 7 -> {
                Map<Long, Long> entries = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    entries.put((long) random.nextInt(KEYS), 10L + random.nextInt(2 * KEYS));
                }
                boolean wanted = model.putStock(List.copyOf(entries.entrySet()));
                world.run(wanted, () -> map.putAll(entries));
            }
            default -> {
                assertEquals(there, map.get(key));
                assertEquals(model.stock.floorEntry(key), map.floor(key));
                assertEquals(model.stock.ceilingEntry(key), map.ceiling(key));
                assertEquals(model.stock.lowerEntry(key), map.lower(key));
                assertEquals(model.stock.higherEntry(key), map.higher(key));
                assertEquals(model.stock.firstEntry(), map.first());
                assertEquals(model.stock.lastEntry(), map.last());
                assertEquals(model.stock.tailMap(key).size(), map.count(MapRange.from(key)));
                assertEquals(model.stock.headMap(key, true), map.getAll(range(key)));
            }
        }
    }

    private static List<Long> range(long last) {
        return java.util.stream.LongStream.rangeClosed(0, last).boxed().toList();
    }

    private static void stockBySql(World world, Random random) throws Exception {
        Model model = world.model();
        long key = random.nextInt(KEYS);
        long other = random.nextInt(KEYS);
        long value = 10L + random.nextInt(2 * KEYS);
        boolean there = model.stock.containsKey(key);
        int rows = there ? 1 : 0;
        switch (random.nextInt(4)) {
            case 0 -> {
                boolean wanted = !there && model.putStock(key, value);
                world.run(
                        wanted,
                        () -> {
                            int _ = world.sql("INSERT INTO map_stock VALUES (?, ?)", key, value);
                        });
            }
            case 1 -> {
                boolean wanted = !there || model.putStock(key, value);
                world.run(
                        wanted,
                        () ->
                                assertEquals(
                                        rows,
                                        world.sql(
                                                "UPDATE map_stock SET v = ? WHERE k = ?",
                                                value,
                                                key)));
            }
            case 2 -> {
                boolean wanted = model.removeStock(key, key);
                world.run(
                        wanted,
                        () ->
                                assertEquals(
                                        rows, world.sql("DELETE FROM map_stock WHERE k = ?", key)));
            }
            default -> {
                boolean wanted = model.rekeyStock(key, other);
                world.run(
                        wanted,
                        () ->
                                assertEquals(
                                        rows,
                                        world.sql(
                                                "UPDATE map_stock SET k = ? WHERE k = ?",
                                                other,
                                                key)));
            }
        }
    }

    private static @Nullable Long item(Random random) {
        return random.nextInt(3) == 0 ? null : Long.valueOf(random.nextInt(KEYS));
    }

    private static void account(World world, Random random) throws Exception {
        Model model = world.model();
        int id = random.nextInt(KEYS);
        Model.Account there = model.accounts.get(id);
        Model.Account next =
                new Model.Account(
                        "owner " + random.nextInt(KEYS), random.nextInt(-5, 40), item(random));
        int rows = there == null ? 0 : 1;
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                boolean wanted = there == null && model.putAccount(id, next);
                world.run(
                        wanted,
                        () -> {
                            int _ =
                                    world.sql(
                                            "INSERT INTO account VALUES (?, ?, ?, ?)",
                                            id,
                                            next.owner(),
                                            next.balance(),
                                            next.item());
                        });
            }
            case 2 -> {
                boolean wanted = there == null || model.putAccount(id, next);
                world.run(
                        wanted,
                        () ->
                                assertEquals(
                                        rows,
                                        world.sql(
                                                "UPDATE account SET owner = ?, balance = ?, item ="
                                                        + " ? WHERE id = ?",
                                                next.owner(),
                                                next.balance(),
                                                next.item(),
                                                id)));
            }
            case 3 -> {
                long amount = random.nextInt(-20, 20);
                boolean wanted =
                        there == null
                                || model.putAccount(
                                        id,
                                        new Model.Account(
                                                there.owner(),
                                                there.balance() + amount,
                                                there.item()));
                world.run(
                        wanted,
                        () ->
                                assertEquals(
                                        rows,
                                        world.sql(
                                                "UPDATE account SET balance = balance + ? WHERE id"
                                                        + " = ?",
                                                amount,
                                                id)));
            }
            default -> {
                model.removeAccount(id);
                assertEquals(rows, world.sql("DELETE FROM account WHERE id = ?", id));
            }
        }
    }

    private static void note(World world, Random random) throws Exception {
        Model model = world.model();
        if (random.nextInt(4) == 0 && !model.notes.isEmpty()) {
            long id = model.notes.firstKey();
            model.notes.remove(id);
            assertEquals(1, world.sql("DELETE FROM note WHERE id = ?", id));
            return;
        }
        Model.Note note = new Model.Note(random.nextInt(KEYS), item(random));
        long id = world.ticket();
        boolean wanted = model.addNote(id, note);
        world.run(
                wanted,
                () -> {
                    int _ =
                            world.sql(
                                    "INSERT INTO note VALUES (?, ?, ?)",
                                    id,
                                    note.account(),
                                    note.item());
                });
    }

    private static void session(World world, Random random) {
        Bucket<String> bucket = world.sessions();
        Model model = world.model();
        String key = "s" + random.nextInt(KEYS);
        String value = Integer.toString(random.nextInt(100));
        long expires =
                random.nextBoolean() ? 0 : world.clockMicros() + 1 + random.nextInt(5_000_000);
        WriteOptions options =
                WriteOptions.none().expiringAt(expires == 0 ? null : instant(expires));
        Model.Session there = model.session(key, world.nowMicros());
        Model.Session next = new Model.Session(value, expires);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                assertTrue(bucket.upsert(key, value, options) != 0);
                model.sessions.put(key, next);
            }
            case 2 -> {
                assertEquals(there == null, bucket.insert(key, value, options) != 0);
                if (there == null) {
                    model.sessions.put(key, next);
                }
            }
            case 3 -> {
                assertEquals(there != null, bucket.replace(key, value, options) != 0);
                if (there != null) {
                    model.sessions.put(key, next);
                }
            }
            case 4 -> {
                byte[] more = value.getBytes(StandardCharsets.UTF_8);
                boolean front = random.nextBoolean();
                long cas = front ? bucket.prepend(key, more) : bucket.append(key, more);
                assertEquals(there != null, cas != 0);
                if (there != null) {
                    String both = front ? value + there.value() : there.value() + value;
                    model.sessions.put(key, new Model.Session(both, there.expiresMicros()));
                }
            }
            case 5 -> {
                assertEquals(there != null, bucket.remove(key));
                model.sessions.remove(key);
            }
            case 6 -> {
                assertEquals(
                        there != null, bucket.touch(key, expires == 0 ? null : instant(expires)));
                if (there != null) {
                    model.sessions.put(key, new Model.Session(there.value(), expires));
                }
            }
            case 7 -> number(bucket, model, key, there, random);
            default -> ifCas(bucket, model, key, there, next, options, random);
        }
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(Duration.ofNanos(micros * 1_000));
    }

    /// Increments a counter; a value with too many digits is no number.
    private static void number(
            Bucket<String> bucket,
            Model model,
            String key,
            Model.@Nullable Session there,
            Random random) {
        if (there != null && there.value().length() > 15) {
            return;
        }
        long delta = random.nextInt(-50, 50);
        long wanted = there == null ? 7 : Math.max(0, Long.parseLong(there.value()) + delta);
        assertEquals(wanted, bucket.increment(key, delta, 7));
        model.sessions.put(
                key,
                new Model.Session(
                        Long.toString(wanted), there == null ? 0 : there.expiresMicros()));
    }

    private static void ifCas(
            Bucket<String> bucket,
            Model model,
            String key,
            Model.@Nullable Session there,
            Model.Session next,
            WriteOptions options,
            Random random) {
        Entry<String> entry = bucket.entry(key);
        if (there == null) {
            assertNull(entry);
            assertEquals(0, bucket.upsert(key, next.value(), options.ifCas(1)));
            return;
        }
        long cas = Objects.requireNonNull(entry).cas();
        if (random.nextBoolean()) {
            long changed = bucket.replace(key, there.value(), kept(there));
            assertTrue(changed > cas, () -> changed + " after " + cas);
            ConflictException refused =
                    assertThrows(
                            ConflictException.class,
                            () -> bucket.upsert(key, next.value(), options.ifCas(cas)));
            assertEquals(ConflictException.Reason.CHANGED, refused.reason());
            assertThrows(
                    ConflictException.class,
                    () -> bucket.remove(key, WriteOptions.none().ifCas(cas)));
            return;
        }
        assertTrue(bucket.upsert(key, next.value(), options.ifCas(cas)) > cas);
        model.sessions.put(key, next);
    }

    private static WriteOptions kept(Model.Session there) {
        return WriteOptions.none()
                .expiringAt(there.expiresMicros() == 0 ? null : instant(there.expiresMicros()));
    }

    private static void sessionBySql(World world, Random random) throws Exception {
        Model model = world.model();
        String key = "s" + random.nextInt(KEYS);
        String value = Integer.toString(random.nextInt(100));
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        Model.Session there = model.session(key, world.nowMicros());
        int rows = there == null ? 0 : 1;
        switch (random.nextInt(3)) {
            case 0 -> {
                boolean wanted = there == null;
                world.run(
                        wanted,
                        () -> {
                            int _ =
                                    world.sql(
                                            "INSERT INTO bucket_session (key, value) VALUES (?, ?)",
                                            key,
                                            bytes);
                        });
                if (wanted) {
                    model.sessions.put(key, new Model.Session(value, 0));
                }
            }
            case 1 -> {
                assertEquals(
                        rows,
                        world.sql("UPDATE bucket_session SET value = ? WHERE key = ?", bytes, key));
                if (there != null) {
                    model.sessions.put(key, new Model.Session(value, there.expiresMicros()));
                }
            }
            default -> {
                assertEquals(rows, world.sql("DELETE FROM bucket_session WHERE key = ?", key));
                model.sessions.remove(key);
            }
        }
    }

    private static void plain(World world, Random random) throws Exception {
        Model model = world.model();
        long key = random.nextInt(4 * KEYS);
        String value =
                "v".repeat(random.nextInt(3) == 0 ? random.nextInt(3_000) : 5) + seedOf(random);
        switch (random.nextInt(4)) {
            case 0, 1 -> {
                assertEquals(!model.plain.containsKey(key), world.plain().put(key, value));
                model.plain.put(key, value);
            }
            case 2 -> {
                int rows = model.plain.headMap(key).size();
                assertEquals(rows, world.sql("DELETE FROM map_plain WHERE k < ?", key));
                model.plain.headMap(key).clear();
            }
            default -> {
                int rows = model.plain.size();
                assertEquals(rows, world.sql("UPDATE map_plain SET v = v || 'x'"));
                model.plain.replaceAll((at, old) -> old + "x");
            }
        }
    }

    private static int seedOf(Random random) {
        return random.nextInt(1_000);
    }

    /// Walks over a map, with other calls in between that change the cursor's current entry.
    private static void walk(World world, Random random) throws Exception {
        Model model = world.model();
        OrderedMap<Long, String> map = world.plain();
        boolean descending = random.nextBoolean();
        int what = random.nextInt(3);
        List<Long> wanted =
                List.copyOf(
                        descending ? model.plain.descendingMap().keySet() : model.plain.keySet());
        MapRange<Long> all = descending ? MapRange.<Long>all().reversed() : MapRange.all();
        try (MapCursor<Long, String> cursor = map.cursor(all)) {
            for (long key : wanted) {
                assertTrue(cursor.next());
                assertEquals(key, cursor.key());
                assertEquals(model.plain.get(key), cursor.value());
                switch (what) {
                    case 0 -> assertEquals(model.plain.get(key), map.get(key));
                    case 1 -> {
                        assertFalse(map.put(key, "walked"));
                        assertEquals(model.plain.put(key, "walked"), cursor.value());
                    }
                    default -> {
                        assertEquals(model.plain.remove(key), map.remove(key));
                        assertEquals(0, world.sql("UPDATE map_plain SET v = v WHERE k = ?", key));
                        assertEquals(key, cursor.key());
                    }
                }
            }
            assertFalse(cursor.next());
        }
    }

    /// Uses a map that this creates if it is missing, within the transaction if there is one. Above READ COMMITTED
    /// no other transaction may have committed since the snapshot, and drawing from a sequence commits one.
    private static void make(World world, Random random) throws SQLException {
        String name = "made" + random.nextInt(3);
        long key = random.nextInt(KEYS);
        OrderedMap<Long, Long> map;
        try {
            map = world.map(name);
        } catch (ConflictException e) {
            assertTrue(world.isSnapshot(), e::toString);
            world.end(false);
            return;
        }
        world.made();
        Map<Long, Long> entries = world.model().made.computeIfAbsent(name, n -> new TreeMap<>());
        assertEquals(!entries.containsKey(key), map.put(key, key));
        entries.put(key, key);
    }
}
