package dev.oriel.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// A program, a change of it and the truth: its method, and the others that show it. [KnownChanges] lists them.
///
/// @param kind the resource that the change takes more of
/// @param program whose second argument makes the change
/// @param word that argument
/// @param per the method whose calls are operations; empty if the program counts them
/// @param methods names that are right to be named first: the changed method, and one that bears its cost alone
/// @param callers methods that show the change too: its callers, callees that bear part of it, and methods that wait
///     for it
/// @param flags options of both JVMs
/// @param changedFlags further options of the changed one
/// @param operations number of operations of a run
record KnownChange(
        String kind,
        Class<?> program,
        String word,
        String per,
        Set<String> methods,
        Set<String> callers,
        List<String> flags,
        List<String> changedFlags,
        int operations) {
    /// The programs' helper, which bears the cost of most changes.
    static final String WORK = "dev.oriel.compare.pairs.Work";

    private static final Duration WARM_UP = Duration.ofMillis(200);
    private static final Duration CALIBRATION_MAX = Duration.ofMinutes(2);
    private static final int CALIBRATIONS = 2;
    private static final int MOST_OPERATIONS = 10_000_000;

    /// @param methods names with blanks between; `$Inner.name` is a method of a nested class
    static KnownChange change(
            String kind, Class<?> program, String per, String methods, int operations) {
        Set<String> all = per.isEmpty() ? Set.of() : Set.of(per);
        return new KnownChange(
                kind,
                program,
                "changed",
                per,
                words(methods),
                all,
                List.of(),
                List.of(),
                operations);
    }

    /// This with further methods that show the change.
    KnownChange alsoIn(String names) {
        Set<String> all = words(names);
        all.addAll(callers);
        return new KnownChange(
                kind, program, word, per, methods, all, flags, changedFlags, operations);
    }

    /// This by a number of percent of an operation.
    KnownChange by(int percent) {
        return new KnownChange(
                kind + " " + percent + " %",
                program,
                "changed:" + percent,
                per,
                methods,
                callers,
                flags,
                changedFlags,
                operations);
    }

    /// This with options of both JVMs.
    KnownChange with(String... options) {
        return new KnownChange(
                kind,
                program,
                word,
                per,
                methods,
                callers,
                List.of(options),
                changedFlags,
                operations);
    }

    /// This with options of the changed JVM.
    KnownChange changedBy(String... options) {
        return new KnownChange(
                kind, program, word, per, methods, callers, flags, List.of(options), operations);
    }

    private static Set<String> words(String names) {
        return new LinkedHashSet<>(List.of(names.split(" ")));
    }

    /// This with as many operations as this machine, in its present load, does in a run of some length.
    KnownChange lasting(Duration wanted) throws IOException, InterruptedException {
        if (per.isEmpty()) {
            return this; // it does one operation, its start
        }
        int count = operations;
        for (int i = 0; i < CALIBRATIONS; i++) { // a longer run has more of it compiled
            long start = System.nanoTime();
            Program program = main(List.of(), Integer.toString(count));
            FreshProcess.Exit exit =
                    new FreshProcess(
                                    program.resolved(), Map.of(), program.folder(), CALIBRATION_MAX)
                            .run(line -> {});
            if (exit.code() != 0) {
                throw new IllegalStateException(program.name() + " failed: " + exit.errors());
            }
            double share = (double) wanted.toNanos() / (System.nanoTime() - start);
            count = (int) Math.max(1, Math.min(MOST_OPERATIONS, count * share));
        }
        return new KnownChange(
                kind, program, word, per, methods, callers, flags, changedFlags, count);
    }

    /// The method that changed.
    String method() {
        return methods.iterator().next();
    }

    /// The unchanged program and the changed one, without a warm-up.
    Compare compare(int times, boolean same) {
        String count = Integer.toString(Math.max(1, times));
        Program changed = main(changedFlags, count, word);
        Compare compare =
                Compare.of(main(List.of(), count), same ? main(List.of(), count) : changed);
        return per.isEmpty() ? compare : compare.withPer(fullName(per), Duration.ZERO);
    }

    /// The comparison as a user makes it.
    Compare compare(boolean same) {
        Compare compare = compare(operations, same);
        return per.isEmpty() ? compare : compare.withPer(fullName(per), WARM_UP);
    }

    private Program main(List<String> further, String... words) {
        Program plain = Program.main(program, words);
        List<String> command = new ArrayList<>(plain.command());
        command.addAll(1, further);
        command.addAll(1, flags);
        return new Program(plain.name(), command, plain.folder());
    }

    /// All its methods, for comparisons that do not look for those that are worth it.
    String patterns() {
        return program.getName() + "," + program.getName() + "$*";
    }

    String fullName(String name) {
        return program.getName() + (name.startsWith("$") ? "" : ".") + name;
    }

    /// The answer of a comparison.
    ///
    /// @param cause the line about the cause; empty for none
    /// @param first whether it names the changed method, as the one that costs more or that makes further calls
    /// @param innocent methods that were named though the change shows in none that they call
    record Score(String cause, boolean first, Set<String> innocent) {}

    Score score(Comparison comparison) {
        String cause =
                new Summary(comparison)
                        .lines().stream()
                                .filter(line -> line.startsWith("Cause: dev."))
                                .map(line -> line.substring("Cause: ".length(), line.length() - 1))
                                .findFirst()
                                .orElse("");
        List<String> words = List.of(cause.replace(",", "").split(" "));
        Set<String> right = full(methods);
        boolean more =
                comparison.causes().stream()
                                .anyMatch(each -> each.worse() && each.sentence().equals(cause))
                        || comparison.calls().stream()
                                .anyMatch(each -> each.more() && each.sentence().equals(cause));
        boolean first = more && right.contains(words.getFirst());
        Set<String> named = new LinkedHashSet<>();
        for (CallChange change : comparison.calls()) {
            boolean isCause = words.getFirst().equals(change.name());
            String caller = change.path().get(Math.max(0, change.path().size() - 2));
            if (right.contains(caller)) {
                first |= more && isCause && words.contains(caller);
            } else {
                named.add(change.name());
            }
        }
        comparison.causes().forEach(each -> named.add(each.name()));
        named.removeAll(right);
        named.removeAll(full(callers));
        named.remove(WORK + ".steps");
        return new Score(cause, first, named);
    }

    private Set<String> full(Set<String> names) {
        return names.stream().map(this::fullName).collect(Collectors.toSet());
    }
}
