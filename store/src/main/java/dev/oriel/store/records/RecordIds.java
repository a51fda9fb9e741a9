package dev.oriel.store.records;

import dev.oriel.store.Cursor;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.memory.HeapMemory;
import java.util.Arrays;

/// Allots the ids of one collection of [Records], for all threads and transactions of a store.
///
/// The rows in the trees are the truth: an id is in use, or free, or was never used. A free id has a row in the
/// directory, written by the transaction that deleted the record. This object holds a stack of **tokens**, one a
/// free id, and the next never-used id. Both are read from the trees when the collection is first opened, so a
/// crash loses nothing essential. Transactions touch only the rows of their own ids: two concurrent inserts never
/// meet in a row.
///
/// Why a live id is never given twice:
/// 1. Each deletion has its own stamp, shared by the row of the free id and its token. A token is on the stack or with
/// one transaction, never both, and is valid only if its stamp is in the row. So a stale token, whose deletion was
/// undone by a savepoint, does no harm; the next transaction that takes it discards it.
/// 2. A token comes here when the deletion is committed, tagged with that commit. When a transaction rolls back,
///    its tokens return. A token goes only to a transaction whose snapshot is not older than its tag. To an older
///    one the id would still be in use.
/// 3. Never-used ids only go up. Ids of a rolled back transaction are skipped, as is a token whose use a
///    savepoint undid; at the next opening of the store, the rows tell the free ids.
///
/// Readers need no care. A reader with an old snapshot still sees the old record under a reused id; no
/// transaction sees two records of one id.
///
/// Taking or returning an id takes a few instructions (jdbm searched a list of pages for a free slot, most of the
/// time of an insertion). The monitor is the last in the lock order: a commit takes it, and calls nothing else
/// under it.
final class RecordIds {
    /// Maximum size of the stack. Further free ids stay free in the directory, and are found when the collection
    /// is opened again.
    static final int STACK_MAX = 1 << 18;

    private static final int SMALLEST = 64;

    private long next = 1;
    private long stamp;
    private long[] ids = new long[SMALLEST];
    private long[] stamps = new long[SMALLEST];
    private long[] tags = new long[SMALLEST];
    private int count;

    /// A free id in transit.
    static final class Token {
        long id;
        long stamp;

        /// The first snapshot in which the id is free.
        long tag;
    }

    /// Reads the ids in the trees.
    static RecordIds load(Transaction transaction, Tree records, Tree directory) {
        RecordIds loaded = new RecordIds();
        Slice key = new Slice();
        Slice value = new Slice();
        Cursor cursor = transaction.cursor(records);
        if (cursor.last()) {
            cursor.key(key);
            loaded.next = RecordFormat.id(key, 0) + 1;
        }
        cursor.reset(transaction, directory);
        Slice behind = Slice.copyOf(RecordFormat.ROOT);
        for (boolean free = cursor.seekBefore(behind);
                free && loaded.count < STACK_MAX;
                free = cursor.previous()) {
            cursor.key(key);
            cursor.value(value);
            long id = RecordFormat.id(key, 1);
            long stamp = RecordFormat.number(value);
            loaded.next = Math.max(loaded.next, id + 1);
            loaded.stamp = Math.max(loaded.stamp, stamp);
            loaded.push(id, stamp, transaction.snapshot());
        }
        return loaded;
    }

    /// Returns an id that was never used.
    synchronized long fresh() {
        if (next < 0) { // past the greatest id
            throw new LimitException("All ids of the records are used up", "");
        }
        return next++;
    }

    /// Returns a new stamp for a deletion.
    synchronized long nextStamp() {
        return ++stamp;
    }

    /// Pops the newest token; false if there is none, or if its id is not free yet in `snapshot`.
    synchronized boolean take(long snapshot, Token token) {
        if (count == 0 || tags[count - 1] > snapshot) {
            return false;
        }
        count--;
        token.id = ids[count];
        token.stamp = stamps[count];
        token.tag = tags[count];
        return true;
    }

    private synchronized void push(long id, long idStamp, long tag) {
        if (count == STACK_MAX) {
            return;
        }
        if (count == ids.length) {
            long[] moreIds = HeapMemory.copy(ids, count * 2);
            long[] moreStamps = HeapMemory.copy(stamps, count * 2);
            tags = HeapMemory.copy(tags, count * 2);
            stamps = moreStamps; // all of them, or none if memory runs out
            ids = moreIds;
        }
        ids[count] = id;
        stamps[count] = idStamp;
        tags[count++] = tag;
    }

    /// Ids that one transaction took and freed. It belongs to the transaction's thread.
    static final class Changes implements Transaction.CommitHook {
        private static final int FREED = 2;
        private static final int TAKEN = 3;

        private final RecordIds owner;
        private long[] freed = new long[FREED * 8];
        private long[] taken = new long[TAKEN * 8];
        private int freedEnd;
        private int takenEnd;

        Changes(RecordIds owner) {
            this.owner = owner;
        }

        void freed(long id, long idStamp) {
            if (freedEnd == FREED * STACK_MAX) {
                return; // beyond the capacity of the stack
            }
            if (freedEnd == freed.length) {
                freed = Arrays.copyOf(freed, freedEnd * 2);
            }
            freed[freedEnd++] = id;
            freed[freedEnd++] = idStamp;
        }

        void taken(Token token) {
            if (takenEnd == taken.length) {
                taken = Arrays.copyOf(taken, takenEnd * 2);
            }
            taken[takenEnd++] = token.id;
            taken[takenEnd++] = token.stamp;
            taken[takenEnd++] = token.tag;
        }

        @Override
        public void beforePublish(long txid) {
            for (int i = 0; i < freedEnd; i += FREED) {
                owner.push(freed[i], freed[i + 1], txid);
            }
        }

        @Override
        public void rolledBack() {
            for (int i = 0; i < takenEnd; i += TAKEN) {
                owner.push(taken[i], taken[i + 1], taken[i + 2]);
            }
            takenEnd = 0; // the transaction may begin again
            freedEnd = 0;
        }
    }
}
