package dev.oriel.store;

/// Pages that trees are made of, for whoever changes them: those of the store ([PageWriter]), or
/// those that one transaction keeps to itself ([PrivatePages]), or that it loads ([LoadedPages]).
abstract sealed class PageSpace permits PageWriter, PrivatePages, LoadedPages {
    /// Where the page touched or read last lies.
    final Pages pages;

    PageSpace(Pages pages) {
        this.pages = pages;
    }

    /// Points [#pages] at the page for writing.
    abstract void touch(long page);

    /// The same, where the caller says afterwards by [#changed] which of its bytes it has changed.
    void touchPart(long page) {
        touch(page);
    }

    /// Says that the bytes from `from` to `to` of the page that [#touchPart] was called for last may have
    /// changed.
    void changed(int from, int to) {}

    /// Allots a page, points [#pages] at it, and returns its number. The caller formats it.
    abstract long allocate();

    /// Gives a page back.
    abstract void free(long page);
}
