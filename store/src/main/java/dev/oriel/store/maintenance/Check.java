package dev.oriel.store.maintenance;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.store.transaction.StoreTransaction;
import dev.oriel.store.tree.Overflow;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads every page that a snapshot reaches and checks its invariants. In each node: the order of its keys, its
/// fences and their prefix, and that no two cells overlap. In each tree: the level of its leaves and their links.
/// Over all pages: that none is reached twice, and that the free map marks exactly these as in use.
public final class Check {
    private static final int SENTENCES_MAX = 100;
    private final ReadTransaction transaction;
    private final Progress progress;
    private final Pages pages;
    private final State state;
    private final BitSet reached = new BitSet();
    private final List<String> wrong = new ArrayList<>();
    private final MemorySegment memory = Arena.ofAuto().allocate(4L * Page.BYTES);

    /// The last leaf visited in the current tree, whose link must lead to the next one.
    private long lastLeaf;

    private long lastLink;
    private int leafLevel;

    /// Whether some pages could not be read.
    private boolean damaged;

    /// Number of pages reached so far.
    private long reachedCount;

    /// @param progress gets the number of pages as they are read
    public Check(ReadTransaction transaction, Progress progress) {
        this.transaction = transaction;
        this.progress = progress;
        this.pages = transaction.pages();
        this.state = transaction.state();
    }

    public List<String> run() {
        pages.verifyEach();
        try {
            reached.set((int) Page.FIRST_HEADER);
            reached.set((int) Page.SECOND_HEADER);
            for (long span = 0; span * PageWriter.SPAN < state.pageCount(); span++) {
                reach(FreeMap.page(span), "the free map");
            }
            walkTree(StoreTransaction.CATALOG, "the tree of trees");
            Cursor cursor = transaction.cursor(StoreTransaction.CATALOG);
            Slice slice = new Slice();
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(slice);
                String name = slice.toText();
                cursor.value(slice);
                walkTree(StoreTransaction.named(name, slice), "tree " + name);
            }
            if (!damaged) { // else the pages below a damaged page would count as lost
                compareFreeMap();
            }
        } catch (CorruptionException e) {
            wrong.add(e.getMessage());
        }
        return List.copyOf(wrong);
    }

    private void say(String sentence) {
        if (wrong.size() < SENTENCES_MAX) {
            wrong.add(sentence);
        }
    }

    private boolean reach(long page, String where) {
        if (page < 0 || page >= state.pageCount()) {
            say("Page %d of %s lies beyond the last page.".formatted(page, where));
            return false;
        }
        if (reached.get((int) page)) {
            say("Page %d of %s is used a second time.".formatted(page, where));
            return false;
        }
        reached.set((int) page);
        progress.at(++reachedCount, Math.max(reachedCount, state.pageCount() - state.freePages()));
        return true;
    }

    private void walkTree(Tree tree, String where) {
        lastLeaf = -1;
        lastLink = 0;
        leafLevel = -1;
        try {
            walk(tree.root(), 0, Slice.copyOf(), null, where);
        } catch (CorruptionException e) {
            damaged = true;
            say("The rest of %s cannot be read: %s.".formatted(where, e.getMessage()));
            return;
        }
        if (lastLink != 0) {
            say("The last leaf %d of %s links to page %d.".formatted(lastLeaf, where, lastLink));
        }
    }

    private void walk(long page, int level, Slice low, @Nullable Slice high, String where) {
        if (level == TreeReader.DEPTH_MAX || !reach(page, where)) {
            return;
        }
        pages.locate(page);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        byte kind = Page.kind(segment, at);
        if (kind != Page.LEAF && kind != Page.BRANCH) {
            say("Page %d of %s is neither leaf nor branch.".formatted(page, where));
            return;
        }
        if (Page.number(segment, at) != page) {
            say("Page %d of %s says that it is another.".formatted(page, where));
        }
        if (Node.unknown(segment, at) != 0) {
            say("Page %d of %s has something in its reserved bytes.".formatted(page, where));
        }
        checkFences(segment, at, page, low, high, where);
        checkKeys(segment, at, page, low, high, where);
        checkCells(segment, at, page, where);
        if (kind == Page.BRANCH && level == 0 && Page.count(segment, at) == 0) {
            say("The root %d of %s has a single child.".formatted(page, where));
        }
        if (kind == Page.LEAF) {
            checkLeaf(segment, at, page, level, where);
        } else {
            walkChildren(page, level, low, high, where);
        }
    }

    private void walkChildren(long page, int level, Slice low, @Nullable Slice high, String where) {
        pages.locate(page);
        int count = Page.count(pages.segment, pages.at);
        Slice from = low;
        for (int i = 0; i <= count; i++) {
            pages.locate(page);
            long child = Node.child(pages.segment, pages.at, i);
            Slice to = i < count ? key(pages.segment, pages.at, i) : high;
            walk(child, level + 1, from, to, where);
            if (to != null) {
                from = to;
            }
        }
    }

    private Slice key(MemorySegment segment, long at, int slot) {
        int length = Node.copyKey(segment, at, slot, memory, 0);
        return Slice.copyOf(new Slice().set(memory, 0, length).toBytes());
    }

    private void checkFences(
            MemorySegment segment,
            long at,
            long page,
            Slice low,
            @Nullable Slice high,
            String where) {
        Slice pageLow = new Slice();
        Slice fence = new Slice();
        Node.low(segment, at, pageLow);
        if (Slice.compare(pageLow, low) != 0) {
            say("The lower fence of page %d of %s is not its separator.".formatted(page, where));
        }
        Node.high(segment, at, fence);
        boolean bounded = fence.length() >= 0;
        if (bounded != (high != null)
                || (high != null && bounded && Slice.compare(fence, high) != 0)) {
            say("The upper fence of page %d of %s is not its separator.".formatted(page, where));
        }
        int shared = bounded ? Node.common(pageLow, fence) : 0;
        if (Node.prefix(segment, at) != shared) {
            say("The prefix of page %d of %s is not what its fences share.".formatted(page, where));
        }
    }

    private void checkKeys(
            MemorySegment segment,
            long at,
            long page,
            Slice low,
            @Nullable Slice high,
            String where) {
        Slice before = null;
        int count = Page.count(segment, at);
        int cells = 0;
        for (int i = 0; i < count; i++) {
            Slice key = key(segment, at, i);
            cells += Node.cellBytes(segment, at, i) + Node.SLOT_BYTES;
            boolean inOrder = before == null || Slice.compare(before, key) < 0;
            boolean inFences =
                    Slice.compare(low, key) <= 0 && (high == null || Slice.compare(key, high) < 0);
            if (!inOrder || !inFences) {
                say("Slot %d of page %d of %s is out of order.".formatted(i, page, where));
            }
            if (Node.search(segment, at, key.segment(), key.offset(), key.length()) != i) {
                say("Slot %d of page %d of %s is not found.".formatted(i, page, where));
            }
            before = key;
        }
        if (cells != Node.used(segment, at)) {
            say("Page %d of %s counts its bytes wrongly.".formatted(page, where));
        }
    }

    /// Each cell lies between heap and fences, on bytes of its own.
    private void checkCells(MemorySegment segment, long at, long page, String where) {
        BitSet taken = new BitSet(Page.BYTES);
        int fences = (int) (Node.fences(segment, at) - at);
        boolean apart = Node.gap(segment, at) >= 0;
        for (int i = 0; i < Page.count(segment, at); i++) {
            int from = (int) (Node.cell(segment, at, i) - at);
            int to = from + Node.cellBytes(segment, at, i);
            apart &= from >= Node.heap(segment, at) && to <= fences;
            apart &= taken.get(from, to).isEmpty();
            taken.set(from, to);
        }
        if (!apart) {
            say("Cells of page %d of %s lie where others do, or none may.".formatted(page, where));
        }
    }

    private void checkLeaf(MemorySegment segment, long at, long page, int level, String where) {
        if (leafLevel >= 0 && leafLevel != level) {
            say("Leaf %d of %s lies on another level.".formatted(page, where));
        }
        if (lastLeaf >= 0 && lastLink != page) {
            say("Leaf %d of %s does not link to leaf %d.".formatted(lastLeaf, where, page));
        }
        leafLevel = level;
        lastLeaf = page;
        lastLink = Page.link(segment, at);
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            pages.locate(page);
            if (Node.overflows(pages.segment, pages.at, i)) {
                long value = Node.value(pages.segment, pages.at, i);
                int length = pages.segment.get(Page.INT, value);
                walkChain(pages.segment.get(Page.LONG, value + 4), length, where);
            }
        }
    }

    private void walkChain(long first, int length, String where) {
        long page = first;
        int left = length;
        while (page != 0 && reach(page, where)) {
            Overflow.locate(pages, page);
            left -= Page.count(pages.segment, pages.at);
            page = Page.link(pages.segment, pages.at);
        }
        if (left != 0) {
            say("The value on page %d of %s misses %d bytes.".formatted(first, where, left));
        }
    }

    private void compareFreeMap() {
        for (long page = 0; page < state.pageCount(); page++) {
            boolean used = (FreeMap.word(pages, page & -64L) & 1L << page) != 0;
            if (!used && page < state.lowestFree()) {
                say("Page %d is free and will not be found.".formatted(page));
            }
            if (used != reached.get((int) page)) {
                say(
                        used
                                ? "Page %d is marked as used and reached by nothing."
                                        .formatted(page)
                                : "Page %d is used and marked as free.".formatted(page));
            }
        }
        long free = FreeMap.count(pages, state.pageCount());
        if (free != state.freePages()) {
            say("The free map has %d free pages, not %d.".formatted(free, state.freePages()));
        }
    }
}
