package dev.oriel.compare;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A method that causes a difference: the deepest one whose callees do not explain it.
///
/// @param method the method over all paths
/// @param paths paths with the difference, outermost method first
/// @param moved whether gains and losses below a common caller cancel. Then cost was moved from one method to
///     another, as by a new name, and the operation costs the same
/// @param callee callee in which the difference is spent; it costs its other callers what it did before. Null if
///     there is no such callee
/// @param untimed callees whose time is part of the method's, since they are too short to be timed; the most called
///     first
/// @param inner callee that was not timed and has most of the difference; null if samples show none
public record Cause(
        MethodChange method,
        List<List<String>> paths,
        boolean moved,
        @Nullable String callee,
        List<String> untimed,
        @Nullable Inner inner) {
    /// The share of a callee's difference that further calls must have to explain it.
    private static final double EXPLAINED_MIN = 0.6;

    /// Copies the lists.
    public Cause {
        paths = paths.stream().map(List::copyOf).toList();
        untimed = List.copyOf(untimed);
    }

    /// This with the callee that samples show.
    Cause with(@Nullable Inner callee) {
        return new Cause(method, paths, moved, this.callee, untimed, callee);
    }

    /// This as a cause of its own, whatever was gained beside it.
    Cause unmoved() {
        return new Cause(method, paths, false, callee, untimed, inner);
    }

    /// This with further callees whose time is part of the method's.
    Cause withUntimed(List<String> callees) {
        Set<String> all = new LinkedHashSet<>(untimed);
        all.addAll(callees);
        return new Cause(method, paths, moved, callee, List.copyOf(all), inner);
    }

    /// The paths to the method to look at.
    List<List<String>> wholePaths() {
        Inner callee = inner;
        if (callee == null) {
            return paths;
        }
        List<String> below = callee.path().subList(1, callee.path().size());
        return paths.stream()
                .map(path -> Stream.concat(path.stream(), below.stream()).toList())
                .toList();
    }

    /// The method to look at.
    String name() {
        return inner == null ? method.name() : inner.name();
    }

    /// The change, as a sentence without its full stop.
    String sentence() {
        Inner callee = inner;
        if (callee == null) {
            return method.sentence();
        }
        if (callee.timed()) {
            return callee.name()
                    + (worse() ? " takes longer" : " takes less time")
                    + ", by timing its short calls within "
                    + method.name();
        }
        return callee.name()
                + (worse() ? " uses more" : " uses less")
                + " processor time, by samples within "
                + method.name();
    }

    /// Whether a call of the method costs more or less, so that the further calls of it or of one above it do not
    /// explain the difference.
    boolean isChanged(CallChange call) {
        Inner callee = inner;
        if (callee != null) {
            double further = callee.costA() * (call.callsB() / call.callsA() - 1);
            return call.callsA() > 0 && further / (callee.costB() - callee.costA()) < EXPLAINED_MIN;
        }
        Interval each = method.perCall();
        return each != null && (worse() ? each.low() > 1 : each.high() < 1);
    }

    /// Whether B is worse because of it.
    public boolean worse() {
        return method.total().delta() > 0;
    }
}
