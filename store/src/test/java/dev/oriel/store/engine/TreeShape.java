package dev.oriel.store.engine;

import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.StoreTransaction;
import java.lang.foreign.MemorySegment;

/// Statistics of a tree's pages.
final class TreeShape {
    int leaves;
    int emptyLeaves;
    int branches;
    int levels;
    long entries;
    private long usedBytes;
    private final Pages pages;

    private TreeShape(Pages pages) {
        this.pages = pages;
    }

    static TreeShape of(Transaction transaction, Tree tree) {
        TreeShape shape = new TreeShape(((StoreTransaction) transaction).pages());
        shape.walk(tree.root(), 1);
        return shape;
    }

    private void walk(long page, int level) {
        levels = Math.max(levels, level);
        pages.locate(page);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int count = Page.count(segment, at);
        if (Page.kind(segment, at) == Page.LEAF) {
            leaves++;
            emptyLeaves += count == 0 ? 1 : 0;
            entries += count;
            usedBytes += Node.used(segment, at);
            return;
        }
        branches++;
        for (int i = 0; i <= count; i++) {
            walk(Node.child(segment, at, i), level + 1);
        }
    }

    /// Fraction of the leaves that their entries take.
    double fill() {
        return (double) usedBytes / ((long) leaves * Node.ROOM);
    }

    @Override
    public String toString() {
        return "%d entries in %d leaves (%d empty, fill %.3f) below %d branches, %d levels"
                .formatted(entries, leaves, emptyLeaves, fill(), branches, levels);
    }
}
