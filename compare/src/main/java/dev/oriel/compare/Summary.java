package dev.oriel.compare;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A comparison in ten lines, for a reader without statistics: the operation, the cause, its certainty, one next
/// step.
record Summary(Comparison comparison) {
    private static final int OTHERS = 2;
    private static final double MOST = 0.5;
    private static final double TIMES = 2;
    private static final double PART_MIN = 0.25;
    private static final double OWN_PART_MIN = 0.05;

    /// The first line, which the exit code follows.
    String headline() {
        Measure decides = comparison.decidedBy();
        if (decides != null) {
            Difference whole = whole(decides);
            return "%s: an operation %s, %s."
                    .formatted(verdict(decides, whole), phrase(decides, whole), span(whole));
        }
        Measure leading = comparison.leading();
        if (leading == null) {
            return comparison.pairs() < 2
                    ? "Cannot tell: one run each has no interval."
                    : "Cannot tell what an operation costs: these recordings hold shares of samples"
                            + " alone.";
        }
        if (comparison.verdict() == Verdict.SAME) {
            return String.format(
                    Locale.ROOT,
                    "No difference: %s of an operation is the same within %.0f %%.",
                    leading.title(),
                    100 * Change.ZONE);
        }
        return comparison.pairs() < 2
                ? "Cannot tell: one run each has no interval."
                : unknown(leading.title(), whole(leading));
    }

    /// An interval may tell A and B apart by itself, and not among all figures.
    private static String unknown(String title, Difference whole) {
        Interval ratio = whole.change().ratio();
        String times = MethodChange.figure(ratio.value()) + " times A's, " + bounds(whole);
        boolean apart =
                ratio.closed()
                        && (ratio.low() > 1 + Change.ZONE || ratio.high() < 1 / (1 + Change.ZONE));
        return apart
                ? ("Cannot tell yet: B's %s seems to be %s, but of so many figures one may differ as"
                                + " much by chance.")
                        .formatted(title, times)
                : "Cannot tell: the runs differ by more than A and B do. B's %s is %s."
                        .formatted(title, times);
    }

    /// All lines below it.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Measure decides = comparison.decidedBy();
        @Nullable Cause main = cause(decides);
        @Nullable CallChange counted = counted(decides, main);
        if (counted != null) {
            lines.add("Cause: " + counted.sentence() + ".");
            String by = "by way of " + ComparisonText.path(counted.path());
            if (main != null && main.name().equals(counted.name())) {
                by = figures(main, decides);
            }
            lines.add("  counted exactly; " + by);
        } else if (main != null) {
            lines.add("Cause: " + main.sentence() + ".");
            lines.add("  " + figures(main, decides));
        } else if (decides != null) {
            lines.add("Cause: none of the methods that were recorded stands out by itself.");
        }
        besides(decides, lines);
        lines.addAll(others(main, counted));
        lines.add("How sure: " + sure());
        lines.add("Next: " + next(main, counted));
        return lines;
    }

    /// A change of calls that explains the operation's difference, if no measured time does so better. A time does not
    /// if it holds that of the further calls, which are too short to be timed themselves. Nor do samples of the method
    /// itself, as long as each call costs what it did.
    private @Nullable CallChange counted(@Nullable Measure decides, @Nullable Cause main) {
        if (decides == null || comparison.calls().isEmpty()) {
            return null;
        }
        CallChange first = comparison.calls().getFirst();
        double delta = whole(decides).delta();
        boolean fits = first.more() == delta > 0;
        boolean most = isTime(decides) && first.nanos() / delta >= MOST;
        if (main != null && main.name().equals(first.name())) {
            return fits && main.inner() != null && !main.isChanged(first) ? first : null;
        }
        boolean deeper =
                main != null
                        && !main.untimed().isEmpty()
                        && first.path().contains(main.method().name());
        return fits && (main == null || most || deeper) ? first : null;
    }

    /// Other differences: counted calls, then methods.
    private List<String> others(@Nullable Cause main, @Nullable CallChange counted) {
        List<String> lines = new ArrayList<>();
        Set<String> named = new HashSet<>();
        if (counted != null) {
            named.add(counted.name());
        } else if (main != null) {
            named.add(main.name());
        }
        for (CallChange change : comparison.calls()) {
            boolean told = main != null && change.name().equals(main.name());
            if (lines.size() < OTHERS && (named.add(change.name()) || (told && counted == null))) {
                lines.add("Counted: " + change.sentence() + ".");
            }
        }
        for (Cause cause : comparison.causes()) {
            if (lines.size() < OTHERS && named.add(cause.name())) {
                String moved = cause.moved() ? ", as much was gained beside it" : "";
                lines.add("Also: " + cause.sentence() + moved + ".");
            }
        }
        return lines;
    }

    /// Other measures of the operation that tell A and B apart. Two are of time and two of processor time: the second
    /// is left out unless it says the opposite.
    private void besides(@Nullable Measure decides, List<String> lines) {
        List<String> others = new ArrayList<>();
        List<Measure> told = new ArrayList<>();
        if (decides != null) {
            told.add(decides);
        }
        for (Measure measure : comparison.order()) {
            if (whole(measure).matters() && !isTold(measure, told)) {
                others.add(who(measure, told) + phrase(measure, whole(measure)));
                told.add(measure);
            }
        }
        if (!others.isEmpty()) {
            lines.add("Besides: " + String.join("; ", others) + ".");
        }
    }

    /// Whether the measure or its sibling was told to differ in the same direction.
    private boolean isTold(Measure measure, List<Measure> told) {
        double delta = whole(measure).delta();
        return told.contains(measure)
                || (told.contains(sibling(measure))
                        && whole(sibling(measure)).delta() > 0 == delta > 0);
    }

    /// The other measure of the same thing, of the process or in recorded calls; the measure itself if there is none.
    private static Measure sibling(Measure measure) {
        return switch (measure) {
            case TIME -> Measure.WALL;
            case WALL -> Measure.TIME;
            case WORK -> Measure.CPU;
            case CPU -> Measure.WORK;
            case BYTES, BLOCKED, WAITING, RUN_QUEUE, CPU_SHARE, BYTES_SHARE -> measure;
        };
    }

    private static String who(Measure measure, List<Measure> told) {
        if (!told.contains(sibling(measure))) {
            return "it ";
        }
        boolean ofCalls = measure == Measure.TIME || measure == Measure.WORK;
        return ofCalls ? "in recorded calls it " : "the process ";
    }

    /// The cause that the summary names: the greatest of the measure that decided, in its direction. If samples decided
    /// or there is none, one of another measure: of calls that were timed, else of allocation, which the collector
    /// pays for, else of samples.
    private @Nullable Cause cause(@Nullable Measure decides) {
        @Nullable Cause best = null;
        Evidence by = Evidence.NONE;
        for (Cause cause : comparison.causes()) {
            Evidence evidence = decides == null ? evidence(cause) : evidenceOf(cause, decides);
            if (evidence.compareTo(by) < 0) {
                best = cause;
                by = evidence;
            }
        }
        boolean timed = by == Evidence.OWN || by == Evidence.CALLS;
        return best != null && timed ? untimed(best) : best;
    }

    /// Evidence that a method is the cause, the best first.
    private enum Evidence {
        /// The measure that decided.
        OWN,
        /// Calls that were timed.
        CALLS,
        ALLOCATION,
        SAMPLES,
        NONE
    }

    /// The evidence for a cause if nothing decided.
    private static Evidence evidence(Cause cause) {
        return isExact(cause.method().measure()) ? Evidence.CALLS : Evidence.SAMPLES;
    }

    private Evidence evidenceOf(Cause cause, Measure decides) {
        Measure measure = cause.method().measure();
        if (!fits(cause, decides) || (measure != decides && !isTime(decides))) {
            return Evidence.NONE;
        }
        if (measure == decides && (isExact(measure) || !isTime(measure))) {
            return isAtLeast(OWN_PART_MIN, cause, decides) ? Evidence.OWN : Evidence.NONE;
        }
        if (measure != decides && !isPart(cause, decides)) {
            return Evidence.NONE;
        }
        if (measure == Measure.BYTES) {
            return Evidence.ALLOCATION;
        }
        if (isExact(measure)) {
            return Evidence.CALLS;
        }
        return isTime(measure) ? Evidence.SAMPLES : Evidence.NONE;
    }

    private boolean fits(Cause cause, Measure decides) {
        return cause.worse() == (whole(decides).delta() > 0) && !cause.moved();
    }

    /// Whether a cause of another measure is great enough to stand for one of the measure that decides.
    private boolean isPart(Cause cause, Measure decides) {
        Measure measure = cause.method().measure();
        boolean differs = measure != Measure.BYTES || isMore(Measure.BYTES, decides);
        return differs && isAtLeast(PART_MIN, cause, decides);
    }

    private boolean isAtLeast(double part, Cause cause, Measure decides) {
        return cause.method().total().share() >= part * whole(decides).share();
    }

    /// Whether the operation differs by a measure too, in the same direction.
    private boolean isMore(Measure measure, Measure decides) {
        Difference also = comparison.operation().get(measure);
        return also != null && also.matters() && also.delta() > 0 == whole(decides).delta() > 0;
    }

    private static boolean isExact(@Nullable Measure measure) {
        return measure == Measure.TIME || measure == Measure.WORK;
    }

    /// The callee of a cause that was too short to be timed, if samples show the difference there.
    private Cause untimed(Cause cause) {
        if (cause.inner() != null) {
            return cause;
        }
        for (Cause other : comparison.causes()) {
            if (cause.untimed().contains(other.method().name())
                    && isTime(other.method().measure())
                    && other.worse() == cause.worse()) {
                return other;
            }
        }
        return cause;
    }

    private static boolean isTime(Measure measure) {
        return measure.unit().equals("ns");
    }

    private static String verdict(Measure measure, Difference whole) {
        boolean more = whole.delta() > 0;
        return switch (measure) {
            case TIME, WALL -> more ? "B is slower" : "B is faster";
            case WORK, CPU, BYTES, BLOCKED, WAITING, RUN_QUEUE, CPU_SHARE, BYTES_SHARE ->
                    more ? "B costs more" : "B costs less";
        };
    }

    /// `takes 18 % longer`, `takes 9.4 times less time`, `allocates 3.0 times as much`.
    private static String phrase(Measure measure, Difference whole) {
        double ratio = whole.change().ratio().value();
        boolean more = ratio > 1;
        double factor = more ? ratio : 1 / ratio;
        String costs =
                " (%s -> %s)"
                        .formatted(
                                Costs.text(whole.costA(), measure),
                                Costs.text(whole.costB(), measure));
        if (Double.isInfinite(factor)) {
            String verb = measure.verb().strip();
            return (more ? verb + " more than nothing" : verb + " nothing any more") + costs;
        }
        if (factor >= TIMES) {
            String times =
                    switch (measure) {
                        case TIME, WALL ->
                                more ? "takes %s times as long" : "takes %s times less time";
                        case WORK, CPU ->
                                more
                                        ? "uses %s times as much processor time"
                                        : "uses %s times less processor time";
                        case BYTES ->
                                more ? "allocates %s times as much" : "allocates %s times less";
                        case BLOCKED, WAITING, RUN_QUEUE ->
                                more ? "waits %s times as long" : "waits %s times less";
                        case CPU_SHARE, BYTES_SHARE -> "has %s times the share";
                    };
            return times.formatted(MethodChange.figure(factor)) + costs;
        }
        String parts =
                switch (measure) {
                    case TIME, WALL -> more ? "takes %s longer" : "takes %s less time";
                    case WORK, CPU ->
                            more ? "uses %s more processor time" : "uses %s less processor time";
                    case BYTES -> more ? "allocates %s more" : "allocates %s less";
                    case BLOCKED, WAITING, RUN_QUEUE -> more ? "waits %s longer" : "waits %s less";
                    case CPU_SHARE, BYTES_SHARE -> more ? "has %s more" : "has %s less";
                };
        return parts.formatted(percent(100 * Math.abs(ratio - 1))) + costs;
    }

    /// The uncertainty of the difference.
    private static String span(Difference whole) {
        Interval ratio = whole.change().ratio();
        if (!ratio.closed() || ratio.value() == 0) {
            return "in every run";
        }
        boolean more = ratio.value() > 1;
        double low = more ? ratio.low() : 1 / ratio.high();
        double high = more ? ratio.high() : 1 / ratio.low();
        double value = more ? ratio.value() : 1 / ratio.value();
        if (value >= TIMES) {
            return "between %s and %s times"
                    .formatted(MethodChange.figure(low), MethodChange.figure(high));
        }
        double a = 100 * Math.abs(ratio.low() - 1);
        double b = 100 * Math.abs(ratio.high() - 1);
        return "between %s and %s".formatted(percent(Math.min(a, b)), percent(Math.max(a, b)));
    }

    private static String bounds(Difference whole) {
        Interval ratio = whole.change().ratio();
        return ratio.closed()
                ? "between %s and %s"
                        .formatted(
                                MethodChange.figure(ratio.low()), MethodChange.figure(ratio.high()))
                : "without an interval";
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f %%" : "%.0f %%", value);
    }

    private String figures(Cause cause, @Nullable Measure decides) {
        MethodChange method = cause.method();
        Measure measure = method.measure();
        StringBuilder text = new StringBuilder();
        if (cause.inner() != null) {
            text.append(method.name()).append(": ");
        }
        text.append(measure.title()).append(' ');
        text.append(Costs.text(method.total().costA(), measure)).append(" -> ");
        text.append(Costs.text(method.total().costB(), measure));
        if (measure == decides) {
            double part = 100 * method.total().delta() / whole(decides).delta();
            if (part > 0 && part < 200) {
                text.append(String.format(Locale.ROOT, ", %.0f %% of the difference", part));
            }
        }
        Inner inner = cause.inner();
        if (inner != null) {
            text.append(inner.timed() ? ", timed alone " : ", of it ");
            text.append(inner.costs()).append(" in ").append(inner.name());
            text.append(inner.timed() ? ", both with the time of recording it" : "");
        } else if (cause.callee() != null) {
            text.append(", in calls of ").append(cause.callee());
            text.append(", which costs its other callers no more");
        } else if (!cause.untimed().isEmpty() && isTime(measure)) {
            text.append(", in it or in callees that are too short to be timed: ");
            text.append(ComparisonText.some(cause.untimed()));
        } else if (measure == Measure.BYTES) {
            text.append(", in it or in methods that it calls and that are not recorded");
        }
        return text.append(allocation(cause))
                .append("; by way of ")
                .append(ComparisonText.paths(cause.wholePaths()))
                .toString();
    }

    /// Allocation of a method with a different time, if that differs too. It often explains the time.
    private String allocation(Cause timed) {
        for (Cause other : comparison.causes()) {
            if (isTime(timed.method().measure())
                    && other.method().measure() == Measure.BYTES
                    && other.method().name().equals(timed.method().name())) {
                String though = other.worse() == timed.worse() ? ", " : ", though ";
                return though + other.method().change();
            }
        }
        return "";
    }

    private String sure() {
        String runs = ComparisonText.runs(comparison);
        return comparison.pairs() < 2
                ? runs
                : runs + " Such bounds hold the truth 95 times in 100.";
    }

    /// The most useful next step.
    private String next(@Nullable Cause main, @Nullable CallChange counted) {
        if (comparison.verdict() == Verdict.UNKNOWN) {
            List<CallChange> calls = comparison.calls();
            if (main != null && main.worse()) {
                return "read %s%s. For the operation: %s"
                        .formatted(main.name(), where(main), more());
            }
            return main == null && !calls.isEmpty() && calls.getFirst().more()
                    ? "read %s. For the operation: %s".formatted(caller(calls.getFirst()), more())
                    : more();
        }
        if (counted != null && counted.more()) {
            return "read " + caller(counted) + ".";
        }
        if (main != null && main.worse()) {
            return "read %s%s.".formatted(main.name(), where(main));
        }
        Measure decides = comparison.decidedBy();
        @Nullable MethodChange likely = decides == null ? null : likely(decides);
        if (comparison.worse() && comparison.inTurns() && likely != null) {
            int pairs =
                    comparison.pairs() + Math.max(comparison.pairs(), likely.total().morePairs());
            return "--pairs %d, which may tell whether %s is the cause."
                    .formatted(pairs, likely.name());
        }
        if (comparison.worse()) {
            return further();
        }
        int precise = comparison.morePairsForPrecision();
        return comparison.inTurns() && precise > 0 && precise < Forecast.PAIRS_MAX
                ? "nothing needs to be done; --pairs %d would tell by how much within 5 %%."
                        .formatted(comparison.pairs() + precise)
                : "nothing needs to be done.";
    }

    /// Advice on how to find the cause if no method stands out.
    private String further() {
        if (!comparison.inTurns()) {
            return "record the methods of both sides too, so that their calls are counted and timed.";
        }
        return comparison.methods().containsKey(Measure.TIME)
                ? "--pairs %d, which may tell the method, or record others with --methods."
                        .formatted(2 * comparison.pairs())
                : "name methods with --methods, so that their calls are counted and timed.";
    }

    /// The method that would be the cause if a few more pairs showed what these do: of those with enough of the
    /// difference the one that needs the fewest.
    private @Nullable MethodChange likely(Measure decides) {
        MethodChange best = null;
        for (MethodChange change : comparison.methods().getOrDefault(decides, List.of())) {
            Difference own = change.self();
            boolean part = own.delta() / whole(decides).delta() >= MOST;
            int more = change.total().morePairs();
            boolean soon = more > 0 && more < Forecast.PAIRS_MAX;
            if (part && soon && (best == null || more < best.total().morePairs())) {
                best = change;
            }
        }
        return best;
    }

    private static String caller(CallChange counted) {
        List<String> path = counted.path();
        String caller = path.get(Math.max(0, path.size() - 2));
        return caller + ", which calls " + (caller.equals(counted.name()) ? "itself" : "it");
    }

    private static String where(Cause cause) {
        Inner inner = cause.inner();
        List<String> path = inner == null ? cause.paths().getFirst() : inner.path();
        return path.size() < 2 ? "" : ", which " + path.get(path.size() - 2) + " calls";
    }

    private String more() {
        if (comparison.leading() == null) {
            return "record run files, which know what the process used (oriel profile run).";
        }
        if (comparison.pairs() < 2) {
            return "run each several times.";
        }
        int more = comparison.morePairs();
        if (!comparison.inTurns()) {
            return "record more runs of each.";
        }
        if (more == 0 || more >= Forecast.PAIRS_MAX) {
            return "give it more to do a run, or a quieter machine, since %s."
                    .formatted(
                            more == 0
                                    ? "more pairs alone will not tell"
                                    : ComparisonText.pairs(more)
                                            + " further pairs are needed to tell");
        }
        return "%s more pairs needed to tell, with a probability of 80 %%: --pairs %d."
                .formatted(ComparisonText.pairs(more), comparison.pairs() + more);
    }

    private Difference whole(Measure measure) {
        return Objects.requireNonNull(comparison.operation().get(measure));
    }
}
