package dev.oriel.store.tree;

import dev.oriel.profiler.Probe;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.CursorCalls;
import dev.oriel.store.delta.EntryCursor;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A position in the pages of one tree. It remembers the memory of its leaf, so that a step inside a leaf is an
/// increment; empty leaves are skipped.
///
/// One half of a `MergedCursor`, which documents the contract of the methods. It does not notice changes of its
/// tree: after a change the caller seeks again.
public final class TreeCursor implements EntryCursor {
    private static final Probe SEEK = Probe.of(TreeCursor.class, "seek");
    private static final int NOWHERE = -1;
    private static final int HEAD_BYTES = 4;
    private static final ValueLayout.OfInt HEAD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private CursorCalls owner;
    private Pages pages;
    private TreeReader reader;
    private long root;

    private MemorySegment segment = MemorySegment.NULL;
    private long at;
    private int slot = NOWHERE;
    private int count;

    private MemorySegment keyMemory = MemorySegment.NULL;

    /// Whether `keyMemory` holds the prefix of this leaf.
    private boolean prefixCopied;

    private int copiedPrefix;
    private final Slice fence = new Slice();

    public TreeCursor(CursorCalls owner, Pages pages, TreeReader reader, long root) {
        this.owner = owner;
        this.pages = pages;
        this.reader = reader;
        this.root = root;
    }

    /// Resets to other pages or another tree, unpositioned.
    public void reset(
            CursorCalls nextOwner, Pages nextPages, TreeReader nextReader, long nextRoot) {
        owner = nextOwner;
        pages = nextPages;
        reader = nextReader;
        root = nextRoot;
        slot = NOWHERE;
    }

    @Override
    public void leave() {
        slot = NOWHERE;
    }

    @Override
    public boolean isPositioned() {
        return slot != NOWHERE;
    }

    @Override
    public boolean seek(Slice key) {
        long entered = SEEK.enter();
        try {
            owner.checkOpen();
            int found = reader.search(root, key);
            enterLeaf();
            slot = found >= 0 ? found : -1 - found;
            return slot < count || nextLeaf();
        } finally {
            SEEK.exit(entered);
        }
    }

    @Override
    public boolean seekBefore(Slice key) {
        owner.checkOpen();
        reader.leafBefore(root, key);
        enterLeaf();
        slot = firstNotLess(key) - 1;
        return slot >= 0 || previousLeaf();
    }

    @Override
    public boolean first() {
        owner.checkOpen();
        reader.outermostLeaf(root, false);
        enterLeaf();
        slot = 0;
        return slot < count || nextLeaf();
    }

    @Override
    public boolean last() {
        owner.checkOpen();
        reader.outermostLeaf(root, true);
        enterLeaf();
        slot = count - 1;
        return slot >= 0 || previousLeaf();
    }

    @Override
    public boolean next() {
        if (slot == NOWHERE) {
            return false;
        }
        return ++slot < count || nextLeaf();
    }

    @Override
    public boolean previous() {
        if (slot == NOWHERE) {
            return false;
        }
        return --slot >= 0 || previousLeaf();
    }

    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    private void enterLeaf() {
        if (segment != pages.segment) {
            segment = pages.segment;
        }
        at = pages.at;
        count = Page.count(segment, at);
        prefixCopied = false;
    }

    private boolean nextLeaf() {
        owner.beginCall();
        try {
            owner.checkOpen();
            while (true) {
                long link = Page.link(segment, at);
                if (link == 0) {
                    slot = NOWHERE;
                    return false;
                }
                pages.locate(link);
                TreeReader.checkFollows(pages, root, segment, at);
                enterLeaf();
                if (count > 0) {
                    slot = 0;
                    return true;
                }
            }
        } finally {
            owner.endCall();
        }
    }

    private boolean previousLeaf() {
        owner.beginCall();
        try {
            owner.checkOpen();
            while (true) {
                Node.low(segment, at, fence);
                if (fence.length() == 0) {
                    slot = NOWHERE;
                    return false;
                }
                reader.leafEndingAt(root, fence);
                enterLeaf();
                if (count > 0) {
                    slot = count - 1;
                    return true;
                }
            }
        } finally {
            owner.endCall();
        }
    }

    @Override
    public int keyLength() {
        checkPositioned();
        return Node.prefix(segment, at) + Node.suffixLength(segment, at, slot);
    }

    @Override
    public int compareKeyTo(Slice key) {
        checkPositioned();
        return Node.compareKey(segment, at, slot, key);
    }

    @Override
    public boolean keyStartsWith(Slice wanted) {
        checkPositioned();
        int length = wanted.length();
        int prefix = Node.prefix(segment, at);
        if (prefix + Node.suffixLength(segment, at, slot) < length) {
            return false;
        }
        int shared = Math.min(prefix, length);
        return Slice.compare(
                                segment,
                                Node.prefixAt(segment, at),
                                shared,
                                wanted.segment(),
                                wanted.offset(),
                                shared)
                        == 0
                && Slice.compare(
                                segment,
                                Node.suffixAt(segment, at, slot),
                                length - shared,
                                wanted.segment(),
                                wanted.offset() + shared,
                                length - shared)
                        == 0;
    }

    @Override
    public void key(Slice out) {
        checkPositioned();
        if (Node.prefix(segment, at) == 0) {
            out.set(
                    segment,
                    Node.suffixAt(segment, at, slot),
                    Node.suffixLength(segment, at, slot));
            return;
        }
        copyKey(out);
    }

    /// Copies the key. The prefix is copied once a leaf; a short suffix comes out of the slot's head.
    private void copyKey(Slice out) {
        if (!prefixCopied) {
            copyPrefix();
        }
        long word = Node.word(segment, at, slot);
        int suffix = Node.suffixLength(word);
        if (suffix <= HEAD_BYTES) {
            keyMemory.set(HEAD, copiedPrefix, (int) (word >>> 32));
        } else {
            long from = at + Node.cellOffset(word) + Node.LEAF_CELL;
            MemorySegment.copy(segment, from, keyMemory, copiedPrefix, suffix);
        }
        out.set(keyMemory, 0, copiedPrefix + suffix);
    }

    private void copyPrefix() {
        if (keyMemory.byteSize() == 0) {
            keyMemory = Arena.ofAuto().allocate(Node.KEY_BYTES_MAX + HEAD_BYTES);
        }
        copiedPrefix = Node.prefix(segment, at);
        MemorySegment.copy(segment, Node.prefixAt(segment, at), keyMemory, 0, copiedPrefix);
        prefixCopied = true;
    }

    @Override
    public void value(Slice out) {
        checkPositioned();
        reader.value(segment, at, slot, out);
    }

    @Override
    public int valueLength() {
        checkPositioned();
        return TreeReader.valueLength(segment, at, slot);
    }

    @Override
    public void valueHead(Slice out) {
        checkPositioned();
        reader.valueHead(segment, at, slot, out);
    }

    private void checkPositioned() {
        if (slot == NOWHERE) {
            owner.checkOpen();
            throw new UsageException("The cursor is not on an entry; move it first", "");
        }
    }

    /// Copies the key into the own memory of `out`.
    @Override
    public void copyKeyTo(Slice out) {
        out.setOwn(keyLength());
        Node.copyKey(segment, at, slot, out.segment(), 0);
    }

    /// Whether this entry of a `WriteSet` is a removal.
    @Override
    public boolean isAbsent() {
        return Node.isAbsent(segment, at, slot);
    }

    /// Number of entries of this leaf after this one.
    public int entriesAfter() {
        return count - slot - 1;
    }

    /// Number of entries of this leaf after this one and before `key`, which is greater.
    public int entriesAfter(Slice key) {
        checkPositioned();
        int end = Node.isBelowHigh(segment, at, key) ? firstNotLess(key) : count;
        return end - slot - 1;
    }

    /// Number of entries of this leaf before this one.
    public int entriesBefore() {
        return slot;
    }

    /// Number of entries of this leaf before this one and after `key`, which is less.
    public int entriesBefore(Slice key) {
        if (!Node.isAboveLow(segment, at, key)) {
            return slot;
        }
        int found = search(key);
        return slot - (found >= 0 ? found + 1 : -1 - found);
    }

    private int firstNotLess(Slice key) {
        int found = search(key);
        return found >= 0 ? found : -1 - found;
    }

    private int search(Slice key) {
        return Node.search(segment, at, key.segment(), key.offset(), key.length());
    }
}
