package dev.oriel.sql.engine;

import dev.oriel.store.LimitException;

/// Exhaustion of memory or stack in one call of the engine. Only that call fails: the JVM frees its memory as it
/// ends, and other calls continue.
public final class Exhaustion {
    private Exhaustion() {}

    /// The exception for `error`, with that as its cause.
    ///
    /// @throws Error `error` itself, if neither memory nor stack has run out
    public static LimitException limit(Error error) {
        return switch (error) {
            case OutOfMemoryError _ ->
                    new LimitException(
                            "Memory has run out; work on fewer rows at once, or give the JVM more"
                                    + " (-Xmx, -XX:MaxDirectMemorySize)",
                            "",
                            error);
            case StackOverflowError _ ->
                    new LimitException(
                            "The thread's stack has run out; nest the statement less, or give the"
                                    + " thread more (-Xss)",
                            "",
                            error);
            default -> throw error;
        };
    }
}
