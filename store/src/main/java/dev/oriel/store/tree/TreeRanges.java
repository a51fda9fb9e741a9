package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Counts and estimates the entries of a range, and cuts a tree into equal parts; for one transaction.
public final class TreeRanges {
    /// Number of leaves sampled for an estimate.
    private static final int SAMPLE_LEAVES = 8;

    private final Pages pages;
    private final TreePath from = new TreePath(false);
    private final TreePath to = new TreePath(false);

    /// Estimated entries below a page of each level between two paths.
    private final double[] entriesBelow = new double[TreeReader.DEPTH_MAX];

    public TreeRanges(Pages pages) {
        this.pages = pages;
    }

    @SuppressWarnings("ReferenceEquality") // identity is meant
    public boolean isOver(Pages others) {
        return pages == others;
    }

    /// Counts the entries from `low` (inclusive) to `high` (exclusive; null for the end). Searches the first and
    /// the last leaf, and reads only the headers of the leaves between.
    public long count(long root, Slice low, @Nullable Slice high) {
        if (high != null && Slice.compare(low, high) >= 0) {
            return 0;
        }
        int slot = descendToStart(root, low);
        if (high != null && Node.isBelowHigh(pages.segment, pages.at, high)) {
            return (long) firstNotLess(high) - slot; // both in one leaf, as with most short ranges
        }
        int stop = descendToEnd(root, high);
        long last = to.leaf();
        long count = -slot;
        long leaf = from.leaf();
        pages.locate(leaf);
        while (leaf != last) {
            count += Page.count(pages.segment, pages.at);
            leaf = TreeReader.toNextLeaf(pages, root);
        }
        return count + stop;
    }

    /// Goes to the leaf of `low` and returns the slot of the first entry not less.
    private int descendToStart(long root, Slice low) {
        from.descend(pages, root, low);
        return firstNotLess(low);
    }

    /// Goes to the leaf of `high` and returns the slot after the last entry that is less.
    private int descendToEnd(long root, @Nullable Slice high) {
        if (high == null) {
            to.descendToEnd(pages, root);
            return Page.count(pages.segment, pages.at);
        }
        to.descend(pages, root, high);
        return firstNotLess(high);
    }

    private int firstNotLess(Slice key) {
        int found = Node.search(pages.segment, pages.at, key.segment(), key.offset(), key.length());
        return found >= 0 ? found : -1 - found;
    }

    /// Estimates the result of [#count]. It is exact if the range lies in two neighbouring leaves. Otherwise it
    /// comes from the number of children of branches in the range, and a sample of leaves in its middle.
    public long estimate(long root, Slice low, @Nullable Slice high) {
        if (high != null && Slice.compare(low, high) >= 0) {
            return 0;
        }
        int stop = descendToEnd(root, high);
        int start = descendToStart(root, low);
        int level = 0;
        while (level < from.depth && from.indexes[level] == to.indexes[level]) {
            level++;
        }
        if (level == from.depth) {
            return Math.max(0, stop - start);
        }
        sample(level);
        double entries = countOf(from.leaf()) - start + stop;
        entries += (to.indexes[level] - from.indexes[level] - 1) * entriesBelow[level + 1];
        for (int i = level + 1; i < from.depth; i++) {
            int whole = countOf(from.pages[i]) - from.indexes[i] + to.indexes[i];
            entries += whole * entriesBelow[i + 1];
        }
        return Math.round(entries);
    }

    private int countOf(long page) {
        pages.locate(page);
        return Page.count(pages.segment, pages.at);
    }

    /// Estimates the entries below a page of each level beneath `fork`, where the paths part. Samples pages on a
    /// path down the middle between them.
    private void sample(int fork) {
        long page = from.pages[fork];
        int index = (from.indexes[fork] + to.indexes[fork]) >>> 1;
        int first = from.indexes[fork];
        int last = to.indexes[fork];
        for (int level = fork; level < from.depth - 1; level++) {
            locateBranch(page);
            page = Node.child(pages.segment, pages.at, index);
            last = countOf(page);
            first = 0;
            index = last >>> 1;
            entriesBelow[level + 1] = last + 1; // children, until the entries of a leaf are known
        }
        entriesBelow[from.depth] = meanOfLeaves(page, first, last);
        for (int level = from.depth - 1; level > fork; level--) {
            entriesBelow[level] *= entriesBelow[level + 1];
        }
    }

    /// Returns the mean count of some leaves among the children of `branch` from `first` to `last`.
    private double meanOfLeaves(long branch, int first, int last) {
        int children = last - first + 1;
        int samples = Math.min(children, SAMPLE_LEAVES);
        long entries = 0;
        for (int i = 0; i < samples; i++) {
            locateBranch(branch);
            int index = first + (int) ((2L * i + 1) * children / (2L * samples));
            entries += countOf(Node.child(pages.segment, pages.at, index));
        }
        return (double) entries / samples;
    }

    /// Returns at most `parts - 1` keys, ascending, that cut the tree into parts of about the same number of
    /// leaves. They are separators from the highest level that has enough of them; fewer if the tree has too few
    /// leaves.
    public List<byte[]> splitPoints(long root, int parts) {
        List<byte[]> separators = List.of();
        int levels = levelsOfBranches(root);
        for (int level = 1; level <= levels && separators.size() + 1 < 4L * parts; level++) {
            separators = new ArrayList<>();
            collect(root, level, separators);
        }
        int children = separators.size() + 1;
        List<byte[]> points = new ArrayList<>();
        int last = 0;
        for (int i = 1; i < parts; i++) {
            int at = (int) ((long) i * children / parts);
            if (at > last) {
                points.add(separators.get(at - 1));
                last = at;
            }
        }
        return List.copyOf(points);
    }

    private int levelsOfBranches(long root) {
        from.descendToEnd(pages, root);
        return from.depth;
    }

    private void locateBranch(long page) {
        pages.locate(page);
        if (Page.kind(pages.segment, pages.at) != Page.BRANCH) {
            throw TreeReader.damaged(from.pages[0], page);
        }
    }

    /// Adds the separators of `page` and of `levels - 1` levels below it, in order.
    private void collect(long page, int levels, List<byte[]> separators) {
        locateBranch(page);
        int count = Page.count(pages.segment, pages.at);
        for (int i = 0; i <= count; i++) {
            if (levels > 1) {
                pages.locate(page);
                collect(Node.child(pages.segment, pages.at, i), levels - 1, separators);
            }
            if (i < count) {
                pages.locate(page);
                byte[] key = Node.key(pages.segment, pages.at, i);
                if (!separators.isEmpty()
                        && Arrays.compareUnsigned(separators.getLast(), key) >= 0) {
                    throw TreeReader.damaged(from.pages[0], page);
                }
                separators.add(key);
            }
        }
    }
}
