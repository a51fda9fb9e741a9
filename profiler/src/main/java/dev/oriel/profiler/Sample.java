package dev.oriel.profiler;

import java.util.List;

/// One observation of a thread, or several equal ones: its place in the code, and a weight.
///
/// @param kind the kind of observation, which gives the meaning of the weight
/// @param atNanos its time, in nanoseconds since the profile began; of a wait, its beginning. 0 if
///     the source does not tell
/// @param thread the name of the thread, or `virtual-N` for a virtual thread without a name; empty
///     if the source does not tell
/// @param stack innermost frame first; may be empty, and is shared between equal samples
/// @param weight in the unit of the kind
/// @param count number of observations
/// @param detail the object allocated, locked, read or written: a class, a file, an address; or empty. Of a
///     monitor also the thread that held it, if the source tells: `Class, held by thread`
public record Sample(
        SampleKind kind,
        long atNanos,
        String thread,
        List<StackFrame> stack,
        long weight,
        long count,
        String detail) {
    static final String HELD_BY = ", held by ";

    /// Copies the stack, if it is not immutable.
    public Sample {
        stack = List.copyOf(stack);
    }

    /// One observation, without detail.
    public Sample(
            SampleKind kind, long atNanos, String thread, List<StackFrame> stack, long weight) {
        this(kind, atNanos, thread, stack, weight, 1, "");
    }

    /// The [#detail] without the thread that held the lock.
    String object() {
        int end = kind == SampleKind.MONITOR ? detail.indexOf(HELD_BY) : -1;
        return end < 0 ? detail : detail.substring(0, end);
    }

    /// The thread that held the lock; empty if the source does not tell.
    String holder() {
        int end = kind == SampleKind.MONITOR ? detail.indexOf(HELD_BY) : -1;
        return end < 0 ? "" : detail.substring(end + HELD_BY.length());
    }

    /// A method and the line it was at.
    ///
    /// @param owner the class, without the number that the JVM gives hidden classes
    /// @param line 0 if unknown
    public record StackFrame(String owner, String method, int line) {
        /// The frame named by `owner.method`, `owner.method:line` or any other text.
        public static StackFrame parse(String text) {
            int colon = text.lastIndexOf(':');
            int line = 0;
            String name = text;
            if (colon > 0 && colon < text.length() - 1) {
                String digits = text.substring(colon + 1);
                if (digits.length() < 8 && digits.chars().allMatch(Character::isDigit)) {
                    line = Integer.parseInt(digits);
                    name = text.substring(0, colon);
                }
            }
            int dot = name.lastIndexOf('.');
            return new StackFrame(
                    name.substring(0, Math.max(0, dot)), name.substring(dot + 1), line);
        }

        /// `owner.method`, as exact trees name it.
        public String name() {
            return owner.isEmpty() ? method : owner + "." + method;
        }

        /// `owner.method:line`.
        @Override
        public String toString() {
            return line > 0 ? name() + ":" + line : name();
        }
    }
}
