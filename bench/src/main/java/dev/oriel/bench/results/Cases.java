package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the names of cases and subjects say.
public final class Cases {
    /// The part of a name that gives how many records of how many bytes.
    public static final Pattern SIZE = Pattern.compile("(?<=/)(\\d+)x(\\d+)(?=/|$)");

    /// What shows how fast anything could be: the machine, and a JVM that does nothing.
    private static final Set<String> FLOORS = Set.of("machine", "jvm");

    private static final List<String> HEADLINE = List.of("oriel", "oriel-disk");

    private Cases() {}

    /// The part before the first slash.
    public static String workload(String caseName) {
        int slash = caseName.indexOf('/');
        return slash < 0 ? caseName : caseName.substring(0, slash);
    }

    /// Whether it is what we are compared with: neither ours nor a limit of the machine.
    public static boolean isPeer(Result result) {
        return !result.ours() && !FLOORS.contains(result.subject());
    }

    /// Whether one figure of such a unit is better than another: speeds, times and sizes are.
    static boolean isComparable(String unit) {
        return unit.endsWith("/s") || Figures.nanosOf(unit) > 0 || Figures.isBytes(unit);
    }

    /// The better first.
    static Comparator<Result> bestFirst() {
        return (a, b) ->
                a.higherIsBetter()
                        ? Double.compare(b.value(), a.value())
                        : Double.compare(a.value(), b.value());
    }

    /// Ours that stands for us: the default path where it is named so, else the best. Smaller is
    /// more so.
    static int headline(String subject) {
        int index = HEADLINE.indexOf(subject);
        return index < 0 ? HEADLINE.size() : index;
    }

    /// Records in a case whose name says it, else 0.
    public static long count(String caseName) {
        Matcher matcher = SIZE.matcher(caseName);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /// Bytes of a record's value in a case whose name says it, else 0.
    public static long valueBytes(String caseName) {
        Matcher matcher = SIZE.matcher(caseName);
        return matcher.find() ? Long.parseLong(matcher.group(2)) : 0;
    }
}
