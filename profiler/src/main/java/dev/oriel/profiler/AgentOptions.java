package dev.oriel.profiler;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The options after `-javaagent:oriel-profiler.jar=`.
///
/// @param include methods to instrument in addition to the watched ones
/// @param exclude exceptions from `include`
/// @param without methods that have no probe whatever else is said, by their names in reports
/// @param report file for a report when the JVM ends; null leaves profiles to the program
/// @param run folder for a [RunFile], written when the JVM ends; null for none
/// @param warmup time from the start of the JVM to the start of that run
/// @param profile options of the recording for the report or the run
record AgentOptions(
        List<MethodPattern> include,
        List<MethodPattern> exclude,
        List<Pattern> without,
        @Nullable Path report,
        @Nullable Path run,
        Duration warmup,
        ProfileOptions profile) {

    /// Patterns alone.
    AgentOptions(List<MethodPattern> include, List<MethodPattern> exclude, @Nullable Path report) {
        this(include, exclude, List.of(), report, null, Duration.ZERO, ProfileOptions.everything());
    }

    static AgentOptions parse(@Nullable String text) {
        List<MethodPattern> include = List.of();
        List<MethodPattern> exclude = List.of();
        List<Pattern> without = List.of();
        Path report = null;
        Path run = null;
        Duration warmup = Duration.ZERO;
        ProfileOptions profile = ProfileOptions.everything();
        StringTokenizer parts = new StringTokenizer(text == null ? "" : text, ";");
        while (parts.hasMoreTokens()) {
            String part = parts.nextToken().strip();
            int equals = part.indexOf('=');
            String value = part.substring(equals + 1);
            switch (part.substring(0, Math.max(0, equals))) {
                case "include" -> include = MethodPattern.parseList(value);
                case "exclude" -> exclude = MethodPattern.parseList(value);
                case "without" -> without = names(value);
                case "report" -> {
                    report = Path.of(value);
                    // For a person, who would rather have the rest of the program as fast as it is.
                    profile = profile.withTree(profile.tree().withLeaveOut(true));
                }
                case "run" -> run = Path.of(value);
                case "warmup" -> warmup = millis(part, value);
                case "recording" -> profile = profile.withRecording(Path.of(value));
                case "samples" -> profile = profile.withSamples(kinds(value));
                case "every" -> profile = profile.withSampleEvery(millis(part, value));
                case "waits" ->
                        profile = profile.withWaitsMin(millis(part, value).dividedBy(1_000));
                case "budget" ->
                        profile = profile.withTree(profile.tree().withBudget(percent(value)));
                case "engine" -> profile = profile.withEngine(engine(value));
                case "tree" -> profile = profile.withTree(tree(value, profile.tree()));
                default ->
                        throw new IllegalArgumentException(
                                "Unknown option '"
                                        + part
                                        + "'; known are include=PATTERNS, exclude=PATTERNS,"
                                        + " without=NAMES,"
                                        + " report=FILE, run=FOLDER, warmup=MILLIS, recording=FILE,"
                                        + " samples=KINDS, every=MILLIS, waits=MICROS,"
                                        + " budget=PERCENT, engine=jfr|async and"
                                        + " tree=allocation,cpu,expand,timed, with ; between them");
            }
        }
        return new AgentOptions(include, exclude, without, report, run, warmup, profile);
    }

    private static List<Pattern> names(String text) {
        return Arrays.stream(text.split(",", -1)).map(MethodPattern::glob).toList();
    }

    /// Whether a method has no probe, even if it is watched or included.
    ///
    /// @param name of the method in reports
    boolean leavesOut(String name) {
        for (Pattern pattern : without) {
            if (pattern.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }

    private static double percent(String text) {
        try {
            return Double.parseDouble(text) / 100;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("budget=" + text + " is not a percentage", e);
        }
    }

    private static Duration millis(String part, String text) {
        try {
            return Duration.ofMillis(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(part + " is not a number of ms", e);
        }
    }

    /// Kinds of samples by their names: `none`, `usual`, or some separated by commas.
    static Set<SampleKind> kinds(String text) {
        Set<SampleKind> kinds = EnumSet.noneOf(SampleKind.class);
        for (String word : text.split(",", -1)) {
            switch (word.strip().toUpperCase(Locale.ROOT).replace('-', '_')) {
                case "NONE" -> {}
                case "USUAL" -> kinds.addAll(ProfileOptions.USUAL_SAMPLES);
                case String name -> kinds.add(kind(name));
            }
        }
        return kinds;
    }

    private static SampleKind kind(String name) {
        for (SampleKind kind : SampleKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "There is no kind of samples named "
                        + name.toLowerCase(Locale.ROOT)
                        + "; there are none, usual, "
                        + Arrays.toString(SampleKind.values()).toLowerCase(Locale.ROOT));
    }

    private static ProfileOptions.Engine engine(String text) {
        return switch (text) {
            case "jfr" -> ProfileOptions.Engine.JFR;
            case "async" -> ProfileOptions.Engine.ASYNC;
            default ->
                    throw new IllegalArgumentException("engine=" + text + " is not jfr or async");
        };
    }

    private static TreeOptions tree(String text, TreeOptions usual) {
        TreeOptions options = usual;
        for (String word : text.split(",", -1)) {
            options =
                    switch (word.strip()) {
                        case "allocation" -> options.withAllocation(true);
                        case "cpu" -> options.withCpu(true);
                        case "expand" -> options.withExpandRecursion(true);
                        case "timed" -> options.withAutoTune(false);
                        default ->
                                throw new IllegalArgumentException(
                                        "tree="
                                                + word
                                                + " is not allocation, cpu, expand or timed");
                    };
        }
        return options;
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
