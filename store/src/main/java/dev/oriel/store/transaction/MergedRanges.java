package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.page.Node;
import dev.oriel.store.tree.TreeRanges;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Counts the entries of a range for a transaction with entries above the pages of its snapshot. The result is the
/// number in the pages, plus or minus the effect of its write set and of the snapshot's deltas. Valid as long as its
/// owner has the same pages.
final class MergedRanges {
    /// Number of write set entries that an estimate reads.
    private static final int SAMPLE_ENTRIES = 64;

    private final CursorOwner owner;

    /// Null if the transaction writes nothing.
    private final @Nullable WriteSet writeSet;

    private final TreeRanges snapshot;
    private final OwnCursor own = new OwnCursor();
    private final Slice key = new Slice();

    /// The leaf of the snapshot that was searched last.
    private MemorySegment segment = MemorySegment.NULL;

    private long at;

    /// Number of write set entries that the last correction has read.
    private long seen;

    MergedRanges(CursorOwner owner, @Nullable WriteSet writeSet) {
        this.owner = owner;
        this.writeSet = writeSet;
        this.snapshot = new TreeRanges(owner.pages());
    }

    /// Like [TreeRanges#count], with a lookup for each entry of the write set in the range.
    long count(long root, Slice low, @Nullable Slice high) {
        long count = inSnapshot(root, low, high, true);
        return isAbove(root) ? count + correction(root, low, high, Long.MAX_VALUE) : count;
    }

    /// Like [TreeRanges#estimate]; exact if that is and few entries of the write set lie in the range.
    long estimate(long root, Slice low, @Nullable Slice high) {
        long estimate = inSnapshot(root, low, high, false);
        if (!isAbove(root)) {
            return estimate;
        }
        long correction = correction(root, low, high, SAMPLE_ENTRIES);
        if (seen == SAMPLE_ENTRIES) {
            long all = owner.deltas().estimate(root, low, high);
            all += writeSet == null ? 0 : writeSet.estimate(root, low, high);
            correction = Math.round((double) correction * Math.max(all, seen) / seen);
        }
        return Math.max(0, estimate + correction);
    }

    private boolean isAbove(long root) {
        return (writeSet != null && writeSet.has(root)) || owner.deltas().has(root);
    }

    private long inSnapshot(long root, Slice low, @Nullable Slice high, boolean exactly) {
        if (writeSet != null && writeSet.hidden().has(root)) {
            return writeSet.hidden().count(snapshot, root, low, high, exactly);
        }
        return exactly ? snapshot.count(root, low, high) : snapshot.estimate(root, low, high);
    }

    /// The number of entries that the first `most` entries of the write set in the range add, less the number they
    /// hide.
    private long correction(long root, Slice low, @Nullable Slice high, long most) {
        WriteSet written = writeSet != null && writeSet.has(root) ? writeSet : null;
        own.reset(owner, written, owner.deltas(), root);
        segment = MemorySegment.NULL;
        seen = 0;
        long correction = 0;
        boolean more = own.seek(low);
        while (more && seen < most && (high == null || own.compareKeyTo(high) < 0)) {
            own.key(key);
            boolean known = isInSnapshot(root);
            if (own.isAbsent()) {
                correction -= known ? 1 : 0;
            } else {
                correction += known ? 0 : 1;
            }
            seen++;
            more = own.step(true);
        }
        return correction;
    }

    /// Whether the snapshot shows the current key. Keys come in order, many of them from the same leaf.
    private boolean isInSnapshot(long root) {
        if (segment.byteSize() == 0 || !Node.isBelowHigh(segment, at, key)) {
            owner.reader().leafOf(root, key);
            segment = owner.pages().segment;
            at = owner.pages().at;
        }
        return Node.search(segment, at, key.segment(), key.offset(), key.length()) >= 0
                && (writeSet == null || !writeSet.hidden().hides(root, key));
    }
}
