package dev.oriel.store.data;

/// Allocates and changes the pages of trees: pages of the store ([PageWriter]), pages private to one transaction
/// ([PrivatePages]), or pages of a bulk load ([LoadedPages]).
public abstract sealed class PageSpace permits PageWriter, PrivatePages, LoadedPages {
    /// Lookup, positioned at the page touched or read last.
    public final Pages pages;

    PageSpace(Pages pages) {
        this.pages = pages;
    }

    /// Points [#pages] at the page for writing.
    public abstract void touch(long page);

    /// Points [#pages] at the page for writing; the caller reports its changes with [#changed].
    public void touchPart(long page) {
        touch(page);
    }

    /// Marks the bytes from `from` to `to` of the page of the last [#touchPart] as possibly changed.
    public void changed(int from, int to) {}

    /// Allots a page, points [#pages] at it, and returns its number. The caller formats it.
    public abstract long allocate();

    /// Frees a page.
    public abstract void free(long page);
}
