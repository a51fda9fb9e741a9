package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Facts encoded in the names of cases and subjects.
public final class Cases {
    /// The part of a name that gives the number of records and their size in bytes.
    public static final Pattern SIZE = Pattern.compile("(?<=/)(\\d+)x(\\d+)(?=/|$)");

    /// Subjects that are lower bounds: the machine, and a JVM that does nothing.
    private static final Set<String> FLOORS = Set.of("machine", "jvm");

    private static final List<String> HEADLINE = List.of("oriel", "oriel-disk");

    private Cases() {}

    /// The part before the first slash.
    public static String workload(String caseName) {
        int slash = caseName.indexOf('/');
        return slash < 0 ? caseName : caseName.substring(0, slash);
    }

    /// Whether the result is a peer's: neither Oriel's nor a limit of the machine.
    public static boolean isPeer(Result result) {
        return !result.ours() && !FLOORS.contains(result.subject());
    }

    /// Whether figures of this unit can be ranked: speeds, times and sizes can.
    static boolean isComparable(String unit) {
        return unit.endsWith("/s") || Figures.nanosOf(unit) > 0 || Figures.isBytes(unit);
    }

    /// Sorts better figures first.
    static Comparator<Result> bestFirst() {
        return (a, b) ->
                a.higherIsBetter()
                        ? Double.compare(b.value(), a.value())
                        : Double.compare(a.value(), b.value());
    }

    /// Rank of an Oriel subject as the headline one, smallest first: the default configurations by name, then all
    /// others.
    static int headline(String subject) {
        int index = HEADLINE.indexOf(subject);
        return index < 0 ? HEADLINE.size() : index;
    }

    /// The number of records if the case's name gives it, else 0.
    public static long count(String caseName) {
        Matcher matcher = SIZE.matcher(caseName);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /// The size of a record's value in bytes if the case's name gives it, else 0.
    public static long valueBytes(String caseName) {
        Matcher matcher = SIZE.matcher(caseName);
        return matcher.find() ? Long.parseLong(matcher.group(2)) : 0;
    }
}
