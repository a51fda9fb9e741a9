package dev.oriel.store.maintenance;

import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.checkpoint.CheckpointAim;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.CallGuard;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.store.transaction.StoreTransaction;
import dev.oriel.store.transaction.Transactions;
import dev.oriel.store.transaction.WriteTransaction;
import dev.oriel.store.tree.Overflow;
import dev.oriel.store.tree.TreePath;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Moves pages from the end of a store to free pages nearer its beginning, so that the data file can be cut. It
/// moves each page beyond the boundary: the end that the pages in use would have side by side.
///
/// ```
/// | 4 | - | 6 | - | 8 | 9 |    4 in use of 6: the boundary is before page 8
/// | 4 | 9'| 6 | 8'| - | - |    moved; then the page count is lowered to 8, and the file cut
/// ```
/// A leaf is referred to by its branch and its left neighbor, a branch by its parent. An overflow page is referred to
/// by the previous one or by its leaf's cell. So it goes from leaf to leaf in key order and takes along each leaf's
/// branches and chains. It looks for pages to move as a reader, and moves them in short transactions, which hold up
/// commits and nothing else. Pages that such commits put beyond the boundary stay there. A crash finds some pages moved
/// and some not.
///
/// Pages of the free map have fixed places. Roots stay in place, because callers hold their numbers. If no caller
/// does, they are moved first.
public final class Compaction {
    private static final int PAGES_A_STEP = 128;
    private static final int LEAVES_A_STEP = 1024;
    private static final int LEAVES_A_LOOK = 4096;

    private final Transactions transactions;
    private final @Nullable Checkpoint checkpoint;
    private final boolean rootsToo;
    private final Progress progress;
    private final TreePath path = new TreePath(true);
    private final Slice fence = new Slice();
    private long boundary;
    private long total;
    private long moved;

    /// Maximum number of pages moved by one transaction: fewer if the log had no room for as many.
    private int stepPages = PAGES_A_STEP;

    /// Number of pages that the open transaction may still move.
    private int budget;

    /// @param rootsToo whether no caller holds a [Tree] of the store
    public Compaction(
            Transactions transactions,
            @Nullable Checkpoint checkpoint,
            boolean rootsToo,
            Progress progress) {
        this.checkpoint = checkpoint;
        this.transactions = transactions;
        this.rootsToo = rootsToo;
        this.progress = progress;
    }

    public void run() {
        List<Tree> trees = plan();
        progress.at(0, total);
        for (Tree tree : trees) {
            Tree current = rootsToo && tree.root() >= boundary ? moveRoot(tree) : tree;
            Slice position = Slice.copyOf();
            while (position != null) {
                position = look(current, position);
                if (position != null) {
                    position = stepWhereThereIsRoom(current, position);
                    progress.at(Math.min(moved, total), total);
                }
            }
        }
        try (WriteTransaction transaction = transactions.beginMoving()) {
            transactions.committer().pages().dropFreeTail();
            transaction.commit();
        }
        if (checkpoint != null) {
            checkpoint.run(CheckpointAim.COVER);
            checkpoint.log().shrink();
        }
        progress.at(total, total);
    }

    /// Sets the boundary, and returns all trees.
    private List<Tree> plan() {
        try (Transaction transaction = transactions.beginRead(new CallGuard())) {
            ReadTransaction reader = (ReadTransaction) transaction;
            State state = reader.state();
            boundary = state.pageCount() - state.freePages();
            total = FreeMap.count(reader.pages(), boundary); // this many are in use beyond it
            List<Tree> trees = new ArrayList<>(List.of(StoreTransaction.CATALOG));
            trees.addAll(reader.trees());
            return trees;
        }
    }

    private static boolean isThere(StoreTransaction transaction, Tree tree) {
        return tree.root() == Page.CATALOG_ROOT || tree.equals(transaction.tree(tree.name()));
    }

    private Tree moveRoot(Tree tree) {
        try (WriteTransaction transaction = transactions.beginMoving()) {
            if (!isThere(transaction, tree)) {
                return tree;
            }
            long to = transactions.committer().pages().moveDown(tree.root());
            if (to != tree.root()) {
                transaction.rootMoved(tree, to);
                moved++;
            }
            transaction.commit();
            return new Tree(tree.name(), to);
        }
    }

    /// The lower fence of the first leaf from `from` on that leads to a page beyond the boundary, or is one; null
    /// if there is none.
    private @Nullable Slice look(Tree tree, Slice from) {
        Slice position = from;
        while (position != null) {
            try (Transaction transaction = transactions.beginRead(new CallGuard())) {
                ReadTransaction reader = (ReadTransaction) transaction;
                if (!isThere(reader, tree)) {
                    return null;
                }
                Pages pages = reader.pages();
                for (int i = 0; position != null && i < LEAVES_A_LOOK; i++) {
                    path.descend(pages, tree.root(), position);
                    if (isPathBeyond() || isChainBeyond(pages, path.leaf())) {
                        return position;
                    }
                    position = highOf(pages, path.leaf());
                }
            }
        }
        return null;
    }

    private boolean isPathBeyond() {
        for (int level = 1; level <= path.depth; level++) {
            if (path.pages[level] >= boundary) {
                return true;
            }
        }
        return false;
    }

    private boolean isChainBeyond(Pages pages, long leaf) {
        pages.locate(leaf);
        int count = Page.count(pages.segment, pages.at);
        for (int slot = 0; slot < count; slot++) {
            long page = firstOfChain(pages, leaf, slot);
            while (page != 0 && page < boundary) {
                Overflow.locate(pages, page);
                page = Page.link(pages.segment, pages.at);
            }
            if (page != 0) {
                return true;
            }
        }
        return false;
    }

    /// The first overflow page of a slot's value; 0 if it has none.
    private static long firstOfChain(Pages pages, long leaf, int slot) {
        pages.locate(leaf);
        return Node.overflows(pages.segment, pages.at, slot)
                ? Overflow.checkedFirst(
                        pages, pages.segment, Node.value(pages.segment, pages.at, slot))
                : 0;
    }

    /// The upper fence of a leaf, which is the lower fence of the next; null for the last one.
    private @Nullable Slice highOf(Pages pages, long leaf) {
        pages.locate(leaf);
        Node.high(pages.segment, pages.at, fence);
        return fence.length() < 0 ? null : new Slice().setCopy(fence);
    }

    /// On a full disk a commit of few pages may find room although one of many does not.
    private @Nullable Slice stepWhereThereIsRoom(Tree tree, Slice from) {
        while (true) {
            try {
                return step(tree, from);
            } catch (LimitException e) {
                if (stepPages == 1) {
                    throw e;
                }
                stepPages /= 2;
            }
        }
    }

    /// Moves pages from the leaf of `from` on, in one transaction, and returns the position to continue from. Null
    /// if there is no more to move, or no room nearer the beginning.
    private @Nullable Slice step(Tree tree, Slice from) {
        try (WriteTransaction transaction = transactions.beginMoving()) {
            if (!isThere(transaction, tree)) {
                return null;
            }
            PageWriter writer = transactions.committer().pages();
            budget = stepPages;
            Slice position = from;
            for (int i = 0; position != null && budget > 0 && i < LEAVES_A_STEP; i++) {
                path.descend(writer.pages, tree.root(), position);
                moveBranches(writer);
                moveChains(writer, path.leaf());
                if (budget > 0) {
                    moveLeaf(writer, tree.root());
                    position = highOf(writer.pages, path.leaf());
                }
            }
            boolean full = writer.lowestFree() >= boundary;
            transaction.commit();
            return full ? null : position;
        }
    }

    /// Moves the page and returns its new number.
    private long move(PageWriter writer, long page) {
        long to = page < boundary ? page : writer.moveDown(page);
        if (to != page) {
            moved++;
            budget--;
        }
        return to;
    }

    /// Tells the branch above that the page on `level` of the path has become page `to`.
    private void replace(PageWriter writer, int level, long to) {
        path.pages[level] = to;
        writer.touch(path.pages[level - 1]);
        Pages pages = writer.pages;
        Node.setChild(pages.segment, pages.at, path.indexes[level - 1], to);
    }

    private void moveBranches(PageWriter writer) {
        for (int level = 1; level < path.depth; level++) {
            long to = move(writer, path.pages[level]);
            if (to != path.pages[level]) {
                replace(writer, level, to);
            }
        }
    }

    private void moveLeaf(PageWriter writer, long root) {
        long leaf = path.leaf();
        long to = path.depth == 0 ? leaf : move(writer, leaf);
        if (to == leaf) {
            return;
        }
        replace(writer, path.depth, to);
        Pages pages = writer.pages;
        pages.locate(to);
        Node.low(pages.segment, pages.at, fence);
        if (fence.length() > 0) {
            long left = new TreeReader(pages).leafEndingAt(root, new Slice().setCopy(fence));
            writer.touch(left);
            Page.setLink(pages.segment, pages.at, to);
        }
    }

    private void moveChains(PageWriter writer, long leaf) {
        writer.pages.locate(leaf);
        int count = Page.count(writer.pages.segment, writer.pages.at);
        for (int slot = 0; slot < count && budget > 0; slot++) {
            moveChain(writer, leaf, slot);
        }
    }

    private void moveChain(PageWriter writer, long leaf, int slot) {
        Pages pages = writer.pages;
        long before = leaf;
        long page = firstOfChain(pages, leaf, slot);
        while (page != 0 && budget > 0) {
            Overflow.locate(pages, page);
            long to = move(writer, page);
            if (to != page) {
                writer.touch(before);
                if (before == leaf) {
                    long valueAt = Node.value(pages.segment, pages.at, slot);
                    pages.segment.set(Page.LONG, valueAt + 4, to);
                } else {
                    Page.setLink(pages.segment, pages.at, to);
                }
            }
            pages.locate(to);
            before = to;
            page = Page.link(pages.segment, pages.at);
        }
    }
}
