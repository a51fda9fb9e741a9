package dev.oriel.cli;

import dev.oriel.cli.migration.Migration;
import org.jspecify.annotations.Nullable;

/// Shows the progress of an import: a line for each table.
final class TableProgress implements Migration.Watcher, AutoCloseable {
    private final Screen screen;
    private @Nullable Progress table;

    TableProgress(Screen screen) {
        this.screen = screen;
    }

    @Override
    public void table(String name, long rows) {
        close();
        table = new Progress(screen, name, rows, System::nanoTime);
    }

    @Override
    public void at(long rows) {
        if (table != null) {
            table.at(rows);
        }
    }

    @Override
    public void close() {
        if (table != null) {
            table.close();
            table = null;
        }
    }
}
