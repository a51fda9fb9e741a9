package dev.oriel.table.transaction;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Sequence.Position;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.value.NativeBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Gives out the numbers of one sequence, to all transactions.
///
/// Numbers are reserved in ranges: the tree [#TREE] holds the last number of the newest range, written by a
/// transaction of its own. So no number is given twice, even if the transaction that drew it rolls back. A crash
/// loses the rest of a range. Ranges grow as they are used up. A close gives the rest back.
///
/// While an exclusive transaction is open no other can commit. The numbers it draws are written by its own commit;
/// until it ends, other callers wait for it.
///
/// Lock order: the right to write is taken before the counter's lock, which is held while a range is committed.
public final class SequenceCounter {
    public static final String TREE = "sys.sequences";

    private static final long RANGE_LEAST = 32;
    private static final long RANGE_MOST = 8192;

    private final Store store;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean loaded;

    /// The last number given, or the last one reserved if `ranged` is false; `given` tells whether it was given or
    /// comes next.
    private long last;

    private boolean given;

    /// Whether the disk lacks numbers that were given.
    private boolean unknown;

    /// Whether a range is at hand: its next number, its last one and the step between numbers. It is used up even
    /// after a change of the definition.
    private boolean ranged;

    private long upcoming;
    private long bound;
    private long step;
    private long rangeLength = RANGE_LEAST;

    /// The exclusive transaction that has drawn, until it ends.
    private @Nullable StoredTransaction owner;

    /// States before restarts by that transaction, the latest last; at most one for each of its savepoints.
    /// Created at the first one.
    private @Nullable List<Before> restarts;

    /// @param depth number of savepoints that were open then
    private record Before(int depth, long last, boolean given) {}

    SequenceCounter(Store store) {
        this.store = store;
    }

    /// Bytes of the state: a number, and whether it was given.
    static Slice state(long number, boolean given) {
        NativeBuffer out = new NativeBuffer(16);
        out.putLong(number);
        out.putByte(given ? 1 : 0);
        return out.slice(new Slice());
    }

    /// The next number.
    ///
    /// @throws ConstraintException at the end of the sequence
    @SuppressWarnings("ReferenceEquality") // the very transaction
    long next(StoredTransaction transaction, Sequence sequence) {
        lock.lock();
        try {
            if (transaction.store().isExclusive()) {
                own(transaction, sequence);
                if (!ranged) {
                    reserve(sequence, 1);
                }
                return advance();
            }
            if (owner == null && ranged) {
                return advance();
            }
        } finally {
            lock.unlock();
        }
        try (Transaction writing = transaction.beginAside()) {
            lock.lock();
            try {
                if (!ranged) {
                    load(writing, sequence);
                    reserve(sequence, rangeLength);
                    rangeLength = Math.min(RANGE_MOST, 2 * rangeLength);
                    put(writing, sequence, bound, true);
                    commit(writing);
                }
                return advance();
            } finally {
                lock.unlock();
            }
        }
    }

    private void commit(Transaction writing) {
        boolean committed = false;
        try {
            writing.commit();
            committed = true;
        } finally {
            ranged &= committed;
            unknown &= !committed;
        }
    }

    /// Goes on after `number`, or with it if not `wasGiven`. A rollback does not undo this.
    void set(StoredTransaction transaction, Sequence sequence, long number, boolean wasGiven) {
        checkWithin(sequence, number);
        if (transaction.store().isExclusive()) {
            lock.lock();
            try {
                own(transaction, sequence);
                become(number, wasGiven);
            } finally {
                lock.unlock();
            }
            return;
        }
        try (Transaction writing = transaction.beginAside()) {
            lock.lock();
            try {
                put(writing, sequence, number, wasGiven);
                writing.commit();
                loaded = true;
                unknown = false;
                become(number, wasGiven);
            } finally {
                lock.unlock();
            }
        }
    }

    /// Goes on with `number`, as part of an exclusive transaction.
    void restart(StoredTransaction transaction, Sequence sequence, long number) {
        checkWithin(sequence, number);
        lock.lock();
        try {
            own(transaction, sequence);
            remember(transaction.drawn().depth());
            become(number, false);
        } finally {
            lock.unlock();
        }
    }

    private static void checkWithin(Sequence sequence, long number) {
        if (number < sequence.least() || number > sequence.most()) {
            throw new ConstraintException(
                    Kind.OUT_OF_RANGE,
                    "A sequence cannot be set to a number outside of its limits",
                    "sequence="
                            + sequence.name()
                            + " value="
                            + number
                            + " min="
                            + sequence.least()
                            + " max="
                            + sequence.most());
        }
    }

    /// Remembers the state before a restart. An earlier restart at the same depth is undone with it, never alone.
    private void remember(int depth) {
        List<Before> before = restarts;
        if (before == null) {
            before = new ArrayList<>(1);
            restarts = before;
        }
        if (before.isEmpty() || before.getLast().depth < depth) {
            before.add(new Before(depth, last, given));
        }
    }

    /// The transaction is back at savepoint `depth`, counted from 1: restarts since then are undone; numbers drawn
    /// or set stay so.
    void backTo(int depth) {
        lock.lock();
        try {
            List<Before> before = restarts;
            while (before != null && !before.isEmpty() && before.getLast().depth >= depth) {
                Before undone = before.removeLast();
                become(undone.last, undone.given);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Savepoints past `depth` are gone: restarts since then count as made before them.
    void keepTo(int depth) {
        lock.lock();
        try {
            List<Before> before = restarts;
            while (before != null && !before.isEmpty() && before.getLast().depth > depth) {
                Before left = before.removeLast();
                if (before.isEmpty() || before.getLast().depth < depth) {
                    before.add(new Before(depth, left.last, left.given));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Forgets the range at hand, in the exclusive transaction that has changed the definition.
    void passOver(StoredTransaction transaction, Sequence sequence) {
        lock.lock();
        try {
            own(transaction, sequence);
            ranged = false;
        } finally {
            lock.unlock();
        }
    }

    private void become(long number, boolean wasGiven) {
        last = number;
        given = wasGiven;
        ranged = false;
    }

    /// Numbers that an exclusive transaction draws are its own until it ends.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void own(StoredTransaction transaction, Sequence sequence) {
        if (owner != transaction) {
            load(transaction.store(), sequence);
            owner = transaction;
            transaction.drawn().add(sequence.id(), this);
        }
    }

    private void load(Transaction transaction, Sequence sequence) {
        if (loaded) {
            return;
        }
        Position stored = stored(transaction, sequence);
        last = stored.number();
        given = stored.given();
        loaded = true;
    }

    private static Position stored(Transaction transaction, Sequence sequence) {
        Slice found = new Slice();
        Tree tree = transaction.tree(TREE);
        if (tree == null || !transaction.get(tree, CatalogCodec.key(sequence.id()), found)) {
            return new Position(sequence.start(), false);
        }
        return new Position(
                found.segment().get(NativeBuffer.LONG, found.offset()),
                found.segment().get(NativeBuffer.BYTE, found.offset() + 8) != 0);
    }

    /// The position now; if no number was drawn since the opening, that in the snapshot of `transaction`.
    public Position position(Transaction transaction, Sequence sequence) {
        lock.lock();
        try {
            return loaded ? new Position(last, given) : stored(transaction, sequence);
        } finally {
            lock.unlock();
        }
    }

    private static void put(
            Transaction transaction, Sequence sequence, long number, boolean given) {
        Tree tree = transaction.tree(TREE);
        if (tree == null) {
            throw new CorruptionException(
                    "The tree of sequences is gone; restore a backup",
                    "sequence=" + sequence.name());
        }
        transaction.putUnlocked(tree, CatalogCodec.key(sequence.id()), state(number, given));
    }

    /// Takes the next `most` numbers at hand, or as many as there are before the end.
    private void reserve(Sequence sequence, long most) {
        long first = last;
        if (given) {
            if (sequence.endsAfter(last)) {
                if (!sequence.cycle()) {
                    throw new ConstraintException(
                            Kind.SEQUENCE_END,
                            "A sequence has reached its last value; extend it with ALTER SEQUENCE",
                            "sequence=" + sequence.name() + " last=" + last);
                }
                first = sequence.beginning();
            } else {
                first = last + sequence.increment();
            }
        }
        long end = first;
        for (long i = 1; i < most && !sequence.endsAfter(end); i++) {
            end += sequence.increment();
        }
        upcoming = first;
        bound = end;
        step = sequence.increment();
        ranged = true;
    }

    private long advance() {
        long value = upcoming;
        last = value;
        given = true;
        if (value == bound) {
            ranged = false;
        } else {
            upcoming += step;
        }
        return value;
    }

    /// Writes the state, at the end of the exclusive transaction that has drawn.
    void write(Transaction transaction, long id) {
        lock.lock();
        try {
            Tree tree = transaction.tree(TREE);
            if (tree != null) {
                ranged = false;
                transaction.putUnlocked(tree, CatalogCodec.key(id), state(last, given));
            }
        } finally {
            lock.unlock();
        }
    }

    /// The exclusive transaction has ended. If it was rolled back, its restarts are undone, but numbers drawn or
    /// set stay so.
    void released(boolean committed) {
        lock.lock();
        try {
            owner = null;
            ranged = false;
            unknown = !committed;
            if (restarts != null && !restarts.isEmpty() && !committed) {
                last = restarts.getFirst().last;
                given = restarts.getFirst().given;
            }
            restarts = null;
        } finally {
            lock.unlock();
        }
    }

    /// Gives the rest of the range back, as the last writer, and records the numbers drawn by exclusive
    /// transactions that were rolled back. If the write fails, they are lost, as in a crash.
    void close(long id) {
        if (!ranged && !unknown) {
            return;
        }
        try (Transaction transaction = store.beginWrite()) {
            write(transaction, id);
            transaction.commit();
        } catch (DatabaseException lost) {
            ranged = false;
        }
        unknown = false;
    }
}
