package dev.oriel.compare;

import java.util.ArrayList;
import java.util.List;

/// All series that one comparison tests (a family of hypotheses). The more are tested, the more differ by chance;
/// so a difference is named only if it stands out among all. Confined to one thread: first all series are added,
/// then it is settled, then changes are requested.
final class Family {
    /// False discovery rate: expected share of false positives among the reported differences.
    private static final double FALSE_DISCOVERIES = 0.05;

    private final List<Change> changes = new ArrayList<>();
    private boolean[] significant = new boolean[0];
    private boolean settled;

    private Forecast forecast = new Forecast(FALSE_DISCOVERIES);

    /// Adds a series; returns its index.
    int add(Series series) {
        if (settled) {
            throw new IllegalStateException("The family is settled");
        }
        changes.add(series.change());
        return changes.size() - 1;
    }

    /// Withdraws the verdicts that are not significant in the family.
    void settle() {
        settled = true;
        double[] pValues = changes.stream().mapToDouble(Change::pValue).toArray();
        significant = Statistics.significant(pValues, FALSE_DISCOVERIES);
        int named = 0;
        for (boolean each : significant) {
            named += each ? 1 : 0;
        }
        int next = Math.min(named + 1, pValues.length);
        forecast = new Forecast(FALSE_DISCOVERIES * next / Math.max(1, pValues.length));
        for (int i = 0; i < significant.length; i++) {
            Change change = changes.get(i);
            if (!significant[i] && change.differs()) {
                changes.set(i, change.unsettled());
            }
        }
    }

    Change change(int number) {
        return changes.get(number);
    }

    /// Number of further pairs that would settle an unknown verdict, with a probability of 80 %, if the ratio and
    /// the spread seen so far are true; 0 if it is settled.
    int morePairs(int number) {
        return forecast.morePairs(changes.get(number));
    }

    /// Whether the series `number` is significant, however small its difference is.
    boolean isSignificant(int number) {
        return significant[number];
    }

    /// Whether A against itself differed more than it should.
    boolean noisy() {
        return changes.stream().anyMatch(Change::noisy);
    }
}
