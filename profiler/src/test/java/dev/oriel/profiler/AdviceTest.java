package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.Advice.Rule;
import dev.oriel.profiler.slow.Slow;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each rule names, by itself, the cause in a small program that has it, and says nothing about the
/// program that is cured. Samples come from the real Flight Recorder.
class AdviceTest {
    private static final long NANOS = 500_000_000L;

    /// A sampler may see too little on a busy machine: so a fault has some tries to show.
    private static final int TRIES = 4;

    private interface Program {
        long run(Slow.Clock clock) throws Exception;
    }

    private static Program program(String name) {
        return clock -> {
            try {
                return (long) Slow.class.getMethod(name, Slow.Clock.class).invoke(null, clock);
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(e.getCause());
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "CALL_IN_LOOP, callInLoop, Slow.load:",
        "LINEAR_SEARCH, linearSearch, Slow.add:",
        "LINEAR_SEARCH, listSearch, Slow.listSearch:",
        "LOCK, lock, Slow.lambda$lock$",
        "LOCK, otherLock, Slow.lambda$otherLock$",
        "LARGE_BUFFER, largeBuffer, Slow.largeBuffer:",
        "ARRAY_COPY, valuesEachTime, Slow.valuesEachTime:",
        "REFLECTION, reflection, Slow.reflection:",
        "UNUSED_MESSAGE, message, Slow.message:",
        "BOXING, boxes, Slow.boxes:",
        "BOXING, lambdas, Slow.lambdas:",
        "VIEW_PER_ELEMENT, views, Slow.views:",
        "GROWING_MAP, growingMap, Slow.remember:"
    })
    void aFaultIsNamedWithItsPlace(Rule rule, String name, String place) throws Exception {
        Advice found = null;
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < TRIES && found == null; i++) {
            ProfileResult result = profile(program(name));
            List<Advice> advice = advice(result);
            found =
                    advice.stream()
                            .filter(each -> names(each, rule, place))
                            .findFirst()
                            .orElse(null);
            seen.add(advice + " of " + recorded(result));
        }
        if (found == null) {
            throw new AssertionError("no " + rule + " in " + seen);
        }
        assertTrue(found.share() >= 0.05 && found.share() <= 1, found.toString());
        assertTrue(found.place().matches(".*:\\d+"), found.place());
        assertTrue(found.evidence().matches(".*\\d.*\\."), found.evidence());
    }

    @ParameterizedTest
    @CsvSource({
        "CALL_IN_LOOP, callBeforeLoop",
        "LINEAR_SEARCH, boundedSearch",
        "LOCK, shortLock",
        "LARGE_BUFFER, smallBuffer",
        "ARRAY_COPY, valuesOnce",
        "REFLECTION, direct",
        "UNUSED_MESSAGE, messageOnFailure",
        "BOXING, primitives",
        "VIEW_PER_ELEMENT, oneCursor",
        "GROWING_MAP, boundedMap"
    })
    void theCureIsNotTakenForTheFault(Rule rule, String name) throws Exception {
        List<Advice> advice = advice(profile(program(name)));
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        advice.forEach(each -> rules.add(each.rule()));
        assertFalse(rules.contains(rule), advice::toString);
    }

    /// Many calls are no fault if each has another argument, or moves on by itself.
    @Test
    void callsWithOtherArgumentsAreNoAdvice() {
        assertEquals(List.of(), advice(calls("Loops.each", "Loops.square")));
        assertEquals(List.of(), advice(calls("Loops.scan", "Loops.next")));
        assertEquals(List.of(), advice(calls("Loops.unknown", "Loops.absent")));
        Advice found = advice(calls("Loops.same", "Loops.square")).getFirst();
        assertEquals(Rule.CALL_IN_LOOP, found.rule());
        assertTrue(
                found.evidence().endsWith("one call would save about 79 % of the time."),
                found.evidence());
    }

    @Test
    void statementForEachTurnIsAdvice() {
        Advice found = advice(calls("Loops.unknown", "Prepared.query")).getFirst();
        assertEquals(Rule.QUERY_IN_LOOP, found.rule());
        assertTrue(
                found.evidence().endsWith("runs a statement of a database, 50,000 in all."),
                found.evidence());
    }

    private static ProfileResult calls(String caller, String callee) {
        String owner = "dev.oriel.profiler.fixture.";
        CallNode inner =
                new CallNode(owner + callee, 50_000, 800_000_000, 800_000_000, 1, 1, List.of());
        CallNode outer =
                new CallNode(owner + caller, 500, 1_000_000_000, 200_000_000, 1, 1, List.of(inner));
        return new ProfileResult(Instant.EPOCH, 1_000, 1, 0, List.of(outer), List.of(), List.of());
    }

    /// Whether a message was built in vain is not told without the class files.
    @Test
    void thePageGoesByTheClassFilesThatItIsGiven() throws Exception {
        ProfileResult result = profile(program("message"));
        for (int i = 1; i < TRIES && !page(result, code()).contains(vain()); i++) {
            result = profile(program("message"));
        }
        assertTrue(page(result, code()).contains(vain()), recorded(result));
        assertFalse(page(result, ClassCode.of(List.of())).contains(vain()));
    }

    private static String vain() {
        return Rule.UNUSED_MESSAGE.title();
    }

    private static String page(ProfileResult result, ClassCode code) throws IOException {
        StringBuilder page = new StringBuilder();
        ReportFormat.HTML.report(result, "Messages", null, code).write(result, page);
        return page.toString();
    }

    @Test
    void nothingIsAdvisedWhereNothingWasRecorded() throws IOException {
        StringBuilder out = new StringBuilder();
        ProfileResult empty =
                new ProfileResult(Instant.EPOCH, 0, 1, 0, List.of(), List.of(), List.of());
        Advice.report(ClassCode.of(List.of())).write(empty, out);
        assertEquals(
                """
                Nothing was recorded that tells what bounds the program.

                None of the known causes shows in this profile.
                """,
                out.toString());
    }

    private static boolean names(Advice advice, Rule rule, String place) {
        return advice.rule() == rule && advice.place().contains(place);
    }

    /// How much there is of each kind, and the heaviest place of it.
    private static String recorded(ProfileResult result) {
        StringBuilder out = new StringBuilder();
        for (SampleKind kind : SampleKind.values()) {
            List<Sample> samples = result.samples(kind);
            samples.stream()
                    .max(Comparator.comparingLong(Sample::weight))
                    .ifPresent(most ->
                            out.append(kind)
                                    .append(": ")
                                    .append(samples.size())
                                    .append(" stacks weigh ")
                                    .append(result.weight(kind))
                                    .append(", most ")
                                    .append(most)
                                    .append("; "));
        }
        return out.toString();
    }

    private static ProfileResult profile(Program program) throws Exception {
        Set<SampleKind> kinds =
                EnumSet.of(
                        SampleKind.CPU,
                        SampleKind.ALLOCATION,
                        SampleKind.SURVIVOR,
                        SampleKind.MONITOR,
                        SampleKind.PARK);
        Profile profile = Profile.start(ProfileOptions.exactOnly().withSamples(kinds));
        long end = System.nanoTime() + NANOS;
        long did = program.run(() -> System.nanoTime() < end);
        // Survivors are told of what outlived a collection, which so short a run may not have had.
        System.gc();
        ProfileResult result = profile.stop();
        assertTrue(did != 0);
        return result;
    }

    private static List<Advice> advice(ProfileResult result) {
        return Advice.of(result, code());
    }

    private static ClassCode code() {
        return ClassCode.of(Objects.requireNonNull(Slow.class.getClassLoader()));
    }
}
