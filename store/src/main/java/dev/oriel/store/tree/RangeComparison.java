package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Compares a range of keys in two committed states. A leaf with the same version in both is skipped unread: so
/// the work is proportional to the changes, not to the range.
public final class RangeComparison {
    private final Side older;
    private final Side newer;

    public RangeComparison(Pages older, Pages newer) {
        this.older = new Side(older);
        this.newer = new Side(newer);
    }

    /// A position in one of the states, as leaf and slot.
    private static final class Side {
        private final Pages pages;
        private final TreeReader reader;
        private final Slice key = new Slice();
        private final Slice value = new Slice();
        private MemorySegment segment = MemorySegment.NULL;
        private long at;
        private int slot;
        private int count;
        private long root;

        Side(Pages pages) {
            this.pages = pages;
            this.reader = new TreeReader(pages);
        }

        void seek(long root, Slice low) {
            this.root = root;
            reader.leafOf(root, low);
            enter();
            int found = Node.search(segment, at, low.segment(), low.offset(), low.length());
            slot = found >= 0 ? found : -1 - found;
        }

        private void enter() {
            segment = pages.segment;
            at = pages.at;
            slot = 0;
            count = Page.count(segment, at);
        }

        /// Goes to the leaf to the right; false if there is none.
        boolean nextLeaf() {
            long link = Page.link(segment, at);
            if (link == 0) {
                return false;
            }
            pages.locate(link);
            TreeReader.checkFollows(pages, root, segment, at);
            enter();
            return true;
        }

        /// Moves past the ends of leaves; false at the end of the tree.
        boolean settle() {
            while (slot == count) {
                if (!nextLeaf()) {
                    return false;
                }
            }
            return true;
        }

        /// Returns the key of the entry.
        Slice key() {
            key.setOwn(Node.prefix(segment, at) + Node.suffixLength(segment, at, slot));
            Node.copyKey(segment, at, slot, key.segment(), 0);
            return key;
        }

        Slice value() {
            reader.value(segment, at, slot, value);
            return value;
        }

        boolean isAt(Side other) {
            return slot == other.slot
                    && segment.address() + at == other.segment.address() + other.at;
        }

        /// Whether a range up to `high` ends in this leaf.
        boolean endsHere(Slice high) {
            return Node.highLength(segment, at) >= 0 && Node.isBelowHigh(segment, at, high);
        }
    }

    /// Whether the keys from `low` to `high` (inclusive; null for the end) have the same entries in both.
    public boolean isSame(long root, Slice low, @Nullable Slice high) {
        older.seek(root, low);
        newer.seek(root, low);
        while (true) {
            if (older.isAt(newer)) {
                if (high != null && older.endsHere(high)) {
                    return true;
                }
                boolean more = older.nextLeaf();
                if (!newer.nextLeaf() || !more) {
                    return true; // the links are the same too
                }
                continue;
            }
            boolean inOlder = older.settle() && isNotAbove(older, high);
            boolean inNewer = newer.settle() && isNotAbove(newer, high);
            if (!inOlder || !inNewer) {
                return inOlder == inNewer;
            }
            if (older.isAt(newer)) {
                continue;
            }
            if (Slice.compare(older.key(), newer.key()) != 0
                    || Slice.compare(older.value(), newer.value()) != 0) {
                return false;
            }
            older.slot++;
            newer.slot++;
        }
    }

    private static boolean isNotAbove(Side side, @Nullable Slice high) {
        return high == null || Slice.compare(side.key(), high) <= 0;
    }
}
