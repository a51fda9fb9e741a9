package dev.oriel.compare;

import dev.oriel.compare.pairs.Fetching;
import dev.oriel.compare.pairs.Locking;
import dev.oriel.compare.pairs.Making;
import dev.oriel.compare.pairs.Parsing;
import dev.oriel.compare.pairs.Receiving;
import dev.oriel.compare.pairs.Visiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A program, a change of it and the truth: which method it is in, and which others cannot help but
/// show it. A growing list; `scripts/compare-proof changes` makes each comparison and scores it.
///
/// @param program whose second argument `changed` makes the change
/// @param per the method whose calls are operations
/// @param method that changed
/// @param callers methods that the change shows in because they call it
/// @param seenIn what it shows in
/// @param operations that a run does
record KnownChange(
        Class<?> program,
        String per,
        String method,
        Set<String> callers,
        Set<Measure> seenIn,
        int operations) {
    private static final Set<Measure> TIMES = Set.of(Measure.TIME, Measure.WORK, Measure.CPU);

    static final List<KnownChange> ALL =
            List.of(
                    of(Parsing.class, "parse", "number", "document value", TIMES, 20_000),
                    of(Making.class, "operation", "make", "", Set.of(Measure.BYTES), 20_000),
                    of(Locking.class, "transfer", "book", "serve", TIMES, 8_000),
                    of(
                            Fetching.class,
                            "answer",
                            "fetch",
                            "",
                            Set.of(Measure.TIME, Measure.WAITING),
                            2_000),
                    of(Visiting.class, "walk", "visit", "", TIMES, 10_000),
                    of(Receiving.class, "receive", "checksum", "serve", TIMES, 16_000));

    private static KnownChange of(
            Class<?> program,
            String per,
            String method,
            String callers,
            Set<Measure> seenIn,
            int operations) {
        Set<String> all = new HashSet<>(Set.of(callers.split(" ")));
        all.add(per);
        return new KnownChange(program, per, method, all, seenIn, operations);
    }

    static KnownChange of(Class<?> program) {
        return ALL.stream().filter(each -> each.program == program).findFirst().orElseThrow();
    }

    /// The unchanged program and the changed one.
    Compare compare(int times, boolean same) {
        String count = Integer.toString(Math.max(1, times));
        return Compare.of(
                        Program.main(program, count),
                        same
                                ? Program.main(program, count)
                                : Program.main(program, count, "changed"))
                .withPer(fullName(per), Duration.ZERO);
    }

    /// All its methods, for comparisons that do not look for those that are worth it.
    String methods() {
        return program.getName() + "," + program.getName() + "$*";
    }

    String fullName(String name) {
        return program.getName() + "." + name;
    }

    /// What a comparison said.
    ///
    /// @param first whether the method is the first that is named
    /// @param innocent methods that were named though the change is in none that they call
    record Score(boolean first, Set<String> innocent) {}

    Score score(Comparison comparison) {
        List<String> named = named(comparison);
        Set<String> innocent =
                named.stream()
                        .filter(name -> !name.equals(fullName(method)))
                        .filter(name -> callers.stream().noneMatch(c -> name.equals(fullName(c))))
                        .collect(Collectors.toSet());
        return new Score(!named.isEmpty() && named.getFirst().equals(fullName(method)), innocent);
    }

    /// The methods that the ten lines and the lists name, in their order.
    private static List<String> named(Comparison comparison) {
        List<String> named = new ArrayList<>();
        String cause =
                new Summary(comparison)
                        .lines().stream()
                                .filter(line -> line.startsWith("Cause: dev."))
                                .map(line -> line.split(" ", 3)[1])
                                .findFirst()
                                .orElse("");
        if (!cause.isEmpty()) {
            named.add(cause);
        }
        comparison.calls().forEach(change -> named.add(change.name()));
        comparison.causes().forEach(each -> named.add(each.method().name()));
        return named;
    }
}
