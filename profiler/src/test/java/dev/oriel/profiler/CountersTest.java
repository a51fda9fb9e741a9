package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Numbers of long runs never turn negative or into shares above the whole without a word: what does
/// not fit is refused.
class CountersTest {
    private static final long LIFETIME = 80L * 365 * 24 * 3_600 * 1_000_000_000;
    private static final Pattern NEGATIVE = Pattern.compile("(?<![\\w.\\-:>])-[0-9][0-9,.]*");
    private static final Pattern PERCENT = Pattern.compile("([0-9.]+) ?%");

    @TempDir private Path folder;

    /// Two lifetimes in 200 billion calls, and a hundred petabytes: more than `int` holds, and more
    /// than a hundredth of what `long` does.
    @ParameterizedTest
    @EnumSource(ReportFormat.class)
    void reportsOfLifetimesHoldNoNegativeNumbers(ReportFormat format) throws IOException {
        Path file = folder.resolve("long." + format.name());
        ProfileResult result = lifetimes();
        format.report(result, "Long", null, ClassCode.of(List.of())).write(result, file);
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (text.startsWith("PK") || text.startsWith("\u001f") || format == ReportFormat.HTML) {
            return; // compressed, or a page whose script and style hold other numbers
        }
        Matcher negative = NEGATIVE.matcher(text.replace(": -1", "").replace(":-1", ""));
        assertFalse(negative.find(), () -> negative.group() + " in\n" + text);
        for (Matcher share = PERCENT.matcher(text); share.find(); ) {
            assertTrue(Double.parseDouble(share.group(1)) <= 100.01, text);
        }
    }

    @Test
    void runFileKeepsThemToTheLast() throws IOException {
        Path file = folder.resolve("long.orun");
        RunFile.write(lifetimes(), file);
        ProfileResult read = ProfileReader.read(file);
        assertEquals(2 * LIFETIME, read.totalNanos());
        assertEquals(200_000_000_001L, read.calls());
        assertEquals(lifetimes().roots(), read.roots());
    }

    @Test
    void sumsThatNoNumberHoldsAreRefused() throws IOException {
        CallNode much = node("a.B.much", 1, Long.MAX_VALUE, List.of());
        CallNode more = node("a.B.more", 1, 1, List.of());
        assertRefused(
                "the sum of its numbers is too large", result(List.of(much, more), List.of()));
        Sample sample = new Sample(SampleKind.CPU, 0, "main", stack(), Long.MAX_VALUE);
        assertRefused(
                "the sum of its numbers is too large", result(List.of(), List.of(sample, sample)));
        assertThrows(
                ArithmeticException.class,
                () -> result(List.of(much, more), List.of()).totalNanos());
        // The total of a class counts each of its methods, so it may be more than the whole.
        CallNode outer =
                node("a.B.outer", 1, 1, List.of(node("a.B.inner", 1, 6L << 60, List.of())));
        ProfileResult nested = result(List.of(outer), List.of());
        assertThrows(
                ArithmeticException.class,
                () ->
                        ReportFormat.CLASSES
                                .report(nested, "", null, ClassCode.of(List.of()))
                                .write(nested, new StringBuilder()));
    }

    @Test
    void countersThatHaveTurnedNegativeAreRefused() throws IOException {
        CallNode wrapped = node("a.B.wrapped", -1_294_967_296, 5, List.of());
        assertRefused(
                "a.B.wrapped has -1294967296 calls, 5 ns of self time",
                result(List.of(wrapped), List.of()));
        Sample sample = new Sample(SampleKind.CPU, 0, "main", stack(), -7);
        assertRefused("a sample has the weight -7", result(List.of(), List.of(sample)));
    }

    private void assertRefused(String message, ProfileResult result) throws IOException {
        Path file = folder.resolve("refused.orun");
        RunFile.write(result, file);
        ProfileFormatException refused =
                assertThrows(ProfileFormatException.class, () -> ProfileReader.read(file));
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::toString);
        assertTrue(String.valueOf(refused.getMessage()).contains("refused.orun"));
    }

    private static ProfileResult lifetimes() {
        CallNode inner = node("a.B.inner", 200_000_000_000L, LIFETIME, List.of());
        CallNode outer = node("a.B.outer", 1, LIFETIME, List.of(inner));
        return result(
                List.of(outer),
                List.of(
                        new Sample(SampleKind.CPU, 0, "main", stack(), 5_000_000_000L),
                        new Sample(SampleKind.ALLOCATION, 5, "main", stack(), 100L << 50)));
    }

    private static CallNode node(String name, long calls, long self, List<CallNode> children) {
        long total = self;
        for (CallNode child : children) {
            total = Math.addExact(total, child.totalNanos());
        }
        return new CallNode(name, calls, total, self, 1, self, children);
    }

    private static List<Sample.StackFrame> stack() {
        return List.of(Sample.StackFrame.parse("a.B.inner:7"));
    }

    private static ProfileResult result(List<CallNode> roots, List<Sample> samples) {
        return new ProfileResult(Instant.EPOCH, 2 * LIFETIME, 2, 0, roots, samples, List.of());
    }
}
