package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The read set of a SERIALIZABLE transaction: ranges of keys, single keys being the shortest. At commit each
/// must have the same content in the newest state as in the snapshot.
///
/// Ranges are kept as they were read, on the heap. From [#RANGES_MAX] on they are replaced by whole trees. The
/// transaction then conflicts with any change of those trees, but its memory is bounded.
final class ReadSet {
    static final int RANGES_MAX = 20_000;

    /// The keys from `low` to `high`, both inclusive, that a cursor has passed since it was placed. A range only
    /// grows, also when the cursor turns round and passes keys again.
    static final class Range {
        final long root;
        private byte[] low;

        /// Upper bound; null for the end of the tree.
        private byte @Nullable [] high;

        private Range(long root, byte[] low, byte @Nullable [] high) {
            this.root = root;
            this.low = low;
            this.high = high;
        }

        /// Extends the range after the cursor has moved forwards to `key`.
        void extendTo(Slice key) {
            byte[] end = high;
            if (end != null) {
                byte[] reached = key.toBytes();
                high = Arrays.compareUnsigned(reached, end) > 0 ? reached : end;
            }
        }

        /// Extends the range after the cursor has moved backwards to `key`.
        void extendDownTo(Slice key) {
            byte[] reached = key.toBytes();
            low = Arrays.compareUnsigned(reached, low) < 0 ? reached : low;
        }

        void extendToEnd() {
            high = null;
        }

        void extendToBegin() {
            low = new byte[0];
        }
    }

    private final List<Range> ranges = new ArrayList<>();
    private final Set<Long> whole = new HashSet<>();

    /// Adds the range of a key that was looked up, or from which a cursor starts.
    Range add(long root, Slice key) {
        byte[] bytes = key.toBytes();
        Range range = new Range(root, bytes, bytes);
        if (whole.contains(root)) {
            return range; // covered already, so not kept
        }
        if (ranges.size() == RANGES_MAX) {
            ranges.forEach(one -> whole.add(one.root));
            ranges.clear();
            whole.add(root);
            return range;
        }
        ranges.add(range);
        return range;
    }

    /// Empties the read set.
    void clear() {
        ranges.clear();
        whole.clear();
    }

    void addWhole(long root) {
        whole.add(root);
    }

    /// Whether all ranges read have the same content in `newer` as in `older`.
    boolean isSame(SnapshotView older, SnapshotView newer) {
        SnapshotComparison comparison = new SnapshotComparison(older, newer);
        Slice low = new Slice();
        Slice high = new Slice();
        for (Long root : whole) {
            if (!comparison.isSame(root, low, null)) {
                return false;
            }
        }
        for (Range range : ranges) {
            byte[] to = range.high;
            if (!comparison.isSame(
                    range.root, copy(range.low, low), to == null ? null : copy(to, high))) {
                return false;
            }
        }
        return true;
    }

    private static Slice copy(byte[] bytes, Slice out) {
        out.setOwn(bytes.length);
        MemorySegment.copy(bytes, 0, out.segment(), Page.BYTE, 0, bytes.length);
        return out;
    }
}
