package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What both kinds of transactions share: reading.
abstract sealed class StoreTransaction implements Transaction
        permits ReadTransaction, WriteTransaction {
    static final Tree CATALOG = new Tree("", Page.CATALOG_ROOT);

    private final Pages pages;
    private final TreeReader reader;
    private final MemorySegment nameMemory = Arena.ofAuto().allocate(TreeEditor.KEY_BYTES_MAX);
    private final Slice name = new Slice();
    private final Slice found = new Slice();
    private @Nullable TreeRanges ranges;

    StoreTransaction(Pages pages) {
        this.pages = pages;
        this.reader = new TreeReader(pages);
    }

    final Pages pages() {
        return pages;
    }

    final TreeReader reader() {
        return reader;
    }

    /// Throws unless the transaction is open.
    abstract void checkOpen();

    /// Whether `cursor` is known to this transaction while it lasts.
    abstract boolean isRegistered(TreeCursor cursor);

    abstract void register(TreeCursor cursor);

    /// `cursor` goes to another transaction.
    abstract void forget(TreeCursor cursor);

    @Override
    public final @Nullable Tree tree(String treeName) {
        checkOpen();
        if (!reader.get(CATALOG.root(), nameKey(treeName), found)) {
            return null;
        }
        return new Tree(treeName, found.segment().get(Page.LONG, found.offset()));
    }

    final Slice nameKey(String treeName) {
        byte[] bytes = treeName.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > TreeEditor.KEY_BYTES_MAX) {
            throw new UsageException(
                    "A tree's name must have 1 to 1000 bytes", "bytes=" + bytes.length);
        }
        MemorySegment.copy(bytes, 0, nameMemory, Page.BYTE, 0, bytes.length);
        return name.set(nameMemory, 0, bytes.length);
    }

    @Override
    public final boolean get(Tree tree, Slice key, Slice value) {
        checkOpen();
        return reader.get(tree.root(), key, value);
    }

    @Override
    public final long count(Tree tree, Slice from, @Nullable Slice to) {
        checkOpen();
        return ranges().count(tree.root(), from, to);
    }

    @Override
    public final long estimate(Tree tree, Slice from, @Nullable Slice to) {
        checkOpen();
        return ranges().estimate(tree.root(), from, to);
    }

    @Override
    public final List<byte[]> splitPoints(Tree tree, int parts) {
        checkOpen();
        if (parts < 1) {
            throw new UsageException("A tree is split into one part at least", "parts=" + parts);
        }
        return ranges().splitPoints(tree.root(), parts);
    }

    private TreeRanges ranges() {
        TreeRanges known = ranges;
        if (known == null) {
            known = new TreeRanges(pages);
            ranges = known;
        }
        return known;
    }

    @Override
    public final Cursor cursor(Tree tree) {
        checkOpen();
        return new TreeCursor(this, tree);
    }
}
