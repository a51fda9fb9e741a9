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

    /// Allots a page, points [#pages] at it, and returns its number. The caller formats it.
    abstract long allocate();

    /// Gives a page back.
    abstract void free(long page);
}
