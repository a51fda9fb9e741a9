package dev.oriel.sql.syntax;

/// Traits of a [Function], as bits. They are constants of the compiler: a young JVM does not load this class.
final class Traits {
    /// It may be NULL although no argument is.
    static final int NULLABLE = 1;

    /// Its value depends on the session or the catalog, so a constant call is not folded into a plan.
    static final int STABLE = 1 << 1;

    /// The number and time of its calls matter.
    static final int VOLATILE = 1 << 2;

    /// All calls in one statement return the same value, although it is volatile.
    static final int STEADY = 1 << 3;

    /// Volatile by its definition in Java, which is unknown here.
    static final int FOREIGN = 1 << 4;

    /// As a maximum number of arguments: no limit.
    static final int ANY = Integer.MAX_VALUE;

    private Traits() {}
}
