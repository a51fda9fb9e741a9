package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Tree;
import dev.oriel.table.KeySearches;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyText;
import dev.oriel.table.row.ChangedRow;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Maintains the foreign keys of one transaction's changes.
///
/// A referencing row locks the existence of the key it refers to SHARED, and looks for it in the newest state,
/// whatever the snapshot says. A change that removes a key locks its existence EXCLUSIVE, then looks for
/// referencing rows in the newest state. So if a row is written and its parent deleted at the same time, one waits
/// for the other and then sees it. Other changes of the parent do not interfere.
///
/// A test due at the end of the statement or at commit is deferred if it does not hold at once. So a parent may
/// come after its child, and a child may go after its parent. Referential actions are deferred until the end of
/// the statement too ([KeyActions]). They follow once the rows that were taken out are back ([TakenRows]). All of
/// it is kept in queues of bounded memory ([KeyQueue]).
final class ForeignKeys implements Unsettled {
    private final StoredTransaction transaction;

    /// Working memory, taken at the first use; null before it and after the end.
    private @Nullable KeyMemory memory;

    /// Cursor for the search of referencing rows, reused: each write has to visit all cursors ever made.
    private @Nullable Cursor cursor;

    /// Rows to put back before actions follow; null if none was ever taken out.
    private @Nullable TakenRows taken;

    /// Whether rows are being written by actions, not by the statement itself.
    private boolean acting;

    /// Times of tests that the transaction has chosen; null if it chose none.
    private @Nullable Deferrals deferrals;

    /// Told of searches while a statement is measured; else null.
    private @Nullable KeySearches told;

    private final TriggerWatch triggers;

    ForeignKeys(StoredTransaction transaction) {
        this.transaction = transaction;
        this.triggers = new TriggerWatch(transaction);
    }

    TriggerWatch triggers() {
        return triggers;
    }

    /// Tells `searches` of searches for rows that refer to a key from now on; null ends it.
    void tell(@Nullable KeySearches searches) {
        told = searches;
    }

    @Nullable KeySearches told() {
        return told;
    }

    private KeyMemory memory() {
        KeyMemory own = memory;
        if (own == null) {
            own = transaction.core().takeKeyMemory();
            memory = own;
        }
        return own;
    }

    /// A cursor of the transaction over `tree`, until the next call.
    Cursor cursor(Tree tree) {
        Cursor own = cursor;
        if (own == null) {
            own = transaction.store().cursor(tree);
            cursor = own;
        } else {
            own.reset(transaction.store(), tree);
        }
        return own;
    }

    /// The transaction has ended.
    void end() {
        cursor = null;
        deferrals = null;
        forgetTaken();
        KeyMemory own = memory;
        if (own != null) {
            memory = null;
            own.clear();
            transaction.core().giveBack(own);
        }
    }

    /// Foreign keys whose columns differ: one bit for each, and the last bit for all keys beyond it.
    ///
    /// @param change says which columns may differ; null if any may
    long changed(TableEntry child, StoredRow old, StoredRow now, @Nullable ChangedRow change) {
        List<ForeignKey> keys = child.table().constraints().foreignKeys();
        long differ = 0;
        for (int i = 0; i < keys.size(); i++) {
            ReferencedKey to = parent(child, keys.get(i));
            if ((change == null || !change.keepsAll(to.childColumns()))
                    && !same(old, now, to.childColumns(), to.types())) {
                differ |= bit(i);
            }
        }
        return differ;
    }

    private static long bit(int i) {
        return 1L << Math.min(i, Long.SIZE - 1);
    }

    private boolean same(StoredRow a, StoredRow b, int[] columns, Type[] types) {
        memory().key.clear();
        memory().other.clear();
        StoredKey.putColumns(memory().key, a, types, columns);
        StoredKey.putColumns(memory().other, b, types, columns);
        return Slice.compare(memory().key.slice(new Slice()), memory().other.slice(new Slice()))
                == 0;
    }

    /// Whether a change from `old` to `now` concerns the rows that refer to `old`. Rows that copy its key copy the case
    /// of texts too, also of those that compare without it, and the zeros at the end of decimals.
    private boolean moves(ForeignKey key, ReferencedKey to, StoredRow old, StoredRow now) {
        int[] columns = to.parentColumns();
        if (!same(old, now, columns, to.types())) {
            return true;
        } else if (key.onUpdate() != ForeignKey.Action.CASCADE || !haveForms(to.types())) {
            return false;
        }
        memory().key.clear();
        memory().other.clear();
        StoredKey.putExact(memory().key, old, to.types(), columns);
        StoredKey.putExact(memory().other, now, to.types(), columns);
        return Slice.compare(memory().key.slice(new Slice()), memory().other.slice(new Slice()))
                != 0;
    }

    /// Whether values that differ may be the same key.
    private static boolean haveForms(Type[] types) {
        for (Type type : types) {
            boolean forms =
                    switch (type.shape()) {
                        case FOLDED, DECIMAL, DOUBLE -> true;
                        case LONG, TEXT, BYTES -> false;
                    };
            if (forms) {
                return true;
            }
        }
        return false;
    }

    /// `row` was written under `rowKey`: it needs its parents.
    ///
    /// @param changed foreign keys whose values have changed, as [#changed] returns them; -1 for a new row
    void written(TableEntry child, StoredRow row, Slice rowKey, long changed) {
        List<ForeignKey> keys = child.table().constraints().foreignKeys();
        for (int i = 0; i < keys.size(); i++) {
            ForeignKey key = keys.get(i);
            ReferencedKey to = parent(child, key);
            if (!hasParent(key, to, row, (changed & bit(i)) != 0)) {
                doubt(key, number(child, key, to), rowKey, null);
            }
            if ((changed & bit(i)) != 0
                    && !acting
                    && !memory().actions.isEmpty()
                    && to.isOf(child)) {
                memory().written.add(number(child, key, to), rowKey);
            }
        }
    }

    private int number(TableEntry child, ForeignKey key, ReferencedKey to) {
        return memory().number(child, key, to.parent().table());
    }

    /// @param seen whether the parent must not have expired
    private boolean hasParent(ForeignKey as, ReferencedKey to, StoredRow row, boolean seen) {
        memory().key.clear();
        if (StoredKey.putColumns(memory().key, row, to.types(), to.childColumns())) {
            // With a NULL it refers to nothing.
            return !as.full() || nulls(row, to) == to.childColumns().length;
        }
        to.lockName(memory().key, memory().name);
        Transaction store = transaction.store();
        transaction.definitions().keep(to.parent(), store.patience());
        Slice name = memory().name.slice(new Slice());
        store.lock(to.parent().tree(), name, LockMode.SHARED, store.patience());
        Slice key = memory().key.slice(new Slice());
        return seen ? to.isSeen(transaction, key) : to.exists(transaction, key);
    }

    /// Number of columns of the key that are NULL.
    private static int nulls(StoredRow row, ReferencedKey to) {
        int count = 0;
        for (int column : to.childColumns()) {
            count += row.isNull(column) ? 1 : 0;
        }
        return count;
    }

    /// `old` is about to be removed.
    void leaving(TableEntry parent, StoredRow old, Slice rowKey) {
        leaving(parent, old, rowKey, null, null, false);
    }

    /// `old` is about to be removed, or to become `now`.
    ///
    /// @param change says which columns may differ; null if any may
    /// @param back whether it was taken out before, so that its actions are noted already
    void leaving(
            TableEntry parent,
            StoredRow old,
            Slice rowKey,
            @Nullable StoredRow now,
            @Nullable ChangedRow change,
            boolean back) {
        for (Schema.Reference reference : transaction.schema().referencesTo(parent)) {
            ForeignKey key = reference.key();
            ReferencedKey to = parent(reference.child(), key);
            int[] columns = to.parentColumns();
            if ((change != null && change.keepsAll(columns)) || (back && follows(key))) {
                continue;
            }
            if (now != null && !moves(key, to, old, now)) {
                continue;
            }
            memory().key.clear();
            if (StoredKey.putColumns(memory().key, old, to.types(), columns)) {
                continue; // nothing refers to a key with a NULL
            }
            to.lockName(memory().key, memory().name);
            Transaction store = transaction.store();
            Slice name = memory().name.slice(new Slice());
            store.lock(parent.tree(), name, LockMode.EXCLUSIVE, store.patience());
            ForeignKey.Action action = now == null ? key.onDelete() : key.onUpdate();
            if (action == ForeignKey.Action.RESTRICT) {
                restrict(parent, reference, old, rowKey);
                if (now != null && to.isOf(reference.child())) {
                    doubt(key, number(parent, key, to), rowKey, null); // it may refer to itself
                }
            } else {
                putOff(number(reference.child(), key, to), old, now);
            }
        }
    }

    /// Whether rows that refer to a key are changed with it.
    private static boolean follows(ForeignKey key) {
        return key.onUpdate() != ForeignKey.Action.NO_ACTION
                && key.onUpdate() != ForeignKey.Action.RESTRICT;
    }

    /// Whether a change of a key in `table` changes rows of the same table that refer to it. Then no row can be taken
    /// out, as its referring rows could not be told from others.
    boolean followsItself(TableEntry table) {
        for (Schema.Reference reference : transaction.schema().referencesTo(table)) {
            if (reference.child().table().id() == table.table().id() && follows(reference.key())) {
                return true;
            }
        }
        return false;
    }

    /// `old` is about to be taken out, to be put back as `now`: notes the rows that are to follow it, before
    /// others get its key.
    void follow(TableEntry parent, StoredRow old, StoredRow now) {
        for (Schema.Reference reference : transaction.schema().referencesTo(parent)) {
            ForeignKey key = reference.key();
            ReferencedKey to = parent(reference.child(), key);
            int[] columns = to.parentColumns();
            if (!follows(key) || !moves(key, to, old, now)) {
                continue;
            }
            memory().key.clear();
            if (StoredKey.putColumns(memory().key, old, to.types(), columns)) {
                continue; // nothing refers to a key with a NULL
            }
            to.lockName(memory().key, memory().name);
            Transaction store = transaction.store();
            Slice name = memory().name.slice(new Slice());
            store.lock(parent.tree(), name, LockMode.EXCLUSIVE, store.patience());
            int number = number(reference.child(), key, to);
            Tuple values = values(parent, key, old);
            NativeBuffer first = new NativeBuffer(64);
            for (byte[] row :
                    new ReferencingRows(transaction, reference.child(), key, values)
                            .find(false, null)) {
                KeyMemory.Target target = memory().target(number);
                first.clear();
                first.ensure(Integer.BYTES);
                first.putInt(row.length);
                first.putBytes(row);
                StoredKey.putColumns(first, old, target.types(), target.parentColumns());
                memory().other.clear();
                StoredKey.putExact(memory().other, now, target.types(), target.parentColumns());
                memory().followers
                        .add(number, first.slice(new Slice()), memory().other.slice(new Slice()));
            }
        }
    }

    /// @throws ConstraintException if any other row refers to `old`
    private void restrict(
            TableEntry parent, Schema.Reference reference, StoredRow old, Slice rowKey) {
        ForeignKey key = reference.key();
        Tuple values = values(parent, key, old);
        boolean self = parent.table().id() == reference.child().table().id();
        ReferencingRows children = new ReferencingRows(transaction, reference.child(), key, values);
        if (!children.find(true, self ? rowKey : null).isEmpty()) {
            throw refused(reference.child(), key, values);
        }
        if (hidesRows(reference.child().table())) {
            // A row that is to be put back may refer to it.
            KeyMemory own = memory();
            int number = number(reference.child(), key, parent(reference.child(), key));
            KeyMemory.Target target = own.target(number);
            own.other.clear();
            StoredKey.putColumns(own.other, old, target.types(), target.parentColumns());
            doubt(key, number, null, own.other.slice(new Slice()));
        }
    }

    private void putOff(int number, StoredRow old, @Nullable StoredRow now) {
        KeyMemory own = memory();
        KeyMemory.Target target = own.target(number);
        own.key.clear();
        own.other.clear();
        StoredKey.putColumns(own.key, old, target.types(), target.parentColumns());
        if (now != null) {
            StoredKey.putExact(own.other, now, target.types(), target.parentColumns());
        }
        Slice next = now == null ? null : own.other.slice(new Slice());
        own.actions.add(number, own.key.slice(new Slice()), next);
    }

    private static Tuple values(TableEntry parent, ForeignKey key, StoredRow row) {
        Tuple values = new Tuple(key.parentColumns().size());
        for (int i = 0; i < values.columns(); i++) {
            int column = key.parentColumns().get(i);
            values.copy(i, row, column, parent.table().columns().get(column).type().shape());
        }
        return values;
    }

    /// Whether actions on referencing rows are pending.
    boolean hasActions() {
        return memory != null && !memory.actions.isEmpty();
    }

    /// Does the pending actions, and the actions that follow from them.
    void act() {
        act(0);
    }

    /// As [#act()], for actions from the position `from` on.
    private void act(long from) {
        KeyMemory own = memory;
        if (own != null && own.actions.end() > Math.max(from, own.actions.head())) {
            boolean before = acting;
            acting = true;
            try {
                new KeyActions(transaction, this, own).run(from);
            } finally {
                acting = before;
            }
        }
    }

    /// Changes the first of the rows that refer to a row that was taken out.
    private void follow(KeyMemory own) {
        boolean before = acting;
        acting = true;
        try {
            new KeyActions(transaction, this, own).follow();
        } finally {
            acting = before;
        }
    }

    /// Puts the test of `key` off until the end of the statement, or the commit. It concerns the row of key `row`,
    /// or else a key with the values `old`.
    ///
    /// @param number of `key` in [KeyMemory]
    void doubt(ForeignKey key, int number, @Nullable Slice row, @Nullable Slice old) {
        KeyMemory own = memory();
        boolean later = defers(own.target(number).child(), key);
        (later ? own.deferred : own.doubts).add(number, row, old);
    }

    /// A row was written with the key `columns` of `index`, which no other row may have once the constraint is tested.
    void shared(TableEntry table, Index index, Slice columns) {
        KeyMemory own = memory();
        int number = own.number(table, index);
        doubt(own.target(number).key(), number, null, columns);
    }

    private boolean defers(long child, ForeignKey key) {
        Deferrals chosen = deferrals;
        return chosen == null ? key.deferred() : chosen.defers(child, key);
    }

    /// Chooses when keys are tested, until the end of the transaction. Tests that are due by it are done now; if one
    /// fails, the choice does not hold.
    ///
    /// @param keys null for all that are deferrable
    /// @param later whether they are tested at the commit
    /// @throws ConstraintException if a foreign key does not hold
    void defer(@Nullable Collection<ForeignKey.Of> keys, boolean later) {
        Deferrals before = deferrals;
        deferrals = (before == null ? Deferrals.NONE : before).with(keys, later);
        boolean done = false;
        try {
            if (memory != null && !later) {
                settle(memory.deferred, false);
            }
            done = true;
        } finally {
            deferrals = done ? deferrals : before;
        }
    }

    /// The table of a foreign key; null if either was dropped meanwhile.
    @Nullable TableEntry child(KeyMemory.Target target) {
        TableEntry child = transaction.schema().entries().get(target.child());
        return child == null || !child.table().constraints().foreignKeys().contains(target.key())
                ? null
                : child;
    }

    /// The end of a statement: does the pending actions, then the pending tests. If it fails, it may be called
    /// again, and continues.
    ///
    /// @param commit whether tests deferred until commit are due too
    /// @throws ConstraintException if a foreign key does not hold
    void settle(boolean commit) {
        finish(0, 0);
        KeyMemory own = memory;
        if (own == null) {
            return;
        }
        settle(own.doubts, true);
        if (commit) {
            settle(own.deferred, true);
        }
    }

    /// Takes rows out until the end of the statement.
    TakenRows taken() {
        TakenRows own = taken;
        if (own == null) {
            own = new TakenRows(transaction);
            taken = own;
        }
        return own;
    }

    @Override
    public boolean hidesRows() {
        return taken != null && !taken.isEmpty();
    }

    @Override
    public boolean hidesRows(Table table) {
        return taken != null && taken.hasRowsOf(table);
    }

    @Override
    public Place place() {
        return new Place(taken == null ? 0 : taken.end(), mark());
    }

    @Override
    public void settle(Place from) {
        finish(from.rows(), from.actions());
    }

    /// Puts back the rows from the position `rows` on, and does the actions from `actions` on.
    private void finish(long rows, long actions) {
        putBack(rows);
        KeyMemory own = memory;
        if (own == null || hidesRows()) {
            return;
        }
        act(actions);
        while (!own.followers.isEmpty() || hidesRows()) {
            if (own.followers.isEmpty()) {
                putBack(0);
            } else {
                follow(own);
            }
            act(actions);
        }
    }

    private void putBack(long from) {
        TakenRows own = taken;
        if (own != null && own.end() > from) {
            own.putBack(from);
        }
    }

    private void forgetTaken() {
        TakenRows own = taken;
        if (own != null) {
            own.clear();
        }
    }

    /// @param all whether all tests are due, not only tests of keys that are no longer deferred. If any are left,
    ///     all stay in the queue, and are done once more later.
    private void settle(KeyQueue doubts, boolean all) {
        if (doubts.isEmpty()) {
            return;
        }
        boolean left = false;
        KeyQueue.Entry doubt = new KeyQueue.Entry();
        for (long at = doubts.head(); at < doubts.end(); ) {
            transaction.core().store().poll();
            at = doubts.read(at, doubt);
            KeyMemory.Target target = memory().target(doubt.number());
            if (!all && defers(target.child(), target.key())) {
                left = true;
            } else {
                settle(doubt);
            }
        }
        if (!left) {
            doubts.done(doubts.end());
        }
    }

    private void settle(KeyQueue.Entry doubt) {
        KeyMemory.Target target = memory().target(doubt.number());
        if (target.unique() != null) {
            Slice columns = doubt.second();
            if (columns != null) {
                SharedKeys.test(transaction, target, columns);
            }
            return;
        }
        TableEntry child = child(target);
        if (child == null) {
            return;
        }
        ForeignKey key = target.key();
        Slice rowKey = doubt.first();
        Slice old = doubt.second();
        if (rowKey != null) {
            ReferencedKey to = parent(child, key);
            Slice found = new Slice();
            StoredRow row = child.newRow();
            if (transaction.store().peekLatest(child.tree(), rowKey, found)) {
                row.point(found);
                if (!hasParent(key, to, row, true)) {
                    throw orphan(child, key, to, row);
                }
            }
        } else if (old != null) {
            Tuple values = target.values(old);
            if (!isThere(child, key, values)
                    && !new ReferencingRows(transaction, child, key, values)
                            .find(true, null)
                            .isEmpty()) {
                throw refused(child, key, values);
            }
        }
    }

    /// Whether `child` can refer to a row with these values, which are in the order of the foreign key.
    boolean isThere(TableEntry child, ForeignKey key, Tuple values) {
        ReferencedKey to = parent(child, key);
        NativeBuffer bytes = memory().key;
        bytes.clear();
        Tuple ordered = new Tuple(to.types().length);
        for (int i = 0; i < to.types().length; i++) {
            int from = key.parentColumns().indexOf(to.parentColumns()[i]);
            ordered.copy(i, values, from, to.types()[i].shape());
        }
        KeyCodec.putRow(bytes, ordered, to.types(), to.types().length);
        return to.exists(transaction, bytes.slice(new Slice()));
    }

    /// Tests a row older than the foreign key: its parent may have expired since.
    void validate(TableEntry child, ForeignKey key, StoredRow row) {
        ReferencedKey to = parent(child, key);
        if (!hasParent(key, to, row, false)) {
            throw orphan(child, key, to, row);
        }
    }

    private ConstraintException orphan(
            TableEntry child, ForeignKey key, ReferencedKey to, StoredRow row) {
        memory().key.clear();
        StoredKey.putColumns(memory().key, row, to.types(), to.childColumns());
        return new ConstraintException(
                Kind.FOREIGN_KEY,
                nulls(row, to) == 0
                        ? "A row refers to one that does not exist"
                        : "A foreign key MATCH FULL has NULL in some columns; give all or none",
                "table="
                        + child.table().name()
                        + " constraint="
                        + key.name()
                        + " columns="
                        + ReferencedKey.names(child.table(), key.columns())
                        + " parent="
                        + to.parent().table().name()
                        + " key="
                        + KeyText.of(memory().key.slice(new Slice()), to.types()));
    }

    private ConstraintException refused(TableEntry child, ForeignKey key, Tuple values) {
        ReferencedKey to = parent(child, key);
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
                        + ReferencedKey.names(child.table(), key.columns())
                        + " key="
                        + KeyText.of(bytes.slice(new Slice()), types));
    }

    private ReferencedKey parent(TableEntry child, ForeignKey key) {
        return memory().parent(transaction.schema(), child, key);
    }

    /// State of the queues at a savepoint, to be given back to [#restore].
    Remembered remembered() {
        KeyMemory own = memory;
        if (own == null) {
            return Remembered.NOTHING.with(deferrals);
        }
        own.actions.remember();
        own.doubts.remember();
        own.deferred.remember();
        boolean any = own.actions.end() + own.doubts.end() + own.deferred.end() > 0;
        return (any ? Remembered.of(own) : Remembered.NOTHING).with(deferrals);
    }

    void restore(Remembered remembered) {
        forgetTaken();
        deferrals = remembered.deferrals;
        KeyMemory own = memory;
        if (own != null) {
            own.followers.clear();
            own.actions.restore(remembered.actions, remembered.actionsEnd);
            own.doubts.restore(remembered.doubts, remembered.doubtsEnd);
            own.deferred.restore(remembered.deferred, remembered.deferredEnd);
            if (!own.written.isEmpty()) {
                own.written.clear();
            }
        }
    }

    /// Places in the queues.
    record Remembered(
            long actions,
            long actionsEnd,
            long doubts,
            long doubtsEnd,
            long deferred,
            long deferredEnd,
            @Nullable Deferrals deferrals) {
        private static final Remembered NOTHING = new Remembered(0, 0, 0, 0, 0, 0, null);

        private static Remembered of(KeyMemory memory) {
            return new Remembered(
                    memory.actions.head(),
                    memory.actions.end(),
                    memory.doubts.head(),
                    memory.doubts.end(),
                    memory.deferred.head(),
                    memory.deferred.end(),
                    null);
        }

        @SuppressWarnings("ReferenceEquality") // the very one
        private Remembered with(@Nullable Deferrals chosen) {
            return chosen == deferrals
                    ? this
                    : new Remembered(
                            actions, actionsEnd, doubts, doubtsEnd, deferred, deferredEnd, chosen);
        }
    }

    /// Resets the state for a new transaction: no checks are deferred.
    void clear() {
        deferrals = null;
        if (memory != null) {
            memory.clear();
        }
    }

    /// Position of the next change's first action.
    long mark() {
        return memory == null ? 0 : memory.actions.end();
    }

    /// Forgets the actions of a change that has failed.
    ///
    /// @param mark position of its first action
    void abandon(long mark) {
        if (memory != null) {
            memory.actions.cut(mark);
        }
    }
}
