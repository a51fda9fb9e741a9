package dev.oriel.profiler;

import java.nio.file.Path;
import java.util.List;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/// What was written after `-javaagent:oriel-profiler.jar=`.
///
/// @param include methods to instrument beside the watched ones
/// @param exclude of those, the ones to leave alone
/// @param report where to write a report when the JVM ends; null leaves profiles to the program
record AgentOptions(
        List<MethodPattern> include, List<MethodPattern> exclude, @Nullable Path report) {

    static AgentOptions parse(@Nullable String text) {
        List<MethodPattern> include = List.of();
        List<MethodPattern> exclude = List.of();
        Path report = null;
        StringTokenizer parts = new StringTokenizer(text == null ? "" : text, ";");
        while (parts.hasMoreTokens()) {
            String part = parts.nextToken().strip();
            int equals = part.indexOf('=');
            String value = part.substring(equals + 1);
            switch (part.substring(0, Math.max(0, equals))) {
                case "include" -> include = MethodPattern.parseList(value);
                case "exclude" -> exclude = MethodPattern.parseList(value);
                case "report" -> report = Path.of(value);
                default ->
                        throw new IllegalArgumentException(
                                "Unknown option '"
                                        + part
                                        + "'; known are include=PATTERNS, exclude=PATTERNS and"
                                        + " report=FILE, with ; between them");
            }
        }
        return new AgentOptions(include, exclude, report);
    }

    /// Whether a class may have methods to instrument by name.
    boolean mayInclude(String className) {
        for (MethodPattern pattern : include) {
            if (pattern.matchesClass(className)) {
                return true;
            }
        }
        return false;
    }

    boolean includes(String className, String method) {
        return any(include, className, method) && !any(exclude, className, method);
    }

    private static boolean any(List<MethodPattern> patterns, String className, String method) {
        for (MethodPattern pattern : patterns) {
            if (pattern.matches(className, method)) {
                return true;
            }
        }
        return false;
    }
}
