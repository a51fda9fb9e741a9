package dev.oriel.sql;

import java.util.Map;
import java.util.TreeMap;

/// One kind of statement: all texts that differ only in literals, white space and case. Holds what
/// sessions that are gone have counted. Guarded by its [StatementTable]'s lock.
final class StatementEntry {
    /// Kinds of errors that are counted by name; the rest are counted together.
    private static final int STATES_MAX = 16;

    private static final String OTHERS = "other";

    private final long fingerprint;
    private final String text;
    private final Map<String, Long> errors = new TreeMap<>();

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
    String text() {
        return text;
    }

    /// As [#fingerprint()] is shown: 16 hexadecimal digits.
    String name() {
        return "%016x".formatted(fingerprint);
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
