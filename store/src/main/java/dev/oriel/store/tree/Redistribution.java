package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.NodeEditor;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Spreads the content of one page or two neighbours over one, two or three pages: the single mechanism for
/// splitting, merging and evening out pages.
///
/// ```
/// sources   | a b c d | e f g h |          two neighbours below a branch
/// targets   | a b | c d e | f g h |        cut before c and before f
/// ```
///
/// The cells of the sources are one sequence. For branches, the separator between the sources is part of it,
/// together with the right source's leftmost child. At each cut a separator goes up. Between leaves it is the
/// shortest key that separates the two sides. Between branches it is the key of the cell at the cut, whose child
/// becomes the leftmost of the page to the right.
///
/// [#gather] and the plans only read; [#apply] writes. Cells may grow on the way, because a page
/// with a wider range has a shorter prefix: a plan says whether everything fits.
///
/// A source keeps its place if possible, and three targets have the new page in the middle. So cells stay in
/// place unless they move to another page, and the log records only the moved ones. A page is rewritten, with
/// every cell, only if its prefix changes.
final class Redistribution {
    private static final int CELLS_MAX = 2 * (Node.ROOM / (Node.SLOT_BYTES + Node.LEAF_CELL)) + 1;
    private static final int KEY_BYTES = Node.KEY_BYTES_MAX;

    private final PageSpace writer;
    private final Pages pages;
    private final NodeEditor nodes;

    private long parent;
    private int first;
    private int sources;
    private boolean branch;

    /// Page numbers of the sources.
    private final long[] numbers = new long[2];

    private final MemorySegment[] segments = {MemorySegment.NULL, MemorySegment.NULL};
    private final long[] ats = new long[2];
    private int leftCount;
    private int total;

    /// Prefix sums of the bytes of cells and slots before each cell, as the sources store them.
    private int[] sums = {};

    private int targets;

    /// Page numbers of the targets.
    private final long[] targetNumbers = new long[3];

    private final int[] cuts = new int[4];
    private final int[] free = new int[3];

    /// Fences of the targets: target `i` has `fences[i]` and `fences[i + 1]`.
    private final Slice[] fences = {new Slice(), new Slice(), new Slice(), new Slice()};

    /// The separator between the sources.
    private final Slice middle = new Slice();

    private final Slice other = new Slice();

    /// Memory for keys, allocated at first use: many transactions keep their writes in one page.
    private MemorySegment keys = MemorySegment.NULL;

    /// Copies of the sources.
    private MemorySegment work = MemorySegment.NULL;

    Redistribution(PageSpace writer, NodeEditor nodes) {
        this.writer = writer;
        this.pages = writer.pages;
        this.nodes = nodes;
    }

    /// Gathers `count` children (1 or 2) of the branch `parentPage`, from its child `firstChild` on.
    void gather(long parentPage, int firstChild, int count) {
        if (keys.byteSize() == 0) {
            work = NativeMemory.allocate(2L * Page.BYTES, 8);
            sums = new int[CELLS_MAX + 1];
            keys = NativeMemory.allocate(4L * KEY_BYTES, 8); // the last: now all is allocated
        }
        parent = parentPage;
        first = firstChild;
        sources = count;
        pages.locate(parent);
        if (count == 2) {
            middle.set(keys, 0, Node.copyKey(pages.segment, pages.at, first, keys, 0));
        }
        total = 0;
        take(0);
        if (count == 2) {
            if (branch) {
                add(Node.BRANCH_CELL + middle.length() + Node.SLOT_BYTES);
            }
            take(1);
        }
    }

    private void take(int source) {
        pages.locate(parent);
        numbers[source] = TreePath.locateChild(pages, parent, first + source, other);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        byte kind = Page.kind(segment, at);
        boolean node = kind == Page.LEAF || kind == Page.BRANCH;
        if (!node || (source == 1 && branch != (kind == Page.BRANCH))) {
            throw TreeReader.damaged(parent, numbers[source]);
        }
        segments[source] = segment;
        ats[source] = at;
        branch = kind == Page.BRANCH;
        int count = Page.count(segment, at);
        for (int i = 0; i < count; i++) {
            add(Node.cellBytes(segment, at, i) + Node.SLOT_BYTES);
        }
        if (source == 0) {
            leftCount = count;
        }
    }

    private void add(int bytes) {
        sums[total + 1] = sums[total] + bytes;
        total++;
    }

    /// Plans to spread all bytes evenly. Returns false if a page would get no cells, or more content than fits.
    boolean planEven(int targetCount) {
        int cellsBehind = branch ? 2 : 1;
        for (int i = 1; i < targetCount; i++) {
            int goal = (int) ((long) sums[total] * i / targetCount);
            int cut = cuts[i - 1] + (i == 1 ? 1 : cellsBehind);
            while (cut < total - cellsBehind && sums[cut] < goal) {
                cut++;
            }
            if (cut > total - cellsBehind) {
                return false;
            }
            cuts[i] = cut;
            separate(i);
        }
        return fits(targetCount);
    }

    /// Plans to cut one source before cell `cut`; result as in [#planEven].
    boolean planCut(int cut) {
        cuts[1] = cut;
        separate(1);
        return fits(2);
    }

    /// Plans to cut one leaf before slot `cut`, where `key` will be added: as the first of the right page or the
    /// last of the left one. So either page may be empty until then.
    boolean planCut(int cut, Slice key, boolean right) {
        key(right ? cut - 1 : cut, other, 3L * KEY_BYTES);
        return right ? planCut(cut, other, key) : planCut(cut, key, other);
    }

    /// Plans to cut one leaf before slot `cut`, where `left` will be the last key of the left page and `right` the first
    /// of the right one.
    boolean planCut(int cut, Slice left, Slice right) {
        cuts[1] = cut;
        int length = Node.common(left, right) + 1;
        MemorySegment.copy(right.segment(), right.offset(), keys, KEY_BYTES, length);
        fences[1].set(keys, KEY_BYTES, length);
        return fits(2);
    }

    private void separate(int target) {
        Slice separator = fences[target];
        key(cuts[target], separator, (long) target * KEY_BYTES);
        if (!branch) {
            key(cuts[target] - 1, other, 3L * KEY_BYTES);
            int length = Node.common(other, separator) + 1;
            separator.set(separator.segment(), separator.offset(), length);
        }
    }

    /// Index in the sequence of the right source's first cell.
    private int rightFirst() {
        return branch ? leftCount + 1 : leftCount;
    }

    private boolean isMiddle(int cell) {
        return branch && cell == leftCount;
    }

    private void key(int cell, Slice out, long memoryAt) {
        if (cell >= leftCount && isMiddle(cell)) {
            MemorySegment.copy(keys, 0, keys, memoryAt, middle.length());
            out.set(keys, memoryAt, middle.length());
            return;
        }
        int source = cell < leftCount ? 0 : 1;
        int slot = source == 0 ? cell : cell - rightFirst();
        int length = Node.copyKey(segments[source], ats[source], slot, keys, memoryAt);
        out.set(keys, memoryAt, length);
    }

    private boolean fits(int targetCount) {
        targets = targetCount;
        cuts[0] = 0;
        cuts[targets] = total;
        pointOuterFences();
        boolean fits = true;
        for (int i = 0; i < targets; i++) {
            free[i] = Node.ROOM - bytes(i);
            fits &= free[i] >= 0;
        }
        return fits;
    }

    private void pointOuterFences() {
        Node.low(segments[0], ats[0], fences[0]);
        Node.high(segments[sources - 1], ats[sources - 1], fences[targets]);
    }

    private int firstCell(int target) {
        return branch && target > 0 ? cuts[target] + 1 : cuts[target];
    }

    /// Returns the bytes that the fences, slots and cells of a target will take.
    private int bytes(int target) {
        Slice low = fences[target];
        Slice high = fences[target + 1];
        int prefix = Node.prefix(low, high);
        int from = firstCell(target);
        int to = cuts[target + 1];
        int bytes = low.length() + Math.max(0, high.length()) + sums[to] - sums[from];
        bytes -= (to - from) * prefix;
        bytes += Math.max(0, Math.min(to, leftCount) - from) * Node.prefix(segments[0], ats[0]);
        if (sources == 2) {
            int right = Math.max(0, to - Math.max(from, rightFirst()));
            bytes += right * Node.prefix(segments[1], ats[1]);
        }
        return bytes;
    }

    /// Returns the free bytes of the fullest planned page.
    int leastFree() {
        int least = free[0];
        for (int i = 1; i < targets; i++) {
            least = Math.min(least, free[i]);
        }
        return least;
    }

    /// Returns the bytes of slots and cells in the emptiest planned page.
    int leastUsed() {
        int least = Node.ROOM;
        for (int i = 0; i < targets; i++) {
            int fenceBytes = fences[i].length() + Math.max(0, fences[i + 1].length());
            least = Math.min(least, Node.ROOM - fenceBytes - free[i]);
        }
        return least;
    }

    /// Whether the parent has room for the planned separators.
    boolean fitsParent() {
        pages.locate(parent);
        int fixed = Node.BRANCH_CELL + Node.SLOT_BYTES - Node.prefix(pages.segment, pages.at);
        int wanted = sources == 2 ? -fixed - middle.length() : 0;
        for (int i = 1; i < targets; i++) {
            wanted += fixed + fences[i].length();
        }
        return wanted <= Node.free(pages.segment, pages.at);
    }

    /// Carries out the last plan. Paths through the parent become invalid.
    void apply() {
        for (int i = 0; i < sources; i++) {
            long copy = (long) i * Page.BYTES;
            MemorySegment.copy(segments[i], ats[i], work, copy, Page.BYTES);
            segments[i] = work;
            ats[i] = copy;
        }
        pointOuterFences();
        for (int i = 0; i < targets; i++) {
            int source = sourceOf(i);
            targetNumbers[i] = source < 0 ? writer.allocate() : numbers[source];
        }
        for (int i = targets; i < sources; i++) {
            writer.free(numbers[i]);
        }
        for (int i = 0; i < targets; i++) {
            write(i);
        }
        separateChildren();
    }

    /// Returns the source whose page a target takes over; -1 if it gets a new one. The first target has to take
    /// the first source's page: the leaf before links to it.
    private int sourceOf(int target) {
        boolean last = target == targets - 1;
        return target == 0 ? 0 : last && sources == 2 ? 1 : -1;
    }

    private void write(int target) {
        int source = sourceOf(target);
        writer.touch(targetNumbers[target]);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        if (source < 0) {
            byte kind = branch ? Page.BRANCH : Page.LEAF;
            Page.format(segment, at, kind, targetNumbers[target]);
        }
        if (source < 0 || !writeAround(target, source)) {
            Node.clear(segment, at, fences[target], fences[target + 1]);
            insert(firstCell(target), cuts[target + 1], 0);
        }
        Page.setLink(segment, at, branch ? leftmostChild(target) : nextLeaf(target));
    }

    /// Keeps the target's cells of the source in place, removes the others from the page and adds the new ones.
    /// Returns false if the page has to be rewritten.
    private boolean writeAround(int target, int source) {
        int begin = source == 0 ? 0 : rightFirst();
        int end = source == 0 ? leftCount : total;
        int from = Math.max(firstCell(target), begin);
        int to = Math.min(cuts[target + 1], end);
        MemorySegment segment = pages.segment;
        long at = pages.at;
        Slice low = fences[target];
        Slice high = fences[target + 1];
        int growth = Node.prefix(low, high) - Node.prefix(segment, at);
        boolean only = from == firstCell(target) && to == cuts[target + 1];
        if (from >= to || growth < 0 || (growth > 0 && !only)) {
            return false;
        }
        Node.remove(segment, at, to - begin, end - begin);
        Node.remove(segment, at, 0, from - begin);
        if (growth > 0) {
            NodeEditor.growPrefix(segment, at, growth);
        }
        if (!nodes.changeFences(segment, at, low, high)) {
            return false;
        }
        insert(firstCell(target), from, 0);
        insert(to, cuts[target + 1], Page.count(segment, at));
        return true;
    }

    /// Adds cells `from` to `to` of the sequence to the located page, before `slot`.
    private void insert(int from, int to, int slot) {
        MemorySegment segment = pages.segment;
        long at = pages.at;
        int next = slot;
        int leftEnd = Math.min(to, leftCount);
        if (from < leftEnd) {
            nodes.insert(work, 0, from, leftEnd, segment, at, next);
            next += leftEnd - from;
        }
        if (branch && from <= leftCount && leftCount < to) {
            addSeparator(next++, middle, Page.link(work, Page.BYTES));
        }
        int begin = rightFirst();
        int rightFrom = Math.max(from, begin);
        if (rightFrom < to) {
            nodes.insert(work, Page.BYTES, rightFrom - begin, to - begin, segment, at, next);
        }
    }

    /// Updates the parent's separators and children.
    private void separateChildren() {
        writer.touch(parent);
        if (sources == 2) {
            Node.remove(pages.segment, pages.at, first);
        }
        for (int i = 1; i < targets; i++) {
            addSeparator(first + i - 1, fences[i], targetNumbers[i]);
        }
    }

    private long nextLeaf(int target) {
        return target + 1 < targets ? targetNumbers[target + 1] : Page.link(work, ats[sources - 1]);
    }

    private long leftmostChild(int target) {
        int cell = cuts[target];
        if (target == 0) {
            return Page.link(work, 0);
        }
        if (cell < leftCount) {
            return Node.child(work, 0, cell + 1);
        }
        return Node.child(work, Page.BYTES, cell - leftCount);
    }

    /// Adds a separator and the child right of it to the located branch.
    private void addSeparator(int slot, Slice separator, long child) {
        MemorySegment segment = pages.segment;
        int bytes = Node.BRANCH_CELL + separator.length() - Node.prefix(segment, pages.at);
        long cell = nodes.open(segment, pages.at, slot, separator, bytes);
        segment.set(Page.LONG, cell, child);
    }
}
