package dev.oriel.bench.run;

import java.io.PrintStream;
import java.time.Duration;

/// One line that shows the running scenario, its time, and the rest of the work. On a terminal it is overwritten,
/// elsewhere a line is printed for each scenario and subject.
public final class Progress {
    private final PrintStream out;
    private final int columns;
    private String last = "";

    /// @param columns width of the terminal, 0 if it is none
    public Progress(PrintStream out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /// The rest of a pass over the scenarios.
    ///
    /// @param scenarios number of scenarios
    /// @param time estimate of their time
    public record Left(int scenarios, Duration time) {
        @Override
        public String toString() {
            return "%d left in this pass, about %s".formatted(scenarios, hours(time));
        }
    }

    /// A duration for people: `7 h 26 min`, `12 min`.
    static String hours(Duration time) {
        long minutes = time.plusSeconds(30).toMinutes();
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }

    /// Shows the running scenario and its phase. The phase is for viewers of a terminal, not for a log.
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

    /// Prints a line that stays.
    public void line(String text) {
        done();
        out.println(text);
    }

    /// Clears the overwritten line.
    public void done() {
        if (columns > 0) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
