package dev.oriel.sql.watch;

import java.util.Map;
import java.util.TreeMap;

/// One kind of statement: all texts that differ only in literals, white space and case. Holds what
/// sessions that are gone have counted. Guarded by its [StatementTable]'s lock.
public final class StatementEntry {
    /// Kinds of errors that are counted by name; the rest are counted together.
    private static final int STATES_MAX = 16;

    private static final String OTHERS = "other";

    /// More are not told apart.
    private static final int SESSIONS_MAX = 1 << 20;

    private final long fingerprint;
    private final String text;
    private final Map<String, Long> errors = new TreeMap<>();

    /// Slow executions up to the next one whose operators are timed.
    private static final int TIMED_EVERY = 64;

    /// Whether the operators of the next execution are to be timed: what is slow once is slow
    /// again. Plain, as a counter of slow executions is: two sessions may take one for the other.
    private boolean timesWanted;

    private int slow;

    /// Sessions that have counted it, up to a bound. Plain, too.
    private int sessions;

    /// Of sessions that are gone, or have had so many statements that they gave this one up.
    final StatementCounts past;

    StatementEntry(long fingerprint, String text) {
        this.fingerprint = fingerprint;
        this.text = text;
        this.past = new StatementCounts(this);
    }

    long fingerprint() {
        return fingerprint;
    }

    /// The normalised text, perhaps cut.
    public String text() {
        return text;
    }

    /// As [#fingerprint()] is shown: 16 hexadecimal digits.
    public String name() {
        return "%016x".formatted(fingerprint);
    }

    /// An execution was slow, and nobody knows why. Whether the next one is to be timed.
    boolean wasSlow() {
        if (slow++ % TIMED_EVERY == 0) {
            timesWanted = true;
        }
        return timesWanted;
    }

    /// Whether this execution is the one to be timed. It costs a read.
    boolean takeTimesWanted() {
        if (!timesWanted) {
            return false;
        }
        timesWanted = false;
        return true;
    }

    /// One more session counts it; how many there were, with it.
    int nextSession() {
        int now = Math.min(sessions + 1, SESSIONS_MAX);
        sessions = now;
        return now;
    }

    void failed(String state) {
        boolean full = errors.size() >= STATES_MAX && !errors.containsKey(state);
        errors.merge(full ? OTHERS : state, 1L, Long::sum);
    }

    /// How often each kind of error came: `22012: 1, 23505: 3`.
    String errorText() {
        StringBuilder text = new StringBuilder();
        errors.forEach((state, count) ->
                text.append(text.isEmpty() ? "" : ", ").append(state).append(": ").append(count));
        return text.toString();
    }
}
