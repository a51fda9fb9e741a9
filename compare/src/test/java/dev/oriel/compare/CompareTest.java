package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.compare.fixture.Shop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Real programs in real JVMs. What depends on the machine's mood is proved by [ProofTest]; here only
/// what is exact is looked at.
final class CompareTest {
    private static final String SHOP = Shop.class.getName();
    private static final String METHODS = SHOP + "::find," + SHOP + "::lookup";
    private static final String SELL = SHOP + "::sell";

    @TempDir private Path folder;

    /// With samples, which are few where others have the processor: then it runs for longer.
    private static Comparison sampled(String millis, List<String> progress) throws Exception {
        return Compare.of(shop(millis), shop(millis, "lookups=6"))
                .withMethods(METHODS)
                .withPer(SELL, Duration.ofMillis(100))
                .withPairs(3)
                .run(progress::add);
    }

    private static boolean isSampled(Comparison comparison) {
        return comparison.methods().containsKey(Measure.CPU)
                && comparison.operation().containsKey(Measure.BYTES)
                && new ComparisonText("a", "b")
                        .withTables()
                        .of(comparison)
                        .contains(SHOP + ".lookup");
    }

    @Test
    void callsAreExactAndReportsHoldThem() throws Exception {
        List<String> progress = new ArrayList<>();
        Comparison comparison = sampled("500", progress);
        for (String millis : List.of("2000", "8000")) {
            if (!isSampled(comparison)) {
                progress.clear();
                comparison = sampled(millis, progress);
            }
        }
        assertReported(comparison, progress);
    }

    private void assertReported(Comparison comparison, List<String> progress) throws Exception {
        ComparisonText text = new ComparisonText("before", "after").withTables();
        MethodChange lookup = method(comparison, Measure.TIME, SHOP + ".lookup");
        assertEquals(2, lookup.callsA(), 0.01);
        assertEquals(6, lookup.callsB(), 0.01);
        Interval calls = lookup.calls();
        assertNotNull(calls);
        assertEquals(3, calls.value(), 0.01);
        assertTrue(calls.halfWidth() < 0.01, calls::toString);
        assertEquals(List.of("pair 1 of 3", "pair 2 of 3", "pair 3 of 3"), progress);
        assertEquals(3, comparison.pairs());
        assertTrue(comparison.methods().containsKey(Measure.CPU));
        assertTrue(comparison.operation().containsKey(Measure.BYTES));
        assertTrue(text.of(comparison).contains(SHOP + ".lookup"), () -> text.of(comparison));
        Path page = folder.resolve("compare.html");
        new ComparisonHtml("<before>", "after").write(Map.of("", comparison), page);
        String html = Files.readString(page);
        assertTrue(html.contains("&lt;before&gt;") && !html.contains("<before>"));
        assertTrue(html.contains("{\"n\":\"" + SHOP + ".lookup\""));
        Path json = folder.resolve("compare.json");
        new ComparisonJson("before", "after").write(Map.of("", comparison), json);
        assertTrue(Files.readString(json).contains("\"callsB\" : "));
    }

    @Test
    void bothMayRunAtTheSameTime() throws Exception {
        Comparison comparison =
                Compare.of(shop("300"), shop("300", "lookups=6"))
                        .withMethods(METHODS)
                        .withPer(SELL, Duration.ofMillis(100))
                        .withSamples(false)
                        .withPairs(3)
                        .withDuet()
                        .run(line -> {});
        assertEquals(6, method(comparison, Measure.TIME, SHOP + ".lookup").callsB(), 0.01);
        assertEquals(3, comparison.pairs());
        Compare failing = Compare.of(shop("100"), shop("100", "fail")).withDuet();
        CompareFailure failure = assertThrows(CompareFailure.class, () -> failing.run(line -> {}));
        assertTrue(String.valueOf(failure.getMessage()).contains("ended with code 7"));
    }

    @Test
    void programThatFailsShowsItsOutput() {
        String message = failure(shop("100", "fail"));
        assertTrue(message.contains("ended with code 7"), message);
        assertTrue(message.contains("The shop is closed."), message);
        assertTrue(message.contains("Nobody has the key."), message);
    }

    @Test
    void programWithoutJvmIsToldSo() {
        String message = failure(Program.command("echo", "echo hello"));
        assertTrue(message.contains("No JVM of echo handed a profile over"), message);
        assertTrue(message.contains("hello"), message);
    }

    @Test
    void operationsThatAreNoNumberAreToldSo() {
        String message = failure(shop("100", "operations=many"));
        assertTrue(message.contains("said '@oriel operations' without a number"), message);
    }

    @Test
    void resultsThatDifferAreNotCompared() {
        String message = failure(shop("100"), shop("100", "check=less"));
        assertTrue(message.contains("The results differ"), message);
        assertTrue(message.contains("done") && message.contains("less"), message);
    }

    /// Of A the second run is the first one beside itself.
    @Test
    void resultsOfRunsOfABesideItselfAreLookedAtToo() {
        Program changing = shop("100", "second=" + folder.resolve("runs"));
        String message = failure(changing, shop("100"));
        assertTrue(message.contains("The results differ"), message);
        assertTrue(message.contains("done") && message.contains("less"), message);
    }

    @Test
    void operationThatIsNeverCalledIsNamed() {
        Compare compare =
                Compare.of(shop("100"), shop("100"))
                        .withPer(SHOP + "::refund", Duration.ZERO)
                        .withSamples(false);
        CompareFailure failure = assertThrows(CompareFailure.class, () -> compare.run(line -> {}));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("did not call " + SHOP + "::refund"));
    }

    /// By the name of the method alone, with its class, and as call trees name it.
    @Test
    void operationMayBeNamedAsShortAsOneLikes() throws Exception {
        for (String name : List.of("sell", "Shop::sell", SHOP + ".sell")) {
            Comparison comparison =
                    Compare.of(shop("30"), shop("30", "lookups=6"))
                            .withMethods(METHODS)
                            .withPer(name, Duration.ZERO)
                            .withSamples(false)
                            .withPairs(3)
                            .run(line -> {});
            assertEquals(6, method(comparison, Measure.TIME, SHOP + ".lookup").callsB(), 0.01);
        }
        Compare unknown =
                Compare.of(shop("30"), shop("30"))
                        .withMethods(METHODS)
                        .withPer("sold", Duration.ZERO)
                        .withSamples(false);
        CompareFailure failure = assertThrows(CompareFailure.class, () -> unknown.run(line -> {}));
        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.contains("recorded were, the most called first, " + SHOP + ".lookup, "),
                message);
    }

    @Test
    void programThatEndsInItsWarmupIsToldSo() {
        Compare compare =
                Compare.of(shop("1"), shop("1"))
                        .withPer(SELL, Duration.ofMinutes(10))
                        .withSamples(false);
        CompareFailure failure = assertThrows(CompareFailure.class, () -> compare.run(line -> {}));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("within the warm-up of 600000 ms"),
                failure::toString);
    }

    @Test
    void wrongUseIsRefused() {
        Compare usual = Compare.of(shop("1"), shop("1"));
        assertRefused("Too few pairs: 2", () -> usual.withPairs(2));
        assertRefused("A warm-up needs", () -> usual.withPer("", Duration.ofSeconds(1)));
        assertRefused("is one, without *", () -> usual.withPer("a.B::*", Duration.ZERO));
        assertRefused("Nothing to compare methods by", () -> usual.withSamples(false));
        assertRefused("A quote is not closed", () -> Program.words("java 'x"));
        assertRefused("is empty", () -> Program.command("a", " "));
    }

    @Test
    void wordsOfCommandsMayHoldBlanks() {
        assertEquals(
                List.of("java", "-cp", "a b", "x\"y", ""),
                Program.words(" java -cp 'a b'  x'\"'y ''"));
    }

    private static void assertRefused(String message, Executable use) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, use);
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::toString);
    }

    private static Program shop(String... words) {
        return Program.main(Shop.class, words);
    }

    private static String failure(Program program) {
        return failure(program, program);
    }

    private static String failure(Program a, Program b) {
        Compare compare = Compare.of(a, b).withMethods(METHODS).withSamples(false);
        CompareFailure failure = assertThrows(CompareFailure.class, () -> compare.run(line -> {}));
        return String.valueOf(failure.getMessage());
    }

    private static MethodChange method(Comparison comparison, Measure measure, String name) {
        return comparison.methods().getOrDefault(measure, List.of()).stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(new ComparisonText("A", "B").of(comparison)));
    }
}
