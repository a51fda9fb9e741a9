package dev.oriel.graph.attack;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Entries that only one thread changes, with all possible current values: one after an acknowledged change,
/// several after changes with an unknown outcome. An empty value means no entry.
///
/// A change that found nothing to remove is none: its transaction may have written nothing, so its commit does not
/// decide about an earlier one. After a failed write of the log, readers go on with the state before it, and the
/// next opening may find the commit whole.
final class PrivateKeys {
    static final String ABSENT = "";

    private final Map<Integer, Set<String>> possible = new HashMap<>();

    synchronized void acknowledged(Map<Integer, String> changes) {
        changes.forEach((key, value) -> possible.put(key, Set.of(value)));
    }

    /// The changes with `key` as written, or without it if nothing was there to remove.
    static void note(Map<Integer, String> changes, int key, String value, boolean removed) {
        if (removed || !value.isEmpty()) {
            changes.put(key, value);
        }
    }

    synchronized void unknown(Map<Integer, String> changes) {
        changes.forEach((key, value) -> {
            Set<String> values = new HashSet<>(of(key));
            values.add(value);
            possible.put(key, values);
        });
    }

    /// Marks all keys as unknown: the database may have lost acknowledged commits.
    synchronized void forget() {
        possible.clear();
        lost = true;
    }

    private boolean lost;

    private Set<String> of(int key) {
        return possible.getOrDefault(key, Set.of(ABSENT));
    }

    /// A sentence on the first impossible entry of `found`, or null.
    synchronized @Nullable String difference(Map<Integer, String> found) {
        if (lost) {
            return null;
        }
        Set<Integer> keys = new HashSet<>(found.keySet());
        keys.addAll(possible.keySet());
        for (int key : keys) {
            String value = found.getOrDefault(key, ABSENT);
            if (!of(key).contains(value)) {
                return "key %d is %s, may be %s"
                        .formatted(
                                key,
                                brief(value),
                                of(key).stream().map(PrivateKeys::brief).toList());
            }
        }
        return null;
    }

    private static String brief(String value) {
        return value.length() <= 40 ? "'" + value + "'" : "'" + value.substring(0, 40) + "...'";
    }
}
