package dev.oriel.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A comparison as plain text: the verdict, the cause, its certainty and a next step in ten lines. If requested,
/// tables of the operation, of all causes and of the methods follow.
///
/// @param nameA name of A
/// @param nameB name of B
/// @param methodsMax greatest number of methods for each measure; 0 for no tables
public record ComparisonText(String nameA, String nameB, int methodsMax) {
    private static final int METHODS_USUAL = 15;
    private static final int NAMES_SHOWN = 3;

    /// The short form, of ten lines.
    public ComparisonText(String nameA, String nameB) {
        this(nameA, nameB, 0);
    }

    /// A copy with tables, of the 15 most expensive methods.
    public ComparisonText withTables() {
        return new ComparisonText(nameA, nameB, METHODS_USUAL);
    }

    /// The text, with line ends.
    public String of(Comparison comparison) {
        Summary summary = new Summary(comparison);
        StringBuilder text = new StringBuilder();
        text.append(summary.headline()).append('\n');
        text.append("  A: ").append(nameA).append("\n  B: ").append(nameB).append('\n');
        summary.lines().forEach(line -> text.append(line).append('\n'));
        if (methodsMax > 0) {
            text.append('\n');
            operation(comparison, text);
            causes(comparison, text);
            calls(comparison, text);
            comparison
                    .methods()
                    .forEach((measure, methods) -> methods(comparison, measure, methods, text));
            text.append(summary.headline()).append('\n');
        }
        return text.toString();
    }

    static String runs(Comparison comparison) {
        if (comparison.pairs() < 2) {
            return "No interval: one run each. Nothing can be said for certain.";
        }
        String what =
                comparison.inTurns()
                        ? "%d pairs of fresh JVMs"
                        : "at least %d runs each, which took no turns";
        String noisy =
                comparison.noisy()
                        ? ". A against itself differed too much on this machine, so intervals are"
                                + " wider"
                        : "";
        return "over " + what.formatted(comparison.pairs()) + noisy + ".";
    }

    private static void operation(Comparison comparison, StringBuilder text) {
        Table table = new Table("an operation", "A", "B", "B / A", "");
        for (Map.Entry<Measure, Difference> entry : comparison.operation().entrySet()) {
            Measure measure = entry.getKey();
            Difference whole = entry.getValue();
            table.row(
                    measure.title(),
                    Costs.text(whole.costA(), measure),
                    Costs.text(whole.costB(), measure),
                    MethodChange.times(whole.change().ratio()),
                    measure.word(whole.change().verdict()) + wanted(comparison, whole));
        }
        table.appendTo(text);
        text.append('\n');
    }

    private static void calls(Comparison comparison, StringBuilder text) {
        if (!comparison.calls().isEmpty()) {
            text.append("Calls that were counted\n");
            for (CallChange change : comparison.calls()) {
                text.append("  ").append(change.sentence()).append(".\n    by way of ");
                text.append(path(change.path())).append('\n');
            }
            text.append('\n');
        }
    }

    private static void causes(Comparison comparison, StringBuilder text) {
        if (comparison.causes().isEmpty()) {
            return;
        }
        text.append("Where it comes from\n");
        for (Cause cause : comparison.causes()) {
            MethodChange method = cause.method();
            Measure measure = method.measure();
            text.append("  ").append(cause.sentence()).append(".\n    ");
            text.append(measure.title()).append(": ");
            text.append(Costs.text(method.total().costA(), measure)).append(" -> ");
            text.append(Costs.text(method.total().costB(), measure));
            double share = 100 * method.total().share();
            text.append(String.format(Locale.ROOT, ", %.1f %% of the operation", share));
            Interval calls = method.calls();
            Interval perCall = method.perCall();
            if (calls != null && perCall != null) {
                text.append("\n    calls ").append(Costs.count(method.callsA())).append(" -> ");
                text.append(Costs.count(method.callsB())).append(", ");
                text.append(MethodChange.times(calls)).append("; each ");
                text.append(MethodChange.times(perCall));
            }
            if (cause.moved()) {
                text.append("\n    about as much was gained beside it: cost has moved, not grown");
            }
            text.append("\n    by way of ").append(paths(cause.wholePaths())).append('\n');
        }
        text.append('\n');
    }

    /// The first names of a list, and the number of the others.
    static String some(List<String> names) {
        int shown = Math.min(NAMES_SHOWN, names.size());
        String more = names.size() > shown ? " and " + (names.size() - shown) + " more" : "";
        return String.join(", ", names.subList(0, shown)) + more;
    }

    static String paths(List<List<String>> paths) {
        String more = paths.size() > 1 ? " and " + (paths.size() - 1) + " more" : "";
        return path(paths.getFirst()) + more;
    }

    /// The last methods of a path, which are the most specific.
    static String path(List<String> path) {
        List<String> ends = path.size() > 4 ? path.subList(path.size() - 4, path.size()) : path;
        return (path.size() > 4 ? "... > " : "") + String.join(" > ", ends);
    }

    private void methods(
            Comparison comparison,
            Measure measure,
            List<MethodChange> methods,
            StringBuilder text) {
        if (methods.isEmpty()) {
            return;
        }
        Table table =
                new Table(
                        "methods by " + measure.title(),
                        "own, A",
                        "own, B",
                        "own, B / A",
                        "",
                        "with callees",
                        "",
                        "calls");
        List<MethodChange> costly = methods.stream().filter(MethodChange::costs).toList();
        for (MethodChange method : costly.subList(0, Math.min(methodsMax, costly.size()))) {
            table.row(
                    method.name(),
                    Costs.text(method.self().costA(), measure),
                    Costs.text(method.self().costB(), measure),
                    judged(method.self()),
                    word(measure, method.self()),
                    judged(method.total()),
                    method.tooShort()
                            ? "too short to time"
                            : word(measure, method.total()) + wanted(comparison, method.total()),
                    method.calls() == null ? "" : MethodChange.times(method.calls()));
        }
        table.appendTo(text);
        if (methods.size() > Math.min(methodsMax, costly.size())) {
            int more = methods.size() - Math.min(methodsMax, costly.size());
            text.append("  and %d more%n".formatted(more));
        }
        if (methods.stream().anyMatch(method -> !wanted(comparison, method.total()).isEmpty())) {
            text.append("  unknown +N: N more pairs are needed to tell\n");
        }
        text.append('\n');
    }

    private static String word(Measure measure, Difference difference) {
        String word = measure.word(difference.change().verdict());
        return difference.change().differs() && !difference.matters() ? word + " (little)" : word;
    }

    static String judged(Difference difference) {
        Change change = difference.change();
        boolean told = change.ratio().closed() || change.differs();
        return told ? MethodChange.times(change.ratio()) : "";
    }

    /// ` +12` if 12 further pairs would settle the difference; else empty.
    private static String wanted(Comparison comparison, Difference difference) {
        return comparison.inTurns() && difference.morePairs() > 0
                ? " +" + pairs(difference.morePairs())
                : "";
    }

    static String pairs(int more) {
        return more >= Forecast.PAIRS_MAX ? count(more) + " or more" : count(more);
    }

    private static String count(int pairs) {
        return String.format(Locale.ROOT, "%,d", pairs);
    }

    /// Columns of text: the first to the left, the others to the right.
    private static final class Table {
        private final List<String[]> rows = new ArrayList<>();

        Table(String... header) {
            row(header);
        }

        void row(String... cells) {
            rows.add(cells);
        }

        void appendTo(StringBuilder text) {
            int[] widths = new int[rows.getFirst().length];
            for (String[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    widths[i] = Math.max(widths[i], row[i].length());
                }
            }
            for (String[] row : rows) {
                StringBuilder line = new StringBuilder("  ");
                for (int i = 0; i < row.length; i++) {
                    String gap = " ".repeat(widths[i] - row[i].length());
                    line.append(i == 0 ? row[i] + gap : "  " + gap + row[i]);
                }
                text.append(line.toString().stripTrailing()).append('\n');
            }
        }
    }
}
