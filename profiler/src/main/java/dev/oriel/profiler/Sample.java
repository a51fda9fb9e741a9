package dev.oriel.profiler;

import java.util.List;

/// One observation of a thread: where it was, and how much of something it stands for.
///
/// @param kind what was observed, which says what the weight means
/// @param atNanos when, in nanoseconds since the profile began
/// @param thread the name of the thread, or `virtual-N` for a virtual thread without a name
/// @param stack innermost frame first; may be empty, and is shared between equal samples
/// @param weight in the unit of the kind
public record Sample(
        SampleKind kind, long atNanos, String thread, List<StackFrame> stack, long weight) {

    /// Copies the stack, if it is not immutable.
    public Sample {
        stack = List.copyOf(stack);
    }

    /// A method and the line it was at.
    ///
    /// @param owner the class, without the number that the JVM gives hidden classes
    /// @param line 0 where it is unknown
    public record StackFrame(String owner, String method, int line) {
        /// `owner.method`, as exact trees name it.
        public String name() {
            return owner + "." + method;
        }

        /// `owner.method:line`.
        @Override
        public String toString() {
            return line > 0 ? name() + ":" + line : name();
        }
    }
}
