package dev.oriel.table.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.table.definition.Table;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The locks of one transaction on definitions: on tables it relies on, and on tables it changes.
///
/// **Writers of a table**, and transactions that lock its rows, share the lock on its row tree, which comes with
/// their first key there. Then they compare the table with their snapshot's. If it differs, it is a conflict
/// (CHANGED), before anything is written: so no writer overlooks a new index.
///
/// **A change of a table** concurrent with writers holds that lock exclusively, so it waits for the writers of
/// this table and of no other. It also holds one lock exclusively by which changes of definitions wait for one
/// another. Adding tables (`Tables.beginDefining`) shares the latter. Waits for these locks end as any others do:
/// by timeout, by cancellation, or as part of a deadlock. A transaction that has written nothing yet waits without
/// being a writer, so that a writer of the table can still become exclusive.
///
/// New trees are created in commits of their own, and are unknown to others until the transaction commits. If it
/// does not, they are dropped at its end, or at the next opening of the database. Above READ COMMITTED no newer
/// snapshot may be taken, so definitions are changed exclusively.
public final class DefinitionLocks {
    /// Key of all definitions together. No definition has this number.
    private static final long EVERY_DEFINITION = Long.MAX_VALUE;

    private final StoredTransaction transaction;
    private final Transaction store;

    /// Tables that stay unchanged until the end, because this transaction shares their locks.
    private TableEntry[] kept = {};

    private int keptCount;
    private @Nullable TableEntry last;

    /// Whether no other transaction may change definitions.
    private boolean alone;

    private final List<Tree> created = new ArrayList<>(0);

    /// Place among the writers for a transaction that adds tables; it ends with this one.
    private @Nullable Transaction place;

    DefinitionLocks(StoredTransaction transaction, Transaction store) {
        this.transaction = transaction;
        this.store = store;
    }

    /// Ends `other` with the transaction.
    public void endWith(Transaction other) {
        place = other;
    }

    /// Keeps `table`, if it exists, unchanged until the end.
    ///
    /// @param mode EXCLUSIVE to keep its rows unchanged by others too
    void keep(Table table, LockMode mode, Wait wait) {
        TableEntry entry = transaction.schema().entries().get(table.id());
        if (entry != null) {
            if (mode == LockMode.EXCLUSIVE && !store.isExclusive()) {
                store.lockTree(entry.tree(), mode, wait);
            }
            keep(entry, wait);
        }
    }

    /// Keeps `table` unchanged until the end; false if another transaction is changing it and `wait` says to skip.
    ///
    /// @throws ConflictException if another transaction is changing it for too long, or has since the snapshot
    @SuppressWarnings("ReferenceEquality") // each version of a definition has one object
    boolean keep(TableEntry table, Wait wait) {
        if (table == last || isKept(table) || store.isExclusive()) {
            return true;
        }
        if (!store.lockTree(table.tree(), LockMode.SHARED, wait)) {
            return false;
        }
        if (!alone && !isNewest(table)) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "Another transaction has changed the definition of a table that this one wants to"
                            + " write; run it again",
                    "table=" + table.table().name() + " snapshot=" + store.snapshot());
        }
        if (keptCount == kept.length) {
            kept = Arrays.copyOf(kept, Math.max(4, 2 * keptCount));
        }
        kept[keptCount++] = table;
        last = table;
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private boolean isKept(TableEntry table) {
        for (int i = 0; i < keptCount; i++) {
            if (kept[i] == table) {
                last = table;
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private boolean isNewest(TableEntry table) {
        Schema mine = transaction.schema();
        Schema newest = transaction.core().newestSchema();
        return newest.version() == mine.version()
                || (newest.entries().get(table.table().id()) == table
                        && newest.referencesTo(table).equals(mine.referencesTo(table)));
    }

    /// Waits until no other transaction writes rows of `tables` or changes definitions, admits none until the end,
    /// and moves to the newest committed state.
    ///
    /// @throws ConflictException if others do not end in time, or wait for this transaction
    void take(List<Table> tables) {
        if (store.isExclusive()) {
            return;
        }
        if (store.isolation() != Isolation.READ_COMMITTED) {
            transaction.exclusive();
            return;
        }
        store.waitOutside(() -> {
            lock(tables);
            if (!alone) {
                lockDefinitions(store, LockMode.EXCLUSIVE);
            }
        });
        alone = true;
        transaction.refresh();
        lock(tables); // one may have its rows in another tree by now
        transaction.refresh();
    }

    private void lock(List<Table> tables) {
        for (Table table : tables) {
            TableEntry entry = transaction.schema().entries().get(table.id());
            if (entry != null) {
                store.lockTree(entry.tree(), LockMode.EXCLUSIVE, store.patience());
            }
        }
    }

    private static void lockDefinitions(Transaction store, LockMode mode) {
        Tree definitions = store.tree(CatalogCodec.TREE);
        if (definitions != null) {
            Slice every = CatalogCodec.key(EVERY_DEFINITION);
            store.lock(definitions, every, mode, store.patience());
        }
    }

    /// Whether this transaction alone may change definitions, even by adding to them.
    public boolean isAlone() {
        return alone || store.isExclusive();
    }

    /// Another transaction is about to add tables on its thread: until this one ends, definitions may only be
    /// added.
    ///
    /// @throws UsageException if it changes definitions itself
    public void letAdd() {
        if (alone) {
            throw new UsageException(
                    "This transaction changes definitions, so no other one can add tables on its"
                            + " thread; create them in it",
                    "");
        }
        if (!store.isExclusive()) {
            lockDefinitions(store, LockMode.SHARED);
        }
    }

    /// Creates an empty tree for a new definition. If other writers run, it is seen after
    /// [StoredTransaction#refresh()], and until then written only by [#beginFilling()].
    Tree createTree(String name) {
        if (store.isExclusive()) {
            return store.createTree(name);
        }
        try (Transaction aside = transaction.core().store().beginDefining(store)) {
            aside.durability(Durability.ASYNC); // nothing before the commit that names it
            Tree tree = aside.createTree(name);
            aside.commit();
            created.add(tree);
            return tree;
        }
    }

    /// Whether a tree `name` is left of a definition that was not committed.
    boolean hasTree(String name) {
        if (store.isExclusive()) {
            return store.tree(name) != null;
        }
        try (Transaction newest = transaction.core().store().beginRead()) {
            return newest.tree(name) != null;
        }
    }

    /// Begins a transaction that writes to a tree of [#createTree] and commits by itself; null if the tree is
    /// written as any other.
    @Nullable Transaction beginFilling() {
        if (store.isExclusive()) {
            return null;
        }
        Transaction filling = transaction.core().store().beginBeside(store);
        filling.durability(Durability.ASYNC);
        return filling;
    }

    /// The transaction has ended: created trees that belong to no committed definition are dropped.
    ///
    /// @param schema the committed definitions; null if it committed none
    void ended(@Nullable Schema schema) {
        if (place != null) {
            place.close();
        }
        if (created.isEmpty()) {
            return;
        }
        if (schema != null) {
            created.removeIf(schema::hasTree);
        }
        if (!created.isEmpty()) {
            try {
                transaction.core().drop(created);
            } catch (DatabaseException e) {
                // Unused trees do no harm, and the next opening of the database drops them.
                System.getLogger("dev.oriel.table")
                        .log(
                                System.Logger.Level.INFO,
                                "What a definition that was given up has left stays for now",
                                e);
            }
            created.clear();
        }
    }
}
