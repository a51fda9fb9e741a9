package dev.oriel.profiler.jmh;

import java.util.Locale;
import java.util.StringTokenizer;
import org.openjdk.jmh.profile.ProfilerException;

/// The options after the name of the profiler.
///
/// @param include patterns of methods to record exactly; empty for none
/// @param exclude exceptions from `include`; empty for none
/// @param samples whether processor time and allocation are sampled
/// @param top greatest number of methods that become results, of each kind
record JmhOptions(String include, String exclude, boolean samples, int top) {
    private static final String KNOWN =
            "known are include=PATTERNS, exclude=PATTERNS, samples=true|false and top=NUMBER,"
                    + " with ; between them";

    static JmhOptions parse(String line) throws ProfilerException {
        String include = "";
        String exclude = "";
        String samples = "";
        int top = 20;
        StringTokenizer parts = new StringTokenizer(line, ";");
        while (parts.hasMoreTokens()) {
            String part = parts.nextToken().strip();
            int equals = part.indexOf('=');
            String value = part.substring(equals + 1);
            switch (part.substring(0, Math.max(0, equals))) {
                case "include" -> include = value;
                case "exclude" -> exclude = value;
                case "samples" -> samples = value.toLowerCase(Locale.ROOT);
                case "top" -> top = number(value);
                default -> throw new ProfilerException("Unknown option '" + part + "'; " + KNOWN);
            }
        }
        if (!samples.isEmpty() && !samples.equals("true") && !samples.equals("false")) {
            throw new ProfilerException("Not true or false: 'samples=" + samples + "'; " + KNOWN);
        }
        boolean sampled = samples.isEmpty() ? include.isEmpty() : samples.equals("true");
        if (include.isEmpty() && !sampled) {
            throw new ProfilerException("Nothing to record; " + KNOWN);
        }
        return new JmhOptions(include, exclude, sampled, top);
    }

    private static int number(String value) throws ProfilerException {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new ProfilerException("Not a number: 'top=" + value + "'; " + KNOWN);
        }
    }

    /// The options of the agent, which follow its path.
    String agentArguments() {
        return "include=" + include + (exclude.isEmpty() ? "" : ";exclude=" + exclude);
    }
}
