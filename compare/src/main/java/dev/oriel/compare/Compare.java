package dev.oriel.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Two programs to compare, and the options of the comparison.
///
/// ```java
/// Comparison comparison =
///         Compare.of(Program.command("before", "java -jar before.jar"),
///                         Program.command("after", "java -jar after.jar"))
///                 .withMethods("com.acme.**")
///                 .withPer("com.acme.Shop::sell")
///                 .run(System.err::println);
/// System.out.print(new ComparisonText("before", "after").of(comparison));
/// ```
/// Each run is a fresh JVM. The two take turns, in an order that is drawn and then reversed. Every third time A
/// runs once more, to show how much runs of the same program differ. If no methods are named, each side first runs
/// with samples alone, up to three times until these are enough. Then the most expensive methods are counted and timed.
///
/// An operation is the first of these that is given: a call of `per`, the program's own count, `operations`, the
/// whole run. The program reports its count by a line `@oriel operations 1000` on its standard output. It may also
/// report its results by `@oriel check VALUE`: they must be the same in all runs.
///
/// @param a the baseline
/// @param b the program that is judged
/// @param methods patterns of methods to record exactly, as the agent takes them; empty for none
/// @param per the method whose calls are the operations: `com.acme.Shop::sell`, `Shop.sell`, `sell` if
///     only one of the name is recorded, or its `@Watched` name; empty for none
/// @param operations number of operations of a run, if neither `per` nor the program gives it; 0 for one
/// @param pairs number of pairs of runs, at least 3
/// @param warmup unrecorded time at the start of each run; only together with `per`
/// @param samples whether processor time and allocation are sampled
/// @param sameOutput whether the standard output of all runs must be the same
/// @param duet whether A and B run concurrently instead of in turns
/// @param timeout time after which a run is ended and the comparison fails
/// @param seed of the order
public record Compare(
        Program a,
        Program b,
        String methods,
        String per,
        double operations,
        int pairs,
        Duration warmup,
        boolean samples,
        boolean sameOutput,
        boolean duet,
        Duration timeout,
        long seed) {
    /// Least number of pairs: the interval of fewer is useless.
    public static final int PAIRS_MIN = 3;

    private static final int PAIRS_USUAL = 10;

    /// Least number of pairs that record the calls of all methods, if there are as many, and the divisor of the number
    /// of pairs for them. Three tell apart no allocation of a method, which the compiler decides in part.
    private static final int COUNTED_MIN = 5;

    private static final int COUNTED_PART = 2;

    /// Checks the ranges.
    public Compare {
        check(pairs >= PAIRS_MIN, "Too few pairs: " + pairs + "; it takes " + PAIRS_MIN);
        check(
                warmup.isZero() || !per.isEmpty(),
                "A warm-up needs the method whose calls are the operations, because operations"
                        + " during the warm-up do not count");
        check(!per.contains("*"), "The method of the operations is one, without *: " + per);
        check(
                operations >= 0 && !Double.isInfinite(operations),
                "Not a number of operations: " + operations);
        check(
                samples || !methods.isEmpty() || !per.isEmpty(),
                "Nothing to compare methods by: give patterns of methods, or take samples");
    }

    /// A comparison of ten pairs, with samples.
    public static Compare of(Program a, Program b) {
        return new Compare(
                a,
                b,
                "",
                "",
                0,
                PAIRS_USUAL,
                Duration.ZERO,
                true,
                false,
                false,
                Duration.ofHours(1),
                1);
    }

    /// A copy with methods to record exactly.
    public Compare withMethods(String patterns) {
        return new Compare(
                a,
                b,
                patterns,
                per,
                operations,
                pairs,
                warmup,
                samples,
                sameOutput,
                duet,
                timeout,
                seed);
    }

    /// A copy with a method whose calls are the operations, and a warm-up time.
    public Compare withPer(String method, Duration time) {
        return new Compare(
                a,
                b,
                methods,
                method,
                operations,
                pairs,
                time,
                samples,
                sameOutput,
                duet,
                timeout,
                seed);
    }

    /// A copy with the number of operations of each run.
    public Compare withOperations(double count) {
        return new Compare(
                a, b, methods, per, count, pairs, warmup, samples, sameOutput, duet, timeout, seed);
    }

    /// A copy with another number of pairs.
    public Compare withPairs(int count) {
        return new Compare(
                a,
                b,
                methods,
                per,
                operations,
                count,
                warmup,
                samples,
                sameOutput,
                duet,
                timeout,
                seed);
    }

    /// A copy with or without samples.
    public Compare withSamples(boolean taken) {
        return new Compare(
                a,
                b,
                methods,
                per,
                operations,
                pairs,
                warmup,
                taken,
                sameOutput,
                duet,
                timeout,
                seed);
    }

    /// A copy with the condition that all runs print the same.
    public Compare withSameOutput() {
        return new Compare(
                a, b, methods, per, operations, pairs, warmup, samples, true, duet, timeout, seed);
    }

    /// A copy with A and B running at the same time: other load of the machine then disturbs both alike. It takes two
    /// processors, or they disturb each other.
    public Compare withDuet() {
        return new Compare(
                a,
                b,
                methods,
                per,
                operations,
                pairs,
                warmup,
                samples,
                sameOutput,
                true,
                timeout,
                seed);
    }

    /// A copy with another timeout of a run.
    public Compare withTimeout(Duration time) {
        return new Compare(
                a,
                b,
                methods,
                per,
                operations,
                pairs,
                warmup,
                samples,
                sameOutput,
                duet,
                time,
                seed);
    }

    /// Runs both and compares them.
    ///
    /// @param progress takes messages about the current run
    /// @throws CompareFailure if a run fails or the two cannot be compared
    public Comparison run(Consumer<String> progress)
            throws IOException, InterruptedException, CompareFailure {
        return Comparison.of(pairs(progress));
    }

    /// Runs both.
    ///
    /// @throws CompareFailure if a run fails or results differ
    public Pairs pairs(Consumer<String> progress)
            throws IOException, InterruptedException, CompareFailure {
        Path folder = Files.createTempDirectory("oriel-compare");
        try {
            ProfiledRun runs = new ProfiledRun(this, folder);
            if (methods.isEmpty() && samples) {
                runs = runs.withMethods(candidates(runs, progress));
            }
            Rounds rounds = new Rounds(this, runs);
            if (!runs.recordsCalls()) {
                rounds.until(pairs, "pair", progress);
                return rounds.costs();
            }
            rounds.until(PAIRS_MIN, "pair", progress);
            if (!CostlyCalls.doubleTheTime(rounds.files())) {
                int counted = Math.min(pairs, Math.max(COUNTED_MIN, pairs / COUNTED_PART));
                rounds.until(counted, "pair", progress);
            }
            if (rounds.files().stream().allMatch(file -> file.roots().isEmpty())) {
                progress.accept(
                        "no method of '%s' was called: what causes a difference is told by samples alone"
                                .formatted(runs.methods()));
            }
            Set<String> costly = CostlyCalls.of(rounds.files(), per.replace("::", "."));
            if (costly.isEmpty()) {
                rounds.until(pairs, "pair", progress);
                return withShort(rounds.costs(), rounds, runs, progress);
            }
            progress.accept(untimed(costly));
            Rounds timed = rounds.recorded(runs.without(costly));
            timed.until(pairs, "timed pair", progress);
            Pairs done = timed.costs().withCounted(rounds.costs());
            return withShort(done, rounds, runs, progress);
        } finally {
            Folders.remove(folder);
        }
    }

    /// The pairs with further runs that time short callees alone, if the difference may be theirs.
    private Pairs withShort(Pairs done, Rounds rounds, ProfiledRun runs, Consumer<String> progress)
            throws IOException, InterruptedException, CompareFailure {
        Set<String> open = ShortCalls.toTime(Comparison.of(done), done);
        if (open.isEmpty()) {
            return done;
        }
        progress.accept(
                "timed alone, as the difference may be theirs: "
                        + ComparisonText.some(List.copyOf(open)));
        Rounds alone = rounds.recorded(runs.timing(open));
        alone.until(Math.min(pairs, COUNTED_MIN), "pair with short calls", progress);
        return done.withShort(alone.costs());
    }

    /// The methods worth timing: each side runs with samples alone.
    private String candidates(ProfiledRun runs, Consumer<String> progress)
            throws IOException, InterruptedException, CompareFailure {
        progress.accept("looking for methods to time");
        Candidates candidates = new Candidates();
        for (Program side : List.of(a, b)) {
            long samples = candidates.add(() -> runs.take(side).files());
            if (samples < Candidates.SAMPLES_ENOUGH) {
                progress.accept(
                        "few samples of %s, %d of %d: methods may be missing"
                                .formatted(side.name(), samples, Candidates.SAMPLES_ENOUGH));
            }
        }
        return candidates.patterns();
    }

    private static String untimed(Set<String> costly) {
        return "counted only, as recording the calls of these methods would be compared too: "
                + ComparisonText.some(List.copyOf(costly));
    }

    private static void check(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
