package dev.oriel.store.model;

import dev.oriel.store.Transaction;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The models of a store's commits by their txids. A number between two of them is a commit that changes no entry,
/// such as one that only moves entries into pages: its model is the one before it.
public final class CommittedModels {
    private final NavigableMap<Long, Model> known = new TreeMap<>(Map.of(0L, new Model()));

    /// Model of the commit that has begun, whose number is not known yet.
    private @Nullable Model begun;

    /// The newest model of a commit that has ended.
    public Model last() {
        return known.lastEntry().getValue();
    }

    public long lastTxid() {
        return known.lastKey();
    }

    /// Before a commit is acknowledged: a crash inside it may leave it there.
    public void begin(Model next) {
        begun = next;
    }

    /// The commit that has begun has the number `txid`, which is not new if nothing has changed.
    public void end(long txid) {
        Model next = begun;
        begun = null;
        if (next != null && txid > lastTxid()) {
            known.put(txid, next);
        }
    }

    /// The store has come to `txid` without a change of an entry.
    public void passed(long txid) {
        known.putIfAbsent(txid, last());
    }

    /// Forgets the commits after `txid`, which a crash has undone.
    public void cutAfter(long txid) {
        known.tailMap(txid, false).clear();
        begun = null;
    }

    /// Fails unless `transaction` sees the commit `txid`, and returns its model. If a commit has begun, a number after
    /// the last one may be of a step before it, or its own.
    public Model assertSeenBy(Transaction transaction, long txid) {
        Model model = known.floorEntry(txid).getValue();
        Model next = begun;
        if (txid <= lastTxid() || next == null) {
            model.assertSeenBy(transaction);
            return model;
        }
        try {
            next.assertSeenBy(transaction);
            return next;
        } catch (AssertionError e) {
            try {
                model.assertSeenBy(transaction);
            } catch (AssertionError other) {
                e.addSuppressed(other);
                throw e;
            }
            return model;
        }
    }
}
