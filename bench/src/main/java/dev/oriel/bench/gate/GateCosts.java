package dev.oriel.bench.gate;

import dev.oriel.compare.Change;
import dev.oriel.compare.Statistics;
import dev.oriel.compare.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The costs of cases in a revision and in the working tree, pair by pair, and the conclusion.
public final class GateCosts {
    /// Share of the cases named slower that may be false discoveries.
    private static final double FALSE_DISCOVERIES = 0.05;

    private record Key(String caseName, String subject) {}

    /// The costs of one case: lower is better.
    private static final class Costs {
        final List<Double> former = new ArrayList<>();
        final List<Double> now = new ArrayList<>();
        final List<Double> once = new ArrayList<>();
        final List<Double> again = new ArrayList<>();

        Change change() {
            return Change.of(array(former), array(now), array(once), array(again));
        }
    }

    private final Map<Key, Costs> costs = new LinkedHashMap<>();

    private Costs costs(String caseName, String subject) {
        return costs.computeIfAbsent(new Key(caseName, subject), _ -> new Costs());
    }

    /// A pair: the cost of an operation in the revision, and in the working tree.
    void pair(String caseName, String subject, double former, double now) {
        Costs all = costs(caseName, subject);
        all.former.add(former);
        all.now.add(now);
    }

    /// A pair of the revision with itself.
    void guard(String caseName, String subject, double once, double again) {
        Costs all = costs(caseName, subject);
        all.once.add(once);
        all.again.add(again);
    }

    /// Whether no case is significantly slower.
    public boolean passed() {
        return slower().isEmpty();
    }

    private List<Key> slower() {
        List<Key> keys = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        costs.forEach((key, all) -> {
            keys.add(key);
            changes.add(all.change());
        });
        boolean[] significant =
                Statistics.significant(
                        changes.stream().mapToDouble(Change::pValue).toArray(), FALSE_DISCOVERIES);
        List<Key> slower = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (significant[i] && changes.get(i).verdict() == Verdict.SLOWER) {
                slower.add(keys.get(i));
            }
        }
        return slower;
    }

    /// The changes, a line each.
    public String table(String former) {
        List<Key> slower = slower();
        StringBuilder text = new StringBuilder();
        int pairs = costs.values().stream().mapToInt(all -> all.now.size()).max().orElse(0);
        text.append(
                "Cost of the working tree over that of %s, %d pairs%n".formatted(former, pairs));
        costs.forEach((key, all) -> {
            Change change = all.change();
            String verdict =
                    slower.contains(key)
                            ? "SLOWER"
                            : switch (change.verdict()) {
                                case SLOWER -> "slower, not beyond chance among so many";
                                case FASTER -> "faster";
                                case SAME -> "same";
                                case NEW -> "new";
                                case GONE -> "gone";
                                case UNKNOWN ->
                                        "cannot tell; %d more pairs for +-5 %%"
                                                .formatted(change.morePairs(0.05));
                            };
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %-50s %-14s %.3f [%.3f, %.3f]  %s%s%n",
                            key.caseName(),
                            key.subject(),
                            change.ratio().value(),
                            change.ratio().low(),
                            change.ratio().high(),
                            verdict,
                            change.noisy() ? " (noisy machine)" : ""));
        });
        text.append(
                slower.isEmpty()
                        ? "No case is significantly slower.\n"
                        : slower.size() + " of " + costs.size() + " cases are slower.\n");
        return text.toString();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
