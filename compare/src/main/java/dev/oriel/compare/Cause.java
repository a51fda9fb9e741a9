package dev.oriel.compare;

import java.util.List;
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
public record Cause(
        MethodChange method,
        List<List<String>> paths,
        boolean moved,
        @Nullable String callee,
        List<String> untimed) {
    /// Copies the lists.
    public Cause {
        paths = paths.stream().map(List::copyOf).toList();
        untimed = List.copyOf(untimed);
    }

    /// Whether B is worse because of it.
    public boolean worse() {
        return method.total().delta() > 0;
    }
}
