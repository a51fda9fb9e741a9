package dev.oriel.table.row;

import dev.oriel.store.Slice;
import dev.oriel.table.value.Row;

/// A stored row whose text and bytes can be read in place, so that a reader copies them only once, to their
/// destination.
public sealed interface RowBytes extends Row permits StoredRow {
    /// Points `out` at the bytes of `column`, which is of TEXT shape (UTF-8) or of BYTES shape and not
    /// NULL. They hold as long as the row does.
    void sliceAt(int column, Slice out);

    /// Drops the reference to the row's memory, until it is moved to another row.
    void forget();
}
