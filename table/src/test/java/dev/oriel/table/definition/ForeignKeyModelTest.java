package dev.oriel.table.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.ForeignKey.Action;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
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
                        if (gen.chance(30)) {
                            several(transaction);
                        } else {
                            step(transaction);
                        }
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
                new Column("REF", INT, true).withFilling(new ColumnDefault.Default("" + FALLBACK));
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
            ForeignKey own =
                    new ForeignKey(
                            "own",
                            List.of(1),
                            0,
                            List.of(0),
                            up,
                            up,
                            ForeignKey.Deferral.NOT_DEFERRABLE);
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
                    new ForeignKey(
                            "other",
                            List.of(1),
                            node.id(),
                            List.of(0),
                            to,
                            to,
                            ForeignKey.Deferral.NOT_DEFERRABLE);
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

    /// What a statement does to one of several nodes.
    ///
    /// @param what as in [#tried]
    private record Change(int what, long id, long next, @Nullable Long reference) {}

    /// A node of the model while a statement changes several.
    private static final class Node {
        /// Its key before the statement; null where it was not there.
        final @Nullable Long first;

        /// Its key now; null where it is gone.
        @Nullable Long id;

        @Nullable Long reference;

        /// Whether the statement has said what it refers to.
        boolean written;

        /// What it refers to.
        @Nullable Node parent;

        Node(@Nullable Long first, @Nullable Long id, @Nullable Long reference) {
            this.first = first;
            this.id = id;
            this.reference = reference;
        }
    }

    /// A statement that changes several nodes, in the tables and in the model. There a reference that the
    /// statement leaves alone goes with the very node that it meant, and one that it makes means the node that
    /// has the key when all are changed, or else had it before; so it does not matter in which order actions
    /// are taken.
    private void several(TableTransaction transaction) throws Refused {
        TreeMap<Long, @Nullable Long> nodesBefore = new TreeMap<>(nodes);
        TreeMap<Long, @Nullable Long> leavesBefore = new TreeMap<>(leaves);
        List<Change> changes = changes();
        boolean expected = true;
        try {
            List<Node> model = new ArrayList<>();
            nodes.forEach((id, reference) -> model.add(new Node(id, id, reference)));
            for (Change change : changes) {
                apply(change, model);
            }
            settle(model);
            checkReferences();
        } catch (Refused refused) {
            nodes = nodesBefore;
            leaves = leavesBefore;
            expected = false;
        }
        Table table = table(transaction, "node");
        Transaction.Savepoint savepoint = transaction.savepoint();
        boolean done = false;
        try {
            for (Change change : changes) {
                change(transaction, table, change);
            }
            transaction.settle();
            done = true;
        } catch (ConstraintException refused) {
            transaction.rollbackTo(savepoint);
        }
        transaction.release(savepoint);
        assertEquals(
                expected,
                done,
                () -> up + " " + to + " " + nodesBefore + " " + leavesBefore + " " + changes);
        assertSame(transaction);
    }

    /// Nodes that move up or down, or go; and new ones.
    private List<Change> changes() {
        List<Long> ids = new ArrayList<>(nodes.keySet());
        int shift = (1 + gen.below(3)) * (gen.chance(50) ? 1 : -1);
        List<Change> changes = new ArrayList<>();
        boolean goes = gen.chance(40);
        boolean upwards = gen.chance(50);
        for (long id : shift > 0 ? ids.reversed() : ids) {
            long next = id + shift;
            if (gen.chance(40) || next < 0 || next > 12) {
                continue;
            }
            Long before = nodes.get(id);
            Long reference =
                    switch (gen.below(3)) {
                        case 0 -> before;
                        case 1 -> before == null ? null : Long.valueOf(before + shift);
                        default -> Long.valueOf(gen.below(12));
                    };
            changes.add(new Change(goes ? 2 : 1, id, next, reference));
        }
        if (goes && upwards) {
            changes = new ArrayList<>(changes.reversed());
        }
        for (int i = gen.chance(40) ? gen.below(4) : 0; i > 0 && !changes.isEmpty(); i--) {
            long id = gen.below(12);
            changes.add(new Change(0, id, id, gen.chance(30) ? null : (long) gen.below(12)));
        }
        return changes;
    }

    private static void change(TableTransaction transaction, Table table, Change change) {
        switch (change.what) {
            case 0 -> transaction.insert(table, Values.tuple(change.id, change.reference));
            case 1 ->
                    transaction.update(
                            table,
                            find(transaction, table, change.id),
                            Values.tuple(change.next, change.reference));
            default -> transaction.delete(table, find(transaction, table, change.id));
        }
    }

    private static @Nullable Node with(List<Node> model, long id) {
        for (Node node : model) {
            if (node.id != null && node.id == id) {
                return node;
            }
        }
        return null;
    }

    private void apply(Change change, List<Node> model) throws Refused {
        if (change.what != 2
                && (change.what == 0 || change.next != change.id)
                && with(model, change.next) != null) {
            throw new Refused();
        }
        if (change.what == 0) {
            Node added = new Node(null, change.id, change.reference);
            added.written = true;
            model.add(added);
            return;
        }
        Node node = Objects.requireNonNull(with(model, change.id));
        boolean refers = leaves.containsValue(change.id);
        if (to == Action.RESTRICT && refers) {
            throw new Refused();
        }
        for (Node other : model) {
            if (up == Action.RESTRICT
                    && other != node
                    && other.id != null
                    && Objects.equals(other.reference, change.id)) {
                throw new Refused();
            }
        }
        if (change.what == 2) {
            node.id = null;
        } else {
            node.id = change.next;
            node.written = !Objects.equals(node.reference, change.reference);
            node.reference = change.reference;
        }
    }

    /// All nodes are changed: what follows.
    private void settle(List<Node> model) throws Refused {
        Map<Long, Node> before = new TreeMap<>();
        Map<Long, Node> now = new TreeMap<>();
        for (Node node : model) {
            if (node.first != null) {
                before.put(node.first, node);
            }
            if (node.id != null) {
                now.put(node.id, node);
            }
        }
        for (Node node : model) {
            if (node.reference != null) {
                Node meant = node.written ? now.get(node.reference) : null;
                node.parent = meant != null ? meant : before.get(node.reference);
            }
        }
        Map<Long, Node> parents = new TreeMap<>();
        leaves.forEach((leaf, reference) -> {
            if (reference != null) {
                parents.put(leaf, Objects.requireNonNull(before.get(reference)));
            }
        });
        Deque<Node> left = new ArrayDeque<>();
        for (Node node : model) {
            if (node.first != null && !node.first.equals(node.id)) {
                left.add(node);
            }
        }
        while (!left.isEmpty()) {
            Node parent = left.remove();
            for (Node node : model) {
                if (node.id != null
                        && node.reference != null
                        && node.parent == parent
                        && !node.reference.equals(parent.id)) {
                    follow(node, parent.id, left);
                }
            }
            followLeaves(parents, parent);
        }
        nodes = new TreeMap<>();
        for (Node node : model) {
            if (node.id != null) {
                nodes.put(node.id, node.reference);
            }
        }
    }

    private void follow(Node node, @Nullable Long next, Deque<Node> left) {
        switch (up) {
            case NO_ACTION, RESTRICT -> {} // seen at the end, or before
            case CASCADE -> {
                if (next == null) {
                    node.id = null;
                    left.add(node);
                } else {
                    node.reference = next;
                }
            }
            case SET_NULL -> node.reference = null;
            case SET_DEFAULT -> node.reference = FALLBACK;
        }
    }

    private void followLeaves(Map<Long, Node> parents, Node parent) throws Refused {
        for (Map.Entry<Long, @Nullable Long> leaf : entries(leaves)) {
            if (leaf.getValue() == null || parents.get(leaf.getKey()) != parent) {
                continue;
            }
            switch (to) {
                case NO_ACTION -> {} // seen at the end
                case RESTRICT -> throw new Refused();
                case CASCADE -> {
                    if (parent.id == null) {
                        leaves.remove(leaf.getKey());
                    } else {
                        leaves.put(leaf.getKey(), parent.id);
                    }
                }
                case SET_NULL -> leaves.put(leaf.getKey(), null);
                case SET_DEFAULT -> leaves.put(leaf.getKey(), FALLBACK);
            }
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
