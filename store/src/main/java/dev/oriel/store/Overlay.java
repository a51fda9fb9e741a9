package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What one transaction has written and nobody else sees yet: for each tree that it wrote to a tree of
/// its own, in private memory, from keys to what they are to become: a value, or nothing. At commit
/// all of it is put into the real trees.
///
/// "Removed" is an entry with a reference to an overflow chain of length -1 and no pages: whatever
/// handles entries and frees their chains handles it too, only nobody may ask for its value.
///
/// The trees are made by a [TreeEditor], so its fingers make ordered writes cheap here as well. Not
/// safe for use by two threads at once. Slices that it hands out hold until it is written to.
final class Overlay {
    /// What the overlay has for a key.
    enum Found {
        /// No entry: what the snapshot says holds.
        NOTHING,
        VALUE,
        DELETED
    }

    private final PrivatePages space = new PrivatePages();
    private final TreeEditor editor = new TreeEditor(space);
    private final TreeReader reader = new TreeReader(space.pages);
    private final Slice absent = Node.unbounded();
    private final Slice key = new Slice();

    /// Roots of the real trees that were written to, ascending, and of their counterparts here.
    private long[] roots = new long[4];

    private long[] owns = new long[4];
    private int trees;

    /// Where the tree is that was asked for last.
    private int last;

    private long entries;

    /// Of the pages here, for cursors.
    Pages pages() {
        return space.pages;
    }

    TreeReader reader() {
        return reader;
    }

    boolean isEmpty() {
        return entries == 0;
    }

    /// Entries of all trees, removals among them.
    long entries() {
        return entries;
    }

    /// Bytes of the pages that hold them.
    long bytes() {
        return space.bytes();
    }

    /// Native bytes taken from the operating system.
    long memoryBytes() {
        return space.memoryBytes();
    }

    /// Root of what was written to the tree `root`; 0 where nothing was.
    long rootOf(long root) {
        if (trees == 0) {
            return 0;
        }
        if (roots[last] != root) {
            int found = Arrays.binarySearch(roots, 0, trees, root);
            if (found < 0) {
                return 0;
            }
            last = found;
        }
        return owns[last];
    }

    private long rootFor(long root) {
        long own = rootOf(root);
        return own == 0 ? addTree(root) : own;
    }

    private long addTree(long root) {
        int at = -1 - Arrays.binarySearch(roots, 0, trees, root);
        if (trees == roots.length) {
            roots = Arrays.copyOf(roots, trees * 2);
            owns = Arrays.copyOf(owns, trees * 2);
        }
        long own = editor.create();
        System.arraycopy(roots, at, roots, at + 1, trees - at);
        System.arraycopy(owns, at, owns, at + 1, trees - at);
        roots[at] = root;
        owns[at] = own;
        trees++;
        last = at;
        return own;
    }

    /// What is here for `wanted`; where that is a value, points `out` at it.
    Found find(long root, Slice wanted, Slice out) {
        long own = rootOf(root);
        if (own == 0) {
            return Found.NOTHING;
        }
        int slot = editor.find(own, wanted);
        if (slot < 0) {
            return Found.NOTHING;
        }
        Pages at = space.pages;
        if (isAbsent(at.segment, at.at, slot)) {
            return Found.DELETED;
        }
        reader.value(at.segment, at.at, slot, out);
        return Found.VALUE;
    }

    /// Whether an entry of a leaf here says "removed".
    static boolean isAbsent(MemorySegment segment, long at, int slot) {
        return Node.overflows(segment, at, slot)
                && segment.get(Page.INT, Node.value(segment, at, slot)) < 0;
    }

    /// Maps `changed` to `becomes`, whatever was here for it. Lengths have been checked.
    void put(long root, Slice changed, Slice becomes) {
        long own = rootFor(root);
        int found = editor.find(own, changed);
        editor.set(own, found, changed, becomes);
        if (found < 0) {
            entries++;
        }
    }

    /// Says that `changed` is no more, whether the snapshot has it or not.
    void remove(long root, Slice changed) {
        put(root, changed, absent);
    }

    /// Takes the entry of `kept` away, so that the snapshot shows through again; false where there is
    /// none.
    boolean forget(long root, Slice kept) {
        long own = rootOf(root);
        if (own == 0 || !editor.delete(own, kept)) {
            return false;
        }
        entries--;
        return true;
    }

    /// Forgets all that was written to a tree: it has been dropped.
    void forgetTree(long root) {
        long own = rootOf(root);
        if (own == 0) {
            return;
        }
        entries -= new TreeRanges(space.pages).count(own, new Slice(), null);
        editor.drop(own);
        trees--;
        System.arraycopy(roots, last + 1, roots, last, trees - last);
        System.arraycopy(owns, last + 1, owns, last, trees - last);
        last = 0;
    }

    /// Puts all of it into the real trees, in the order of their roots and of keys.
    void apply(TreeEditor target) {
        Slice value = new Slice(); // not kept: a long one's memory would be, too
        for (int i = 0; i < trees; i++) {
            reader.outermostLeaf(owns[i], false);
            long leaf;
            do {
                leaf = applyLeaf(roots[i], target, value);
                if (leaf != 0) {
                    space.pages.locate(leaf);
                }
            } while (leaf != 0);
        }
    }

    /// Applies the leaf that is located, and returns the next one.
    private long applyLeaf(long root, TreeEditor target, Slice value) {
        MemorySegment segment = space.pages.segment;
        long at = space.pages.at;
        int count = Page.count(segment, at);
        for (int slot = 0; slot < count; slot++) {
            key.setOwn(Node.prefix(segment, at) + Node.suffixLength(segment, at, slot));
            Node.copyKey(segment, at, slot, key.segment(), 0);
            if (isAbsent(segment, at, slot)) {
                target.delete(root, key);
            } else {
                reader.value(segment, at, slot, value);
                target.put(root, key, value, true);
            }
        }
        return Page.link(segment, at);
    }

    /// Forgets everything, for the next transaction.
    void clear() {
        trees = 0;
        last = 0;
        entries = 0;
        space.clear();
        editor.begin();
    }
}
