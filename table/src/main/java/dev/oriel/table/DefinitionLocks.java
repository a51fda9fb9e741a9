package dev.oriel.table;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one transaction holds of definitions: those it rests on, and those it changes.
///
/// **Who writes or locks rows of a table** shares the lock on the tree that holds them, which its first key there
/// brings along anyway, and then looks whether the table is still what the snapshot says. If not, it is a conflict
/// (CHANGED), before anything is written: so no writer passes by an index that it does not know.
///
/// **Who changes a table** beside those who write has that lock alone, so it waits for the writers of this table
/// and of no other; and it has one lock alone by which those who change definitions wait for one another. Who adds
/// tables ([Tables#beginDefining]) shares the latter. All of these are locks as any other: waits for them end by
/// timeout, by cancellation, and where they are part of a deadlock. Who has written nothing yet waits outside of the
/// writers, so that a transaction that has written to the table can still become exclusive.
///
/// The trees of what is being defined are made in commits of their own, and nobody knows them before the commit of
/// the transaction; those that come to nothing are dropped at its end, or when the database is opened the next
/// time. Above READ COMMITTED, where no newer snapshot may be taken, definitions are changed exclusively.
///
/// Belongs to the transaction's thread.
final class DefinitionLocks {
    /// Among the definitions the key that stands for all of them. Nothing has this number.
    private static final long EVERY_DEFINITION = Long.MAX_VALUE;

    private final StoredTransaction transaction;
    private final Transaction store;

    /// Tables that stay what they are until the end, because this transaction shares their locks.
    private TableEntry[] kept = {};

    private int keptCount;
    private @Nullable TableEntry last;

    /// Whether nobody else changes definitions.
    private boolean alone;

    private final List<Tree> created = new ArrayList<>(0);

    /// Holds a place among the writers for a transaction that adds tables; it ends with this one.
    private @Nullable Transaction place;

    DefinitionLocks(StoredTransaction transaction, Transaction store) {
        this.transaction = transaction;
        this.store = store;
    }

    /// Has `other` end with the transaction.
    void endWith(Transaction other) {
        place = other;
    }

    /// Sees to it that `table`, where there is such a one, stays what it is until the end.
    void keep(Table table) {
        TableEntry entry = transaction.schema().entries().get(table.id());
        if (entry != null) {
            keep(entry, store.patience());
        }
    }

    /// Sees to it that `table` stays what it is until the end; false where `wait` says to pass over who changes it.
    ///
    /// @throws ConflictException if somebody does and does not end in time, or has done so since the snapshot
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
        Schema newest = transaction.tables().newestSchema();
        return newest.version() == mine.version()
                || (newest.entries().get(table.table().id()) == table
                        && newest.referencesTo(table).equals(mine.referencesTo(table)));
    }

    /// Waits until nobody else writes rows of `tables` or changes definitions, lets nobody do so until the end, and
    /// sees what is committed by now.
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

    /// Whether nobody but this transaction changes definitions, not even by adding to them.
    boolean isAlone() {
        return alone || store.isExclusive();
    }

    /// Tables are about to be added on its thread by another transaction: until this one ends nobody changes
    /// definitions but by adding to them.
    ///
    /// @throws UsageException if it changes definitions itself
    void letAdd() {
        if (alone) {
            throw new UsageException(
                    "A transaction that changes definitions adds tables itself, and lets nobody else",
                    "");
        }
        if (!store.isExclusive()) {
            lockDefinitions(store, LockMode.SHARED);
        }
    }

    /// Creates an empty tree for what is being defined. Where others write meanwhile it is seen after
    /// [StoredTransaction#refresh()], and until then written only by [#beginFilling()].
    Tree createTree(String name) {
        if (store.isExclusive()) {
            return store.createTree(name);
        }
        try (Transaction aside = transaction.tables().store().beginDefining(store)) {
            aside.durability(Durability.ASYNC); // nothing before the commit that names it
            Tree tree = aside.createTree(name);
            aside.commit();
            created.add(tree);
            return tree;
        }
    }

    /// Whether there is a tree `name` already: of a definition that came to nothing.
    boolean hasTree(String name) {
        if (store.isExclusive()) {
            return store.tree(name) != null;
        }
        try (Transaction newest = transaction.tables().store().beginRead()) {
            return newest.tree(name) != null;
        }
    }

    /// Begins a transaction that writes to a tree of [#createTree] and commits by itself; null where the tree is
    /// written as any other.
    @Nullable Transaction beginFilling() {
        if (store.isExclusive()) {
            return null;
        }
        Transaction filling = transaction.tables().store().beginBeside(store);
        filling.durability(Durability.ASYNC);
        return filling;
    }

    /// The transaction has ended: trees that were created and belong to nothing that is committed are dropped.
    ///
    /// @param schema what it has committed; null where that was nothing
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
                transaction.tables().drop(created);
            } catch (DatabaseException e) {
                // They are in nobody's way, and the next opening of the database drops them.
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
