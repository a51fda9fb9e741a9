package dev.oriel.compare;

import java.util.ArrayList;
import java.util.List;

/// Everything that one comparison looks at. The more is looked at, the more differs by chance; so
/// what differs is named only when it stands out among all. Confined to one thread: first all
/// series are added, then it is settled, then changes are asked for.
final class Family {
    /// At most this share of what is named is expected to be named wrongly.
    private static final double FALSE_DISCOVERIES = 0.05;

    private final List<Change> changes = new ArrayList<>();
    private boolean[] significant = new boolean[0];
    private boolean settled;

    private Forecast forecast = new Forecast(FALSE_DISCOVERIES);

    /// Adds one; the result is its number.
    int add(Series series) {
        if (settled) {
            throw new IllegalStateException("The family is settled");
        }
        changes.add(series.change());
        return changes.size() - 1;
    }

    /// Takes back what does not stand out.
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

    /// How many pairs more would tell what is unknown, with a probability of 80 %, if the ratio and
    /// the spread seen so far are true; 0 where it is told.
    int morePairs(int number) {
        return forecast.morePairs(changes.get(number));
    }

    /// Whether it stands out, however little it differs by.
    boolean isSignificant(int number) {
        return significant[number];
    }

    /// Whether A against itself differed more than it should.
    boolean noisy() {
        return changes.stream().anyMatch(Change::noisy);
    }
}
