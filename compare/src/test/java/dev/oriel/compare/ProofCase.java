package dev.oriel.compare;

import dev.oriel.compare.fixture.Shop;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change that was put into [Shop], and what a comparison must say of it.
///
/// @param program the further argument of the program, which is its name here
/// @param measure what the change is seen in
/// @param method that must be named
/// @param truth what it costs over what it did
record ProofCase(String program, Measure measure, String method, double truth) {
    static final List<ProofCase> ALL =
            List.of(
                    new ProofCase("lookup=1.5", Measure.TIME, "lookup", 1.5),
                    new ProofCase("lookups=4", Measure.TIME, "lookup", 2),
                    new ProofCase("format=1.6", Measure.TIME, "format", 1.6),
                    new ProofCase("parse=0.5", Measure.TIME, "parse", 0.5));

    /// Changes of what is allocated: more each time, a little more, called more often, less.
    static final List<ProofCase> ALLOCATIONS =
            List.of(
                    new ProofCase("bytes=1.5", Measure.BYTES, "format", 1.5),
                    new ProofCase("lookups=4", Measure.BYTES, "lookup", 2),
                    new ProofCase("bytes=1.1", Measure.BYTES, "format", 1.1),
                    new ProofCase("parsed=0.5", Measure.BYTES, "parse", 0.5));

    /// Greater changes, for comparisons with fewer pairs.
    static final List<ProofCase> GREAT =
            List.of(
                    new ProofCase("lookups=6", Measure.TIME, "lookup", 3),
                    new ProofCase("format=3", Measure.TIME, "format", 3),
                    new ProofCase("lookup=3", Measure.TIME, "lookup", 3),
                    new ProofCase("parse=0.3", Measure.TIME, "parse", 0.3));

    /// The same program under several names.
    static final List<String> SAME = List.of("same-1", "same-2", "same-3");

    /// The unchanged program and those with a change.
    static List<String> programs(List<ProofCase> cases) {
        List<String> programs = new ArrayList<>(SAME);
        cases.forEach(one -> programs.add(one.program));
        return programs;
    }

    /// The program by its name.
    ///
    /// @param allocates whether it does; the time that this takes is no part of the truth about work
    static Program program(String name, int millis, boolean allocates) {
        List<String> words = new ArrayList<>(List.of(Integer.toString(millis)));
        if (!allocates) {
            words.add("plain");
        }
        if (!SAME.contains(name)) {
            words.add(name);
        }
        return Program.main(Shop.class, words.toArray(String[]::new));
    }

    /// The same change, as another measure sees it.
    ProofCase by(Measure other) {
        return new ProofCase(program, other, method, truth);
    }

    /// What a comparison said of it.
    ///
    /// @param named whether the method was named as a cause
    /// @param covered whether the interval holds the truth; an interval that was not named counts
    record Outcome(boolean named, boolean covered, String text) {}

    Outcome judge(Comparison comparison) {
        String full = fullName();
        boolean named =
                comparison.causes().stream()
                        .anyMatch(cause ->
                                cause.method().measure() == measure
                                        && cause.method().name().equals(full));
        Difference total = total(comparison);
        Interval ratio = total == null ? new Interval(1, 1, 1, 0) : total.change().ratio();
        boolean covered = ratio.low() <= truth && truth <= ratio.high();
        return new Outcome(
                named,
                covered,
                "%s of %s, which is %.2f: %s, %s, the interval %s the truth"
                        .formatted(
                                measure.title(),
                                method,
                                truth,
                                ratio,
                                named ? "named" : "not named",
                                covered ? "holds" : "misses"));
    }

    /// What a comparison says of the method; null where it says nothing.
    @Nullable Difference total(Comparison comparison) {
        return comparison.methods().getOrDefault(measure, List.of()).stream()
                .filter(change -> change.name().equals(fullName()))
                .map(MethodChange::total)
                .findFirst()
                .orElse(null);
    }

    private String fullName() {
        return Shop.class.getName() + "." + method;
    }
}
