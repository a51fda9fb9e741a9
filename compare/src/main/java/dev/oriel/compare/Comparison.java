package dev.oriel.compare;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What the runs of A and B say: the whole operation by each measure, the methods, and the causes of
/// what differs. Immutable.
///
/// The cost of an operation is compared by the logarithms of ratios of runs that took turns, so that
/// a drift of the machine falls out; an interval is Student's t over them, at 95 %. All that is
/// compared at once (operation, methods and paths that make up half a percent of it) counts against
/// one false discovery rate of 5 %. Something differs when its whole interval lies outside of +-2 %.
///
/// @param pairs how many pairs of runs
/// @param inTurns whether they took turns
/// @param noisy whether A against itself differed more than it should, so that intervals are wider
/// @param operation the whole operation, by measure
/// @param methods those that make up half a percent of the operation or more, by measure
/// @param causes the deepest methods that explain what differs, the greatest difference first
/// @param trees the paths, by measure, for a flame graph
public record Comparison(
        int pairs,
        boolean inTurns,
        boolean noisy,
        Map<Measure, Difference> operation,
        Map<Measure, List<MethodChange>> methods,
        List<Cause> causes,
        Map<Measure, CallDifference> trees) {
    /// How narrow an interval should be, as a share, before it is said that there is no more to
    /// find out.
    private static final double NARROW = 0.05;

    /// Copies lists and maps.
    public Comparison {
        operation = copy(operation);
        methods = copy(methods);
        causes = List.copyOf(causes);
        trees = copy(trees);
    }

    /// Compares.
    ///
    /// @throws IllegalArgumentException where there is no run of a side, or the runs were not
    ///     measured alike
    public static Comparison of(Pairs pairs) {
        return all(List.of(pairs)).getFirst();
    }

    /// Compares several things at once, as the benchmarks of two files: what differs has to stand
    /// out among all of them.
    ///
    /// @throws IllegalArgumentException as [#of(Pairs)] does
    public static List<Comparison> all(List<Pairs> everything) {
        Family family = new Family();
        List<OperationComparison> parts =
                everything.stream().map(pairs -> new OperationComparison(pairs, family)).toList();
        family.settle();
        return parts.stream().map(OperationComparison::comparison).toList();
    }

    /// Whether B costs more: the operation as a whole, or a method that nothing makes up for.
    public boolean worse() {
        return operation.values().stream().anyMatch(whole -> whole.matters() && whole.delta() > 0)
                || causes.stream().anyMatch(cause -> cause.worse() && !cause.moved());
    }

    /// Whether B costs less: the operation as a whole, and nothing costs more.
    public boolean better() {
        return !worse()
                && operation.values().stream()
                        .anyMatch(whole -> whole.matters() && whole.delta() < 0);
    }

    /// Whether anything was found to differ.
    public boolean differs() {
        return !causes.isEmpty() || operation.values().stream().anyMatch(Difference::matters);
    }

    /// Whether it cannot be told if the operation as a whole costs more or less; of recordings that
    /// know no whole, if their methods do.
    public boolean unknown() {
        if (pairs < 2) {
            return true;
        }
        if (operation.isEmpty()) {
            return methods.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(method -> method.total().change().verdict() == Verdict.UNKNOWN);
        }
        return operation.values().stream()
                .anyMatch(whole -> whole.change().verdict() == Verdict.UNKNOWN);
    }

    /// How many pairs more would tell whether the operation costs more or less, with a probability of
    /// 80 %, if the ratios and spreads seen so far are true; 0 where all of it is told. Where measures
    /// differ in that, the one that needs most counts.
    public int morePairs() {
        return operation.values().stream().mapToInt(Difference::morePairs).max().orElse(0);
    }

    /// How many pairs more it takes to know the cost of the operation within 5 %, at the spread seen
    /// so far; 0 where that is known.
    public int morePairsForPrecision() {
        return operation.values().stream()
                .mapToInt(whole -> whole.change().morePairs(NARROW))
                .max()
                .orElse(0);
    }

    private static <V> Map<Measure, V> copy(Map<Measure, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(map));
    }
}
