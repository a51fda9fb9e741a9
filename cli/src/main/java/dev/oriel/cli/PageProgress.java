package dev.oriel.cli;

import org.jspecify.annotations.Nullable;

/// Shows work on the pages of a database, whose total is known only when it begins.
final class PageProgress implements dev.oriel.store.Progress, AutoCloseable {
    private final Screen screen;
    private final String what;
    private @Nullable Progress shown;

    PageProgress(Screen screen, String what) {
        this.screen = screen;
        this.what = what;
    }

    @Override
    public void at(long done, long total) {
        Progress progress = shown;
        if (progress == null) {
            progress = new Progress(screen, what, total, System::nanoTime);
            shown = progress;
        }
        progress.at(done);
    }

    @Override
    public void close() {
        Progress open = shown;
        shown = null;
        if (open != null) {
            open.close();
        }
    }
}
