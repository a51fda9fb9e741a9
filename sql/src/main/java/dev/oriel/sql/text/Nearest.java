package dev.oriel.sql.text;

import java.util.Locale;

/// Finds the name that was probably meant: the candidate with the smallest edit distance (insert, delete, replace,
/// transpose) if that is small for the length of the name.
public final class Nearest {
    private Nearest() {}

    /// `; did you mean "..."?`; empty if no candidate is near.
    public static String hint(String name, Iterable<String> candidates) {
        String nearest = nearest(name, candidates);
        return nearest.isEmpty() ? "" : "; did you mean \"" + nearest + "\"?";
    }

    /// The same for a function. Advice for one of another system goes first, because some name of the many functions
    /// is always near.
    public static String functionHint(String name, Iterable<String> candidates) {
        String advice = Habits.ofFunction(name);
        return advice.isEmpty() ? hint(name, candidates) : advice;
    }

    private static String nearest(String name, Iterable<String> candidates) {
        String wanted = name.toUpperCase(Locale.ROOT);
        int best = 1 + (wanted.length() + 1) / 3;
        String nearest = "";
        for (String candidate : candidates) {
            int edits = edits(wanted, candidate.toUpperCase(Locale.ROOT), best);
            if (edits < best) {
                best = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /// Optimal string alignment distance, at most `most`.
    private static int edits(String a, String b, int most) {
        if (Math.abs(a.length() - b.length()) >= most) {
            return most;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = row;
            row = spare;
        }
        return Math.min(most, last[b.length()]);
    }
}
