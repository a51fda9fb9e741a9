package dev.oriel.store;

/// A position in one tree, as one transaction sees it: the only way to read keys in order.
///
/// A new cursor is unpositioned. The positioning methods return whether it now stands on an entry; once one has
/// returned false it is unpositioned again. Key and value are windows into the page: they hold until the cursor
/// moves or the transaction writes or ends. After a write of its own transaction the cursor keeps its position, and
/// moves on from there in the changed tree.
///
/// No method allocates. Not safe for use by two threads at once. A cursor ends with its
/// transaction; `reset` points it at another, so that a prepared statement keeps its cursors.
public interface Cursor {
    /// Maximum number of bytes of a long value that [#valueHead] reads.
    int headBytes();

    /// Goes to the first entry whose key is not less than `key`.
    boolean seek(Slice key);

    /// [#seek(Slice)] with an exclusive upper bound: until it is positioned again, the cursor finds no entry from
    /// `end` on, and skips nothing after it. So it is cheap even if the transaction has removed many entries.
    /// `end` must stay unchanged until then.
    boolean seek(Slice key, Slice end);

    /// Goes to the last entry whose key is less than `key`.
    boolean seekBefore(Slice key);

    boolean first();

    boolean last();

    /// The entry after this one.
    boolean next();

    /// The entry before this one.
    boolean previous();

    /// Length of the key in bytes.
    int keyLength();

    /// Order of this entry's key against `key`, like [Slice#compare(Slice, Slice)].
    int compareKeyTo(Slice key);

    /// Whether this entry's key begins with `prefix`.
    boolean keyStartsWith(Slice prefix);

    /// Number of steps of [#next()] known to lead to entries whose keys are less than `bound`, which is greater
    /// than this entry's. So these need not be compared. 0 if no steps are known. It holds until the transaction
    /// writes.
    int stepsBelow(Slice bound);

    /// Points `out` at the key. Pages keep common prefixes apart, so this may copy the key into memory of the
    /// cursor: prefer [#compareKeyTo] and [#keyStartsWith] if they suffice.
    void key(Slice out);

    /// Points `out` at the value.
    void value(Slice out);

    /// Length of the value in bytes; reads no page beyond the leaf.
    int valueLength();

    /// Points `out` at the first bytes of the value: all of them if they lie in the leaf, else the bytes in the
    /// first page of its chain ([#headBytes]). Copies nothing. Holds until the next call of the transaction.
    void valueHead(Slice out);

    /// Gives the cursor to another transaction and tree of the same store, unpositioned.
    void reset(Transaction transaction, Tree tree);
}
