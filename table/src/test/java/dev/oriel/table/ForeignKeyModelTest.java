package dev.oriel.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.Store;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.table.ForeignKey.Action;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Random changes of a table that refers to itself and of one that refers to it, under every pair of
/// actions and with every kind of index, against two maps: what is refused, and what is there.
final class ForeignKeyModelTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Type INT = Type.of(Type.Name.INTEGER);
    private static final long FALLBACK = 0;

    private Gen gen = new Gen(Seed.of("ForeignKeyModelTest", 1));
    private Action up = Action.NO_ACTION;
    private Action to = Action.NO_ACTION;
    private TreeMap<Long, @Nullable Long> nodes = new TreeMap<>();
    private TreeMap<Long, @Nullable Long> leaves = new TreeMap<>();

    /// Says that the model refuses what is tried.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void everyPairOfActions() throws Refused {
        long seed = Seed.of("ForeignKeyModelTest", 7).nextLong();
        for (Action first : Action.values()) {
            for (Action second : Action.values()) {
                gen = new Gen(new SplittableRandom(seed++));
                up = first;
                to = second;
                run();
            }
        }
    }

    private void run() throws Refused {
        nodes = new TreeMap<>();
        leaves = new TreeMap<>();
        Store store = Store.inMemory(StoreOptions.defaults().withDurability(Durability.ASYNC));
        try (Tables tables = Tables.open(store)) {
            tables.expressions((table, text, target) ->
                    (transaction, row, out, column) -> out.setLong(column, Long.parseLong(text)));
            create(tables);
            for (int i = 0; i < 12; i++) {
                TreeMap<Long, @Nullable Long> nodesBefore = new TreeMap<>(nodes);
                TreeMap<Long, @Nullable Long> leavesBefore = new TreeMap<>(leaves);
                try (TableTransaction transaction = tables.beginWrite()) {
                    if (gen.chance(20)) {
                        transaction.exclusive();
                    }
                    for (int j = gen.below(25); j >= 0; j--) {
                        step(transaction);
                    }
                    assertSame(transaction);
                    if (gen.chance(20)) {
                        nodes = nodesBefore;
                        leaves = leavesBefore;
                    } else {
                        transaction.commit();
                    }
                }
                assertEquals(List.of(), tables.check());
            }
            try (TableTransaction reading = tables.beginRead()) {
                assertSame(reading);
            }
        }
    }

    private void create(Tables tables) {
        Column id = new Column("ID", INT, false);
        Column reference =
                new Column("REF", INT, true).withFilling(new Filling.Default("" + FALLBACK));
        boolean unique = gen.chance(50);
        List<Index> keys =
                unique
                        ? List.of(
                                new Index(
                                        "node_id",
                                        gen.chance(50) ? Index.Kind.BTREE : Index.Kind.ARRAY,
                                        true,
                                        List.of(0)))
                        : List.of();
        List<Integer> primary = unique ? List.of() : List.of(0);
        try (TableTransaction begin = tables.beginWrite()) {
            ForeignKey own = new ForeignKey("own", List.of(1), 0, List.of(0), up, up, false);
            Table node =
                    begin.create(
                            new Table(
                                    0,
                                    "node",
                                    List.of(id, reference),
                                    primary,
                                    keys,
                                    new Constraints("", List.of(), List.of(own))));
            List<Index> byReference =
                    gen.chance(30)
                            ? List.of()
                            : List.of(
                                    new Index(
                                            "leaf_ref",
                                            gen.chance(50) ? Index.Kind.BTREE : Index.Kind.ARRAY,
                                            false,
                                            List.of(1, 0)));
            ForeignKey other =
                    new ForeignKey("other", List.of(1), node.id(), List.of(0), to, to, false);
            begin.create(
                    new Table(
                            0,
                            "leaf",
                            List.of(id, reference),
                            List.of(0),
                            byReference,
                            new Constraints("", List.of(), List.of(other))));
            begin.commit();
        }
    }

    private static Table table(TableTransaction transaction, String name) {
        Table table = transaction.catalog().table(name);
        assertNotNull(table);
        return table;
    }

    /// One statement, in the tables and in the model.
    private void step(TableTransaction transaction) throws Refused {
        TreeMap<Long, @Nullable Long> nodesBefore = new TreeMap<>(nodes);
        TreeMap<Long, @Nullable Long> leavesBefore = new TreeMap<>(leaves);
        boolean leaf = gen.chance(40);
        TreeMap<Long, @Nullable Long> model = leaf ? leaves : nodes;
        Table table = table(transaction, leaf ? "leaf" : "node");
        long id = gen.below(12);
        Long reference = gen.chance(30) ? null : (long) gen.below(12);
        int what = gen.weighted(40, 30, 30);
        long next = gen.chance(50) ? id : gen.below(12);
        boolean expected = true;
        try {
            switch (what) {
                case 0 -> {
                    if (model.containsKey(id)) {
                        throw new Refused();
                    }
                    model.put(id, reference);
                }
                case 1 -> {
                    if (!model.containsKey(id)) {
                        return;
                    }
                    update(leaf, id, next, reference);
                }
                default -> {
                    if (!model.containsKey(id)) {
                        return;
                    }
                    model.remove(id);
                    if (!leaf) {
                        removed(id, null);
                    }
                }
            }
            checkReferences();
        } catch (Refused refused) {
            nodes = nodesBefore;
            leaves = leavesBefore;
            expected = false;
        }
        long[] ids = {id, next};
        assertEquals(expected, tried(transaction, table, what, ids, reference));
    }

    private void update(boolean leaf, long id, long next, @Nullable Long reference) throws Refused {
        TreeMap<Long, @Nullable Long> model = leaf ? leaves : nodes;
        if (next != id && model.containsKey(next)) {
            throw new Refused();
        }
        model.remove(id);
        model.put(next, reference);
        if (!leaf && next != id) {
            removed(id, next);
        }
    }

    /// What follows from the node `first` having gone, or being called `now`.
    private void removed(long first, @Nullable Long now) throws Refused {
        Deque<Long> gone = new ArrayDeque<>(List.of(first));
        Deque<Long> renamed = new ArrayDeque<>();
        while (!gone.isEmpty()) {
            long id = gone.remove();
            follow(nodes, up, id, now, gone, now);
            follow(leaves, to, id, now, renamed, null);
        }
    }

    private static void follow(
            Map<Long, @Nullable Long> model,
            Action action,
            long id,
            @Nullable Long now,
            Deque<Long> gone,
            @Nullable Long self)
            throws Refused {
        for (Map.Entry<Long, @Nullable Long> entry : List.copyOf(entries(model))) {
            Long reference = entry.getValue();
            if (reference == null || reference != id) {
                continue;
            }
            switch (action) {
                case NO_ACTION -> {} // seen at the end
                case RESTRICT -> {
                    if (!Objects.equals(entry.getKey(), self)) {
                        throw new Refused();
                    }
                }
                case CASCADE -> {
                    if (now != null) {
                        model.put(entry.getKey(), now);
                    } else {
                        model.remove(entry.getKey());
                        gone.add(entry.getKey());
                    }
                }
                case SET_NULL -> model.put(entry.getKey(), null);
                case SET_DEFAULT -> model.put(entry.getKey(), FALLBACK);
            }
        }
    }

    private static List<Map.Entry<Long, @Nullable Long>> entries(Map<Long, @Nullable Long> model) {
        return new ArrayList<>(new TreeMap<Long, @Nullable Long>(model).entrySet());
    }

    private void checkReferences() throws Refused {
        for (TreeMap<Long, @Nullable Long> model : List.of(nodes, leaves)) {
            for (Long reference : model.values()) {
                if (reference != null && !nodes.containsKey(reference)) {
                    throw new Refused();
                }
            }
        }
    }

    /// Whether the tables do it.
    ///
    /// @param ids the key, and what an update makes of it
    private static boolean tried(
            TableTransaction transaction, Table table, int what, long[] ids, @Nullable Long ref) {
        Transaction.Savepoint savepoint = transaction.savepoint();
        try {
            switch (what) {
                case 0 -> transaction.insert(table, Values.tuple(ids[0], ref));
                case 1 ->
                        transaction.update(
                                table, find(transaction, table, ids[0]), Values.tuple(ids[1], ref));
                default -> transaction.delete(table, find(transaction, table, ids[0]));
            }
            transaction.settle();
            transaction.release(savepoint);
            return true;
        } catch (ConstraintException refused) {
            transaction.rollbackTo(savepoint);
            transaction.release(savepoint);
            return false;
        }
    }

    private static Slice find(TableTransaction transaction, Table table, long id) {
        RowCursor cursor = transaction.cursor(table, null);
        cursor.open(transaction, new KeyRange(1), false);
        while (cursor.next()) {
            if (cursor.longAt(0) == id) {
                Slice key = new Slice();
                cursor.rowKey(key);
                return Slice.copyOf(key.toBytes());
            }
        }
        throw new AssertionError("no row " + id);
    }

    private void assertSame(TableTransaction transaction) {
        assertEquals(nodes, content(transaction, "node"));
        assertEquals(leaves, content(transaction, "leaf"));
    }

    private static Map<Long, @Nullable Long> content(TableTransaction transaction, String name) {
        Table table = table(transaction, name);
        Map<Long, @Nullable Long> found = new TreeMap<>();
        RowCursor cursor = transaction.cursor(table, null);
        cursor.open(transaction, new KeyRange(1), false);
        while (cursor.next()) {
            found.put(cursor.longAt(0), cursor.isNull(1) ? null : cursor.longAt(1));
        }
        return found;
    }
}
