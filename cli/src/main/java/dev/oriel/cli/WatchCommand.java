package dev.oriel.cli;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/// Repeats work, as `\watch` and `\top` do, a number of times or until the user stops it.
final class WatchCommand {
    static final double SECONDS_USUAL = 2;

    private final SynchronousQueue<Boolean> stops = new SynchronousQueue<>();
    private volatile boolean stopped;

    /// One repetition of the work.
    interface Step {
        void run() throws SQLException, IOException, Failure;
    }

    /// Stops the repetition, if it is running; called by any thread.
    void stop() {
        stopped = true;
        var _ = stops.offer(true);
    }

    /// Repeats `step` as `argument` says: `[SECONDS [TIMES]]`, with a pause of SECONDS between.
    ///
    /// @param times default for TIMES; 0 is for ever
    void run(String command, String argument, long times, Step step)
            throws SQLException, IOException, Failure {
        String[] words = argument.isEmpty() ? new String[0] : argument.split("\\s+");
        double seconds = SECONDS_USUAL;
        long wanted = times;
        try {
            seconds = words.length > 0 ? Double.parseDouble(words[0]) : seconds;
            wanted = words.length > 1 ? Long.parseLong(words[1]) : wanted;
        } catch (NumberFormatException _) {
            seconds = -1;
        }
        if (!(seconds >= 0 && seconds <= 86_400) || wanted < 0 || words.length > 2) {
            throw new Failure(command + " takes seconds and how often, as in " + command + " 2 10");
        }
        stopped = false;
        for (long i = 0; !stopped && (wanted == 0 || i < wanted); i++) {
            step.run();
            if (!stopped && i + 1 != wanted && rest(seconds)) {
                return;
            }
        }
    }

    /// Pauses; returns whether it was stopped meanwhile.
    private boolean rest(double seconds) {
        try {
            return stops.poll((long) (seconds * 1e9), TimeUnit.NANOSECONDS) != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
