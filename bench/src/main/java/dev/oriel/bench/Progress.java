package dev.oriel.bench;

import java.io.PrintStream;
import java.time.Duration;

/// One line that says what runs, since when, and what is left; on a terminal it is written over,
/// elsewhere a line stands for each scenario and subject.
final class Progress {
    private final PrintStream out;
    private final int columns;
    private String last = "";

    /// @param columns of the terminal, 0 where it is none
    Progress(PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /// What runs now, and what it does of that: the latter is for those who watch, not for a log.
    /// `left` is how many scenarios this pass still has.
    void show(String what, String phase, Duration elapsed, Duration budget, int left) {
        String time =
                "%d:%02d of at most %d min"
                        .formatted(
                                elapsed.toMinutes(), elapsed.toSecondsPart(), budget.toMinutes());
        if (columns > 0) {
            String line = "%s, %d left in this pass, %s %s".formatted(time, left, what, phase);
            out.print("\r\u001b[K" + line.substring(0, Math.min(line.length(), columns - 1)));
            out.flush();
        } else if (!what.equals(last)) {
            last = what;
            out.printf("%s  %s, %d left in this pass%n", time, what, left);
        }
    }

    /// A line that stays.
    void line(String text) {
        done();
        out.println(text);
    }

    /// Clears what is written over.
    void done() {
        if (columns > 0) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
