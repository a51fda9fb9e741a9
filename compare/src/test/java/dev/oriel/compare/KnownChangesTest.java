package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.compare.pairs.Fetching;
import dev.oriel.compare.pairs.Making;
import dev.oriel.compare.pairs.Orders;
import dev.oriel.compare.pairs.Packets;
import dev.oriel.compare.pairs.Parsing;
import dev.oriel.compare.pairs.Receiving;
import dev.oriel.compare.pairs.Retries;
import dev.oriel.compare.pairs.Visiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Known changes in real programs, as far as they show in what is exact on any machine: calls, bytes
/// and waits. Those that show in times are made by `scripts/compare-proof changes`.
final class KnownChangesTest {
    private static final int PAIRS = 3;

    /// The caller was blamed, as the method is too short to be timed.
    @Test
    void allocationOfAShortMethodIsItsOwn() throws Exception {
        KnownChange making = KnownChanges.in(Making.class);
        Comparison comparison = exact(making, 1_500);
        Difference bytes = comparison.operation().get(Measure.BYTES);
        assertTrue(bytes != null && bytes.matters(), () -> text(comparison));
        List<Cause> causes =
                comparison.causes().stream()
                        .filter(cause -> cause.method().measure() == Measure.BYTES)
                        .toList();
        assertEquals(
                List.of(making.fullName("make")),
                causes.stream().map(cause -> cause.method().name()).toList(),
                () -> text(comparison));
        assertEquals(32_000, causes.getFirst().method().total().delta(), 100);
        assertEquals(List.of(), comparison.calls(), () -> text(comparison));
    }

    @Test
    void bufferOfEachMessageIsTheEncodersOwn() throws Exception {
        KnownChange packets = KnownChanges.in(Packets.class);
        Comparison comparison = exact(packets, 600);
        List<Cause> causes =
                comparison.causes().stream()
                        .filter(cause -> cause.method().measure() == Measure.BYTES)
                        .toList();
        assertEquals(
                List.of(packets.fullName("encode")),
                causes.stream().map(cause -> cause.method().name()).toList(),
                () -> text(comparison));
        assertEquals(41_120, causes.getFirst().method().total().delta(), 200);
    }

    /// One method calls it as often as before.
    @Test
    void callOfAnotherLayerIsToldWithThatLayer() throws Exception {
        KnownChange orders = KnownChanges.in(Orders.class);
        Comparison comparison = exact(orders, 60);
        assertEquals(
                List.of(
                        orders.fullName("validate")
                                + " is called 2 times an operation instead of 1 by "
                                + orders.fullName("$Service.store")),
                comparison.calls().stream().map(CallChange::sentence).toList());
    }

    /// After an exception.
    @Test
    void repetitionsAreCounted() throws Exception {
        KnownChange retries = KnownChanges.in(Retries.class);
        String expected =
                retries.fullName("attempt")
                        + " is called 12 times an operation instead of 10 by "
                        + retries.fullName("send");
        String first = "";
        for (int operations = 40; operations <= 640 && !first.equals(expected); operations *= 4) {
            // a busy machine may interrupt another call for so long that it comes first
            first = exact(retries, operations).calls().getFirst().sentence();
        }
        assertEquals(expected, first);
    }

    /// On virtual threads.
    @Test
    void callThatIsMadeTwiceIsCounted() throws Exception {
        KnownChange receiving = KnownChanges.in(Receiving.class);
        Comparison comparison = exact(receiving, 160);
        assertEquals(
                List.of(
                        receiving.fullName("checksum")
                                + " is called 2 times an operation instead of 1 by "
                                + receiving.fullName("receive")),
                comparison.calls().stream().map(CallChange::sentence).toList());
    }

    @Test
    void recursionThatGoesFurtherIsCounted() throws Exception {
        KnownChange visiting = KnownChanges.in(Visiting.class);
        Comparison comparison = exact(visiting, 100);
        assertEquals(
                List.of(
                        visiting.fullName("visit")
                                + " is called 900 times an operation instead of 600 by itself"),
                comparison.calls().stream().map(CallChange::sentence).toList());
    }

    /// Whatever the machine does meanwhile, only one method sleeps.
    @Test
    void waitIsThatOfTheMethodThatWaits() throws Exception {
        KnownChange fetching = KnownChanges.in(Fetching.class);
        Comparison comparison =
                fetching.compare(200, false)
                        .withMethods(fetching.patterns())
                        .withPairs(2 * PAIRS)
                        .run(line -> {});
        List<String> waiting =
                comparison.causes().stream()
                        .filter(cause -> cause.method().measure() == Measure.WAITING)
                        .map(cause -> cause.method().name())
                        .toList();
        assertEquals(List.of(fetching.fullName("fetch")), waiting, () -> text(comparison));
    }

    /// Nothing is said to be called more or less often where nothing changed.
    @Test
    void sameProgramsHaveTheSameCalls() throws Exception {
        for (Class<?> program : List.of(Visiting.class, Receiving.class)) {
            KnownChange each = KnownChanges.in(program);
            Comparison comparison =
                    each.compare(40, true)
                            .withMethods(each.patterns())
                            .withSamples(false)
                            .withPairs(PAIRS)
                            .run(line -> {});
            assertEquals(List.of(), comparison.calls(), () -> text(comparison));
        }
    }

    /// Recording their calls took six times as long as the program did.
    @Test
    void methodsThatAreCalledTooOftenAreCountedApart() throws Exception {
        KnownChange parsing = KnownChanges.in(Parsing.class);
        List<String> said = new ArrayList<>();
        Comparison comparison =
                parsing.compare(4_000, false)
                        .withMethods(parsing.patterns() + "," + KnownChange.WORK + "::steps")
                        .withPairs(PAIRS)
                        .run(said::add);
        assertTrue(
                said.stream()
                        .anyMatch(line ->
                                line.startsWith("counted only")
                                        && line.contains(parsing.fullName("value"))),
                said::toString);
        assertEquals(
                List.of(),
                Objects.requireNonNull(comparison.methods().get(Measure.TIME)).stream()
                        .map(MethodChange::name)
                        .filter(parsing.fullName("value")::equals)
                        .toList());
        assertEquals(
                KnownChange.WORK
                        + ".steps is called 780 times an operation instead of 380 by "
                        + parsing.fullName("number"),
                comparison.calls().getFirst().sentence());
    }

    /// Without a word about methods: a first pass finds those that are worth timing.
    @Test
    void methodsAreFoundBySamplesAndThenCounted() throws Exception {
        KnownChange visiting = KnownChanges.in(Visiting.class);
        String visit = visiting.fullName("visit");
        List<String> said = new ArrayList<>();
        Comparison comparison = null;
        for (int operations = 2_000; operations <= 32_000; operations *= 4) {
            said.clear();
            comparison = visiting.compare(operations, false).withPairs(PAIRS).run(said::add);
            if (comparison.calls().stream().anyMatch(call -> call.name().equals(visit))) {
                break; // a busy machine shows a short run to no sampler
            }
        }
        assertEquals("looking for methods to time", said.getFirst());
        assertTrue(comparison != null && !comparison.calls().isEmpty());
        assertEquals(visit, comparison.calls().getFirst().name());
    }

    private static Comparison exact(KnownChange change, int operations) throws Exception {
        return change.compare(operations, false)
                .withMethods(change.patterns())
                .withSamples(false)
                .withPairs(PAIRS)
                .run(line -> {});
    }

    private static String text(Comparison comparison) {
        return new ComparisonText("a", "b").withTables().of(comparison);
    }
}
