package dev.oriel.bench.run;

import java.io.PrintStream;
import java.time.Duration;

/// One line that says what runs, since when, and what is left; on a terminal it is written over,
/// elsewhere a line stands for each scenario and subject.
public final class Progress {
    private final PrintStream out;
    private final int columns;
    private String last = "";

    /// @param columns of the terminal, 0 where it is none
    public Progress(PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /// What a pass over the scenarios still has.
    ///
    /// @param scenarios how many
    /// @param time that they take, about
    public record Left(int scenarios, Duration time) {
        @Override
        public String toString() {
            return "%d left in this pass, about %s".formatted(scenarios, hours(time));
        }
    }

    /// A duration as people say it: `7 h 26 min`, `12 min`.
    static String hours(Duration time) {
        long minutes = time.plusSeconds(30).toMinutes();
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }

    /// What runs now, and what it does of that: the latter is for those who watch, not for a log.
    public void show(String what, String phase, Duration elapsed, Duration budget, Left left) {
        String time =
                "%d:%02d of at most %d min"
                        .formatted(
                                elapsed.toMinutes(), elapsed.toSecondsPart(), budget.toMinutes());
        if (columns > 0) {
            String line = "%s, %s, %s %s".formatted(time, left, what, phase);
            out.print("\r\u001b[K" + line.substring(0, Math.min(line.length(), columns - 1)));
            out.flush();
        } else if (!what.equals(last)) {
            last = what;
            out.printf("%s  %s, %s%n", time, what, left);
        }
    }

    /// A line that stays.
    public void line(String text) {
        done();
        out.println(text);
    }

    /// Clears what is written over.
    public void done() {
        if (columns > 0) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
