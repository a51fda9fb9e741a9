package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.table.ConstraintException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sees to the foreign keys of one transaction's changes.
///
/// A row that refers locks the existence of the key it refers to SHARED, and looks for it in the newest
/// state, whatever the snapshot says; who takes a key away locks its existence EXCLUSIVE, and then looks
/// for rows that refer to it in the newest state. So of a row and the deletion of its parent that are
/// under way at once, one waits for the other and then sees it. Other changes of the parent are in
/// nobody's way.
///
/// What is refused at the end of a statement only, or at commit, is kept until then, where it could not
/// be seen to hold at once: a parent may come after its child, and a child may go after its parent.
/// Actions are kept in a queue and not called from one another, so chains and cycles need no stack.
final class ForeignKeys {
    private final StoredTransaction transaction;

    /// Made for the first one: most transactions have none.
    private @Nullable Deque<Action> actions;

    /// Immutable while it is empty, for the same reason.
    private List<Doubt> doubts = List.of();

    /// Taken at the first use; none yet, or no more, where it is null.
    private @Nullable KeyMemory memory;

    ForeignKeys(StoredTransaction transaction) {
        this.transaction = transaction;
    }

    /// Where keys are put together, and which keys they are. Kept by [Tables] for one transaction after another:
    /// memory beside the heap takes longer to get than a key to make.
    static final class KeyMemory {
        private final NativeBuffer key = new NativeBuffer(64);
        private final NativeBuffer other = new NativeBuffer(64);
        private final NativeBuffer name = new NativeBuffer(64);
        private final IdentityHashMap<ForeignKey, ParentKey> resolved = new IdentityHashMap<>(4);
        private long resolvedFor = -1;
    }

    private KeyMemory memory() {
        KeyMemory own = memory;
        if (own == null) {
            own = transaction.tables().takeKeyMemory();
            memory = own;
        }
        return own;
    }

    /// The transaction has ended.
    void end() {
        KeyMemory own = memory;
        if (own != null) {
            memory = null;
            transaction.tables().giveBack(own);
        }
    }

    /// What is to become of rows that referred to a key.
    ///
    /// @param now the key's new values; null where its row is gone
    private record Action(long child, ForeignKey key, Tuple old, @Nullable Tuple now) {}

    /// What must be looked at again.
    ///
    /// @param row key of a row whose parent was not found; else null
    /// @param old values of a key that was taken away; else null
    record Doubt(long child, ForeignKey key, @Nullable Slice row, @Nullable Tuple old) {}

    /// Whether columns of a foreign key differ.
    ///
    /// @param change says which columns may; null where any may
    boolean changed(TableEntry child, StoredRow old, StoredRow now, @Nullable ChangedRow change) {
        for (ForeignKey key : child.table().constraints().foreignKeys()) {
            ParentKey to = parent(child, key);
            if ((change == null || !change.keepsAll(to.childColumns()))
                    && !same(old, now, to.childColumns(), to.types())) {
                return true;
            }
        }
        return false;
    }

    private boolean same(StoredRow a, StoredRow b, int[] columns, Type[] types) {
        memory().key.clear();
        memory().other.clear();
        KeyCodec.putColumns(memory().key, a, types, columns);
        KeyCodec.putColumns(memory().other, b, types, columns);
        return Slice.compare(memory().key.slice(new Slice()), memory().other.slice(new Slice()))
                == 0;
    }

    /// `row` was written under `rowKey`: it needs its parents.
    void written(TableEntry child, StoredRow row, Slice rowKey) {
        for (ForeignKey key : child.table().constraints().foreignKeys()) {
            if (!hasParent(parent(child, key), row)) {
                Slice copy = Slice.copyOf(rowKey.toBytes());
                doubt(new Doubt(child.table().id(), key, copy, null));
            }
        }
    }

    private boolean hasParent(ParentKey to, StoredRow row) {
        memory().key.clear();
        if (KeyCodec.putColumns(memory().key, row, to.types(), to.childColumns())) {
            return true; // with a NULL it refers to nothing
        }
        to.lockName(memory().key, memory().name);
        Transaction store = transaction.store();
        transaction.definitions().keep(to.parent(), store.patience());
        Slice name = memory().name.slice(new Slice());
        store.lock(to.parent().tree(), name, LockMode.SHARED, store.patience());
        return to.exists(transaction, memory().key.slice(new Slice()));
    }

    /// `old` is about to be removed.
    void leaving(TableEntry parent, StoredRow old, Slice rowKey) {
        leaving(parent, old, rowKey, null, null);
    }

    /// `old` is about to be removed, or to become `now`.
    ///
    /// @param change says which columns may differ; null where any may
    void leaving(
            TableEntry parent,
            StoredRow old,
            Slice rowKey,
            @Nullable StoredRow now,
            @Nullable ChangedRow change) {
        for (Schema.Reference reference : transaction.schema().referencesTo(parent)) {
            ForeignKey key = reference.key();
            ParentKey to = parent(reference.child(), key);
            int[] columns = to.parentColumns();
            if (change != null && change.keepsAll(columns)) {
                continue;
            }
            if (now != null && same(old, now, columns, to.types())) {
                continue;
            }
            memory().key.clear();
            if (KeyCodec.putColumns(memory().key, old, to.types(), columns)) {
                continue; // nothing refers to a key with a NULL
            }
            to.lockName(memory().key, memory().name);
            Transaction store = transaction.store();
            Slice name = memory().name.slice(new Slice());
            store.lock(parent.tree(), name, LockMode.EXCLUSIVE, store.patience());
            Tuple values = values(parent, key, old);
            ForeignKey.Action action = now == null ? key.onDelete() : key.onUpdate();
            if (action == ForeignKey.Action.RESTRICT) {
                Children children = new Children(transaction, reference.child(), key, values);
                boolean self = parent.table().id() == reference.child().table().id();
                if (!children.find(true, self ? rowKey : null).isEmpty()) {
                    throw refused(reference.child(), key, values);
                }
                continue;
            }
            Tuple next = now == null ? null : values(parent, key, now);
            if (actions == null) {
                actions = new ArrayDeque<>(2);
            }
            actions.add(new Action(reference.child().table().id(), key, values, next));
        }
    }

    private static Tuple values(TableEntry parent, ForeignKey key, StoredRow row) {
        Tuple values = new Tuple(key.parentColumns().size());
        for (int i = 0; i < values.columns(); i++) {
            int column = key.parentColumns().get(i);
            values.copy(i, row, column, parent.table().columns().get(column).type().shape());
        }
        return values;
    }

    /// Does what changes of keys entail for others, and what that entails.
    void act() {
        while (actions != null && !actions.isEmpty()) {
            perform(actions.remove());
        }
    }

    private void doubt(Doubt doubt) {
        if (doubts.isEmpty()) {
            doubts = new ArrayList<>(2);
        }
        doubts.add(doubt);
    }

    private void perform(Action action) {
        TableEntry child =
                Objects.requireNonNull(
                        transaction.schema().entries().get(action.child),
                        "a table that refers to one that was changed by this statement");
        ForeignKey key = action.key;
        ForeignKey.Action what = action.now == null ? key.onDelete() : key.onUpdate();
        boolean refused = what == ForeignKey.Action.NO_ACTION;
        List<Slice> rows = new Children(transaction, child, key, action.old).find(refused, null);
        if (refused) {
            if (!rows.isEmpty()) {
                doubt(new Doubt(action.child, key, null, action.old));
            }
            return;
        }
        if (what == ForeignKey.Action.SET_DEFAULT && !rows.isEmpty()) {
            // The default may be the very key that has gone.
            doubt(new Doubt(action.child, key, null, action.old));
        }
        for (Slice row : rows) {
            transaction.tables().store().poll();
            TableWriter writer = transaction.writer(child);
            if (what == ForeignKey.Action.CASCADE && action.now == null) {
                writer.delete(transaction, row);
            } else {
                Tuple values = changed(child, row, action);
                if (values != null) {
                    writer.update(transaction, row, values);
                }
            }
        }
    }

    /// The row `rowKey` with other values for the columns of the foreign key.
    private @Nullable Tuple changed(TableEntry child, Slice rowKey, Action action) {
        Slice found = new Slice();
        if (!transaction.store().peekLatest(child.tree(), rowKey, found)) {
            return null;
        }
        List<Column> columns = child.table().columns();
        StoredRow row = child.newRow();
        row.point(found);
        Tuple values = new Tuple(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            values.copy(i, row, i, columns.get(i).type().shape());
        }
        ForeignKey key = action.key;
        ForeignKey.Action what = action.now == null ? key.onDelete() : key.onUpdate();
        for (int i = 0; i < key.columns().size(); i++) {
            int column = key.columns().get(i);
            Filling filling = columns.get(column).filling();
            if (what == ForeignKey.Action.CASCADE && action.now != null) {
                values.copy(column, action.now, i, columns.get(column).type().shape());
            } else if (what == ForeignKey.Action.SET_DEFAULT
                    && filling instanceof Filling.Default value) {
                transaction
                        .tables()
                        .expressions()
                        .prepare(child.table(), value.expression(), columns.get(column))
                        .evaluate(transaction, row, values, column);
            } else {
                values.setNull(column);
            }
        }
        return values;
    }

    /// Looks again at what was left open.
    ///
    /// @param commit whether that of keys which are tested at commit is due too
    /// @throws ConstraintException if any of it does not hold
    void settle(boolean commit) {
        if (doubts.isEmpty()) {
            return;
        }
        List<Doubt> left = new ArrayList<>(2);
        for (Doubt doubt : doubts) {
            if (doubt.key.deferred() && !commit) {
                left.add(doubt);
            } else {
                settle(doubt);
            }
        }
        doubts = left;
    }

    private void settle(Doubt doubt) {
        TableEntry child = transaction.schema().entries().get(doubt.child);
        if (child == null || !child.table().constraints().foreignKeys().contains(doubt.key)) {
            return; // dropped meanwhile
        }
        ParentKey to = parent(child, doubt.key);
        if (doubt.row != null) {
            Slice found = new Slice();
            StoredRow row = child.newRow();
            if (transaction.store().peekLatest(child.tree(), doubt.row, found)) {
                row.point(found);
                if (!hasParent(to, row)) {
                    throw orphan(child, doubt.key, to, row);
                }
            }
        } else if (doubt.old != null) {
            memory().key.clear();
            Tuple ordered = new Tuple(to.types().length);
            for (int i = 0; i < to.types().length; i++) {
                int from = doubt.key.parentColumns().indexOf(to.parentColumns()[i]);
                ordered.copy(i, doubt.old, from, to.types()[i].shape());
            }
            KeyCodec.putRow(memory().key, ordered, to.types(), to.types().length);
            if (!to.exists(transaction, memory().key.slice(new Slice()))
                    && !new Children(transaction, child, doubt.key, doubt.old)
                            .find(true, null)
                            .isEmpty()) {
                throw refused(child, doubt.key, doubt.old);
            }
        }
    }

    /// Tests a row that was there before the foreign key.
    void validate(TableEntry child, ForeignKey key, StoredRow row) {
        ParentKey to = parent(child, key);
        if (!hasParent(to, row)) {
            throw orphan(child, key, to, row);
        }
    }

    private ConstraintException orphan(
            TableEntry child, ForeignKey key, ParentKey to, StoredRow row) {
        memory().key.clear();
        KeyCodec.putColumns(memory().key, row, to.types(), to.childColumns());
        return new ConstraintException(
                Kind.FOREIGN_KEY,
                "A row refers to one that does not exist",
                "table="
                        + child.table().name()
                        + " constraint="
                        + key.name()
                        + " columns="
                        + ParentKey.names(child.table(), key.columns())
                        + " parent="
                        + to.parent().table().name()
                        + " key="
                        + KeyText.of(memory().key.slice(new Slice()), to.types()));
    }

    private ConstraintException refused(TableEntry child, ForeignKey key, Tuple values) {
        ParentKey to = parent(child, key);
        Type[] types = new Type[values.columns()];
        for (int i = 0; i < types.length; i++) {
            types[i] = child.table().columns().get(key.columns().get(i)).type();
        }
        NativeBuffer bytes = new NativeBuffer(64);
        KeyCodec.putRow(bytes, values, types, types.length);
        return new ConstraintException(
                Kind.FOREIGN_KEY,
                "Other rows refer to this one; change or delete them first",
                "table="
                        + to.parent().table().name()
                        + " referring="
                        + child.table().name()
                        + " constraint="
                        + key.name()
                        + " columns="
                        + ParentKey.names(child.table(), key.columns())
                        + " key="
                        + KeyText.of(bytes.slice(new Slice()), types));
    }

    private ParentKey parent(TableEntry child, ForeignKey key) {
        Schema schema = transaction.schema();
        KeyMemory own = memory();
        if (own.resolvedFor != schema.version()) {
            own.resolved.clear();
            own.resolvedFor = schema.version();
        }
        ParentKey found = own.resolved.get(key);
        if (found == null) {
            TableEntry to = schema.entries().get(key.parent());
            if (to == null) {
                throw new IllegalStateException("a foreign key refers to a table that is gone");
            }
            found = ParentKey.of(to, child.table(), key);
            own.resolved.put(key, found);
        }
        return found;
    }

    /// What is open at a savepoint, to be given back to [#restore].
    List<Doubt> remembered() {
        return doubts.isEmpty() ? List.of() : List.copyOf(doubts);
    }

    void restore(List<Doubt> remembered) {
        doubts = remembered.isEmpty() ? List.of() : new ArrayList<>(remembered);
        abandon();
    }

    /// Forgets what a change that has failed would have entailed.
    void abandon() {
        if (actions != null) {
            actions.clear();
        }
    }
}
