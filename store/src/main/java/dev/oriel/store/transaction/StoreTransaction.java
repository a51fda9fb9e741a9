package dev.oriel.store.transaction;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.tree.TreeRanges;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading part that both kinds of transactions share.
public abstract sealed class StoreTransaction extends CursorOwner implements Transaction
        permits ReadTransaction, WriteTransaction {
    public static final Tree CATALOG = new Tree("", Page.CATALOG_ROOT);

    private @Nullable TreeRanges ranges;

    @Override
    public final @Nullable Tree tree(String treeName) {
        beginCall();
        try {
            checkOpen();
            Slice found = new Slice();
            if (!reader().get(CATALOG.root(), nameKey(treeName), found)) {
                return null;
            }
            return named(treeName, found);
        } finally {
            endCall();
        }
    }

    @Override
    public final List<Tree> trees() {
        beginCall();
        try {
            checkOpen();
            List<Tree> trees = new ArrayList<>();
            Cursor cursor = cursor(CATALOG);
            Slice slice = new Slice();
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(slice);
                String name = slice.toText();
                cursor.value(slice);
                trees.add(named(name, slice));
            }
            return trees;
        } finally {
            endCall();
        }
    }

    /// Returns the tree that an entry of the catalog describes.
    public static Tree named(String treeName, Slice value) {
        long root =
                value.length() == Long.BYTES ? value.segment().get(Page.LONG, value.offset()) : 0;
        if (!PageStructure.isNumber(root)) {
            throw new CorruptionException(
                    "The tree of trees has an entry without a page number; restore it from a backup",
                    "tree=%s root=%d bytes=%d".formatted(treeName, root, value.length()));
        }
        return new Tree(treeName, root);
    }

    @Override
    public final long pagesRead() {
        return pages().located;
    }

    static Slice nameKey(String treeName) {
        byte[] bytes = treeName.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > Node.KEY_BYTES_MAX) {
            throw new UsageException(
                    "A tree's name must have 1 to 1000 bytes", "bytes=" + bytes.length);
        }
        return Slice.copyOf(bytes);
    }

    @Override
    public final long count(Tree tree, Slice from, @Nullable Slice to) {
        beginCall();
        try {
            checkOpen();
            observe(tree, from, to);
            WriteSet writeSet = writeSet();
            return writeSet == null && !deltas().has(tree.root())
                    ? ranges().count(tree.root(), from, to)
                    : new MergedRanges(this, writeSet).count(tree.root(), from, to);
        } finally {
            endCall();
        }
    }

    /// Returns the working memory for counts, which is kept: some graphs count the edges of vertex after vertex.
    private TreeRanges ranges() {
        TreeRanges known = ranges;
        if (known == null || !known.isOver(pages())) {
            known = new TreeRanges(pages());
            ranges = known;
        }
        return known;
    }

    /// Notes that a range is counted.
    void observe(Tree tree, Slice from, @Nullable Slice to) {}

    @Override
    public final long estimate(Tree tree, Slice from, @Nullable Slice to) {
        beginCall();
        try {
            checkOpen();
            WriteSet writeSet = writeSet();
            return writeSet == null && !deltas().has(tree.root())
                    ? ranges().estimate(tree.root(), from, to)
                    : new MergedRanges(this, writeSet).estimate(tree.root(), from, to);
        } finally {
            endCall();
        }
    }

    @Override
    public final Cursor cursor(Tree tree) {
        beginCall();
        try {
            checkOpen();
            return new MergedCursor(this, tree.root());
        } finally {
            endCall();
        }
    }

    /// A writing transaction uses the committed state: the points need not be exact.
    @Override
    public final List<byte[]> splitPoints(Tree tree, int parts) {
        beginCall();
        try {
            checkOpen();
            if (parts < 1) {
                throw new UsageException(
                        "The number of parts must be at least 1", "parts=" + parts);
            }
            return ranges().splitPoints(tree.root(), parts);
        } finally {
            endCall();
        }
    }
}
