package dev.oriel.store.tree;

import dev.oriel.store.Slice;
import dev.oriel.store.data.LoadedPages;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Builds a tree bottom-up from sorted entries, from left to right. Each page is written once, when it is full,
/// and never read again; there is no descent and no split.
///
/// ```
/// entries ---> leaf under construction ----full---> page; its lower fence and number go up
///              branch under construction --full---> page; its lower fence and number go up
/// ```
///
/// Pages are as full as possible, as in a tree with keys added in order.
public final class TreeFill {
    private final LoadedPages pages;
    private final FilledLevel leaves;
    private final MemorySegment reference = NativeMemory.allocate(Node.REFERENCE_BYTES, 8);
    private final Slice referenceSlice = new Slice();

    public TreeFill(LoadedPages pages) {
        this.pages = pages;
        this.leaves = new FilledLevel(pages, Page.LEAF);
        referenceSlice.set(reference, 0, Node.REFERENCE_BYTES);
    }

    /// Adds an entry; false if its key is not greater than the one before. A value of length -1 is a removal, as
    /// in `WriteSet`.
    public boolean add(Slice key, Slice value) {
        int length = value.length();
        if (length >= 0 && Node.LEAF_CELL + key.length() + length <= Node.CELL_BYTES_MAX) {
            return leaves.add(key, value, length);
        }
        reference.set(Page.LONG, 4, Overflow.write(pages, value));
        reference.set(Page.INT, 0, length);
        return leaves.add(key, referenceSlice, Node.REFERENCE_BYTES | Node.OVERFLOW_BIT);
    }

    /// Completes the tree, and returns the number of the root, where the pages point.
    public long finish() {
        return leaves.finish();
    }
}
