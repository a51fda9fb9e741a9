package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Change;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// Whether two runs agree. Compares every rate and time of both, and every ratio of Oriel to a peer, as unpaired
/// runs. Machines drift from hour to hour, and rates drift with them. The ratios decide, since they are a run's
/// claims.
public final class Agreement {
    /// Maximum expected share of false positives among the figures reported as different.
    private static final double FALSE_DISCOVERIES = 0.05;

    /// One figure of both runs.
    ///
    /// @param name of the case, the subject and the peer compared
    /// @param change ratio of the second run to the first
    record Line(String name, Change change) {}

    private record Key(String caseName, String subject, String metric) {}

    private final List<Line> figures = new ArrayList<>();
    private final List<Line> ratios = new ArrayList<>();
    private int once;

    /// Compares the figures that are in both runs.
    public Agreement(Results first, Results second) {
        Map<Key, Result> former = byKey(first);
        Map<Key, Result> latter = byKey(second);
        latter.forEach((key, result) -> {
            Result earlier = former.get(key);
            if (earlier != null) {
                compare(
                        figures,
                        key.caseName + ", " + key.subject,
                        samples(earlier),
                        samples(result));
            }
        });
        for (CaseTable table : new Comparisons(second).tables()) {
            Result ours = table.ours() == null ? null : table.ours().result();
            for (CaseTable.Row row : table.rows()) {
                if (ours != null && row.lead() != null) {
                    ratio(former, ours, row.result());
                }
            }
        }
    }

    private static Map<Key, Result> byKey(Results results) {
        Map<Key, Result> byKey = new LinkedHashMap<>();
        for (Result result : results.results()) {
            if (CaseTable.isMain(result.metric())) {
                byKey.put(key(result), result);
            }
        }
        return byKey;
    }

    private static Key key(Result result) {
        return new Key(result.caseName(), result.subject(), result.metric());
    }

    private void ratio(Map<Key, Result> former, Result ours, Result peer) {
        Result oursThen = former.get(key(ours));
        Result peerThen = former.get(key(peer));
        if (oursThen != null && peerThen != null) {
            compare(
                    ratios,
                    ours.caseName() + ", " + ours.subject() + " to " + peer.subject(),
                    Comparisons.leads(oursThen, peerThen),
                    Comparisons.leads(ours, peer));
        }
    }

    private void compare(List<Line> lines, String name, double[] former, double[] latter) {
        if (former.length < 2 || latter.length < 2) {
            once++;
        } else {
            lines.add(new Line(name, Change.unpaired(former, latter)));
        }
    }

    private static double[] samples(Result result) {
        return result.samples().stream()
                .filter(Objects::nonNull)
                .mapToDouble(value -> value)
                .filter(value -> value > 0)
                .toArray();
    }

    /// Rates and times.
    public List<Line> figures() {
        return List.copyOf(figures);
    }

    /// Ratios of Oriel to a peer.
    List<Line> ratios() {
        return List.copyOf(ratios);
    }

    /// The lines whose difference exceeds the spread within the runs, corrected for the number of comparisons.
    static List<Line> different(List<Line> lines) {
        boolean[] significant =
                Statistics.significant(
                        lines.stream().mapToDouble(line -> line.change().pValue()).toArray(),
                        FALSE_DISCOVERIES);
        List<Line> different = new ArrayList<>();
        for (int i = 0; i < significant.length; i++) {
            if (significant[i]) {
                different.add(lines.get(i));
            }
        }
        return different;
    }

    /// Whether no ratio differs.
    public boolean agrees() {
        return different(ratios).isEmpty();
    }

    /// A summary of the comparisons, with each difference.
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(summary("ratios to peers", ratios)).append(summary("rates and times", figures));
        if (once > 0) {
            text.append(
                    "%d were measured only once in one of the runs, and say nothing.%n"
                            .formatted(once));
        }
        text.append(
                agrees()
                        ? "The runs agree.\n"
                        : "The runs do not agree: what they say of the peers depends on more than they"
                                + " repeated. Run longer (--minutes), with nothing else running.\n");
        return text.toString();
    }

    private static String summary(String what, List<Line> lines) {
        List<Line> different = different(lines);
        StringBuilder text = new StringBuilder();
        text.append(
                "%d %s in both: %d differ beyond chance; the median of the differences is %s.%n"
                        .formatted(lines.size(), what, different.size(), median(lines)));
        for (Line line : different) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %-70s %.3f [%.3f, %.3f]%n",
                            line.name(),
                            line.change().ratio().value(),
                            line.change().ratio().low(),
                            line.change().ratio().high()));
        }
        return text.toString();
    }

    private static String median(List<Line> lines) {
        double[] sizes =
                lines.stream()
                        .mapToDouble(line -> Math.abs(Math.log(line.change().ratio().value())))
                        .sorted()
                        .toArray();
        return sizes.length == 0
                ? "unknown"
                : String.format(Locale.ROOT, "%.0f %%", 100 * Math.expm1(sizes[sizes.length / 2]));
    }
}
