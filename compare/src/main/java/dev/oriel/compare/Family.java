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
    private boolean settled;

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
        boolean[] significant = Statistics.significant(pValues, FALSE_DISCOVERIES);
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

    /// Whether A against itself differed more than it should.
    boolean noisy() {
        return changes.stream().anyMatch(Change::noisy);
    }
}
