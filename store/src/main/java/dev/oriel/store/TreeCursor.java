package dev.oriel.store;

import dev.oriel.profiler.Probe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The cursor of both kinds of transactions. It remembers where its leaf lies, so that a step
/// inside a leaf is an increment; an empty leaf is passed over.
///
/// Before its own transaction writes, the key it stands on is kept ([#saveKey]); the next move then
/// finds the place again in the changed tree.
final class TreeCursor implements Cursor {
    private static final Probe SEEK = Probe.of(TreeCursor.class, "seek");
    private static final int NOWHERE = -1;

    private StoreTransaction transaction;
    private Pages pages;
    private TreeReader reader;
    private long root;

    private MemorySegment segment = MemorySegment.NULL;
    private long at;
    private int slot = NOWHERE;
    private int count;

    private boolean stale;
    private final Slice savedKey = new Slice();
    private MemorySegment keyMemory = MemorySegment.NULL;
    private final Slice fence = new Slice();

    TreeCursor(StoreTransaction transaction, Tree tree) {
        this.transaction = transaction;
        this.pages = transaction.pages();
        this.reader = transaction.reader();
        this.root = tree.root();
        transaction.register(this);
    }

    @Override
    public void reset(Transaction next, Tree tree) {
        StoreTransaction other = (StoreTransaction) next;
        other.checkOpen();
        if (other != transaction) {
            transaction.forget(this);
        }
        if (other != transaction || !other.isRegistered(this)) {
            transaction = other;
            pages = other.pages();
            reader = other.reader();
            other.register(this);
        }
        root = tree.root();
        slot = NOWHERE;
        stale = false;
    }

    @Override
    public boolean seek(Slice key) {
        long entered = SEEK.enter();
        try {
            transaction.checkOpen();
            stale = false;
            reader.leafOf(root, key);
            enterLeaf();
            int found = Node.search(segment, at, key.segment(), key.offset(), key.length());
            slot = found >= 0 ? found : -1 - found;
            return slot < count || nextLeaf();
        } finally {
            SEEK.exit(entered);
        }
    }

    @Override
    public boolean seekBefore(Slice key) {
        transaction.checkOpen();
        stale = false;
        reader.leafBefore(root, key);
        enterLeaf();
        int found = Node.search(segment, at, key.segment(), key.offset(), key.length());
        slot = (found >= 0 ? found : -1 - found) - 1;
        return slot >= 0 || previousLeaf();
    }

    @Override
    public boolean first() {
        transaction.checkOpen();
        stale = false;
        reader.outermostLeaf(root, false);
        enterLeaf();
        slot = 0;
        return slot < count || nextLeaf();
    }

    @Override
    public boolean last() {
        transaction.checkOpen();
        stale = false;
        reader.outermostLeaf(root, true);
        enterLeaf();
        slot = count - 1;
        return slot >= 0 || previousLeaf();
    }

    @Override
    public boolean next() {
        if (stale) {
            return nextAfterWrite();
        }
        if (slot == NOWHERE) {
            return false;
        }
        return ++slot < count || nextLeaf();
    }

    @Override
    public boolean previous() {
        if (stale) {
            return seekBefore(savedKey);
        }
        if (slot == NOWHERE) {
            return false;
        }
        return --slot >= 0 || previousLeaf();
    }

    private boolean nextAfterWrite() {
        if (!seek(savedKey)) {
            return false;
        }
        return compareKeyTo(savedKey) != 0 || next();
    }

    private void enterLeaf() {
        segment = pages.segment;
        at = pages.at;
        count = Page.count(segment, at);
    }

    private boolean nextLeaf() {
        transaction.checkOpen();
        while (true) {
            long link = Page.link(segment, at);
            if (link == 0) {
                slot = NOWHERE;
                return false;
            }
            pages.locate(link);
            if (Page.kind(pages.segment, pages.at) != Page.LEAF) {
                throw TreeReader.damaged(root, link);
            }
            enterLeaf();
            if (count > 0) {
                slot = 0;
                return true;
            }
        }
    }

    private boolean previousLeaf() {
        transaction.checkOpen();
        while (true) {
            Node.low(segment, at, fence);
            if (fence.length() == 0) {
                slot = NOWHERE;
                return false;
            }
            reader.leafBefore(root, fence);
            enterLeaf();
            if (count > 0) {
                slot = count - 1;
                return true;
            }
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
        int prefix = Node.prefix(segment, at);
        int shared = Math.min(prefix, key.length());
        int order =
                Slice.compare(
                        segment,
                        Node.prefixAt(segment, at),
                        prefix,
                        key.segment(),
                        key.offset(),
                        shared);
        if (order != 0) {
            return order;
        }
        return Slice.compare(
                segment,
                Node.suffixAt(segment, at, slot),
                Node.suffixLength(segment, at, slot),
                key.segment(),
                key.offset() + prefix,
                key.length() - prefix);
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

    private void copyKey(Slice out) {
        if (keyMemory.byteSize() == 0) {
            keyMemory = Arena.ofAuto().allocate(TreeEditor.KEY_BYTES_MAX);
        }
        out.set(keyMemory, 0, Node.copyKey(segment, at, slot, keyMemory, 0));
    }

    @Override
    public void value(Slice out) {
        checkPositioned();
        reader.value(segment, at, slot, out);
    }

    private void checkPositioned() {
        if (slot == NOWHERE || stale) {
            transaction.checkOpen();
            throw new UsageException(
                    "The cursor stands on no entry; move it first",
                    stale ? "its transaction has written" : "");
        }
    }

    /// The transaction is about to write.
    void saveKey() {
        if (slot != NOWHERE && !stale) {
            copyKey(savedKey);
            stale = true;
        }
    }
}
