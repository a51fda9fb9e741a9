package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The order in which subjects run, round by round: drawn again for each odd round, reversed for the even one
/// after it. So a drift of the machine within two rounds falls on all alike (for two subjects this is the ABBA
/// order), and no subject always runs first.
public final class Interleaving<T> {
    private final List<T> subjects;
    private final Random random;
    private boolean reverse;

    /// Orders drawn from `seed`.
    public Interleaving(List<T> subjects, long seed) {
        this.subjects = new ArrayList<>(subjects);
        this.random = new Random(seed);
    }

    /// The order of the next round.
    public List<T> next() {
        if (reverse) {
            Collections.reverse(subjects);
        } else {
            Collections.shuffle(subjects, random);
        }
        reverse = !reverse;
        return List.copyOf(subjects);
    }

    /// Removes a subject from all later rounds.
    public void remove(T subject) {
        subjects.remove(subject);
    }
}
