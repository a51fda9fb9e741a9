package dev.oriel.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/// Shows the progress of long work. On a terminal it is a bar that is redrawn in its line, with rate and time
/// left. Elsewhere it is a line at intervals, and one at the end.
/// ```
///   routes    [##########----------] 25,319 of 50,637, 412,345/s, 0.1 s left
/// ```
final class Progress implements AutoCloseable {
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final int BAR_COLUMNS = 24;
    private static final double SECOND = 1e9;

    private final Screen screen;
    private final String what;
    private final long total;
    private final LongSupplier nanoTime;
    private final long started;
    private long drawn;
    private long done;

    /// Begins work of `total` steps.
    ///
    /// @param nanoTime the clock
    Progress(Screen screen, String what, long total, LongSupplier nanoTime) {
        this.screen = screen;
        this.what = what;
        this.total = total;
        this.nanoTime = nanoTime;
        this.started = nanoTime.getAsLong();
        this.drawn = started;
    }

    /// Reports that `done` of the steps are done.
    void at(long done) {
        this.done = done;
        long now = nanoTime.getAsLong();
        if (now - drawn < (screen.terminal() ? REDRAW_NANOS : LINE_NANOS)) {
            return;
        }
        drawn = now;
        double perNano = (double) done / (now - started);
        String left = String.format(Locale.ROOT, "%.1f s left", (total - done) / perNano / SECOND);
        String text =
                "%s of %s, %s/s, %s"
                        .formatted(
                                Figures.count(done),
                                Figures.count(total),
                                Figures.rate(done, now - started),
                                left);
        PrintWriter out = screen.out();
        if (screen.terminal()) {
            out.print("\r  %-14s %s %s\033[K".formatted(what, bar(), text));
        } else {
            out.println("  %-14s %s".formatted(what, text));
        }
        out.flush();
    }

    private String bar() {
        int full = (int) (BAR_COLUMNS * done / Math.max(1, total));
        return "[" + "#".repeat(full) + "-".repeat(BAR_COLUMNS - full) + "]";
    }

    /// Replaces the bar by the amount done, its rate and its duration.
    @Override
    public void close() {
        long nanos = nanoTime.getAsLong() - started;
        PrintWriter out = screen.out();
        if (screen.terminal()) {
            out.print("\r\033[K");
        }
        out.println(
                "  %-14s %9s in %9s   %10s/s"
                        .formatted(
                                what,
                                Figures.count(done),
                                Figures.time(nanos),
                                Figures.rate(done, nanos)));
        out.flush();
    }
}
