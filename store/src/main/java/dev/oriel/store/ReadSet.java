package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a SERIALIZABLE transaction has read: ranges of keys, single keys being the shortest. At commit
/// each must hold in the newest state what it holds in the snapshot.
///
/// Ranges are kept as they were read, on the heap. From [#RANGES_MAX] on whole trees stand for them: the
/// transaction then conflicts with any change of those, but its memory is bounded.
final class ReadSet {
    static final int RANGES_MAX = 20_000;

    /// Keys from `low` to `high`, both inclusive: what a cursor has passed since it was placed. A range only
    /// grows, also where the cursor turns round and comes by what it has read before.
    static final class Range {
        final long root;
        private byte[] low;

        /// Null: to the end of the tree.
        private byte @Nullable [] high;

        private Range(long root, byte[] low, byte @Nullable [] high) {
            this.root = root;
            this.low = low;
            this.high = high;
        }

        /// The cursor has gone forwards to `key`.
        void extendTo(Slice key) {
            byte[] end = high;
            if (end != null) {
                byte[] reached = key.toBytes();
                high = Arrays.compareUnsigned(reached, end) > 0 ? reached : end;
            }
        }

        /// The cursor has gone backwards to `key`.
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

    /// Of a key that was looked up, or from which a cursor sets out.
    Range add(long root, Slice key) {
        byte[] bytes = key.toBytes();
        Range range = new Range(root, bytes, bytes);
        if (whole.contains(root)) {
            return range; // covered, and not kept
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

    /// Nothing has been read.
    void clear() {
        ranges.clear();
        whole.clear();
    }

    void addWhole(long root) {
        whole.add(root);
    }

    /// Whether all that was read is in `newer` what it is in `older`.
    boolean isSame(Pages older, Pages newer) {
        RangeComparison comparison = new RangeComparison(older, newer);
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
