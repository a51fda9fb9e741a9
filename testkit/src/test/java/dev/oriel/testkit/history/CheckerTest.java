package dev.oriel.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Each anomaly in the smallest history that shows it, beside one that differs little and does not.
final class CheckerTest {
    private static Set<Kind> kinds(List<Anomaly> anomalies) {
        return anomalies.stream().map(Anomaly::kind).collect(Collectors.toSet());
    }

    private static Set<Kind> found(Level level, String text) {
        return kinds(Checker.check(HistoryText.parse(text), level));
    }

    private static Set<Kind> foundStrictly(Level level, String text) {
        return kinds(Checker.checkStrict(HistoryText.parse(text), level));
    }

    /// At this level, and not at those below.
    private static void assertShows(Kind kind, Level from, String text) {
        for (Level level : Level.values()) {
            Set<Kind> expected = level.compareTo(from) >= 0 ? Set.of(kind) : Set.of();
            assertEquals(expected, found(level, text), level.toString());
        }
    }

    private static void assertClean(String text) {
        assertEquals(List.of(), Checker.check(HistoryText.parse(text), Level.SERIALIZABLE));
    }

    @Test
    void dirtyWrite() {
        String writers =
                """
                1-9 committed: append 1 10; append 2 20
                2-9 committed: append 1 11; append 2 21
                """;
        assertShows(
                Kind.DIRTY_WRITE,
                Level.READ_COMMITTED,
                writers + "9-10 committed: list 1 = 10 11; list 2 = 21 20");
        assertClean(writers + "9-10 committed: list 1 = 10 11; list 2 = 20 21");
        assertClean(writers + "9-10 committed: list 1 = 11 10; list 2 = 21 20");
    }

    @Test
    void abortedRead() {
        assertShows(
                Kind.ABORTED_READ,
                Level.READ_COMMITTED,
                """
                1-9 aborted: append 1 10
                2-9 committed: list 1 = 10
                """);
        assertShows(
                Kind.ABORTED_READ,
                Level.READ_COMMITTED,
                """
                1-9 aborted: write 1 10
                2-9 committed: read 1 = 10
                """);
        assertClean(
                """
                1-9 unknown: append 1 10; write 2 20
                2-9 committed: list 1 = 10; read 2 = 20
                """);
        assertClean(
                """
                1-9 aborted: append 1 10
                2-9 aborted: list 1 = 10
                """);
    }

    @Test
    void intermediateRead() {
        String list =
                """
                1-9 committed: append 1 10; append 1 11
                2-9 committed: list 1 = 10
                """;
        assertEquals(Set.of(Kind.INTERMEDIATE_READ), found(Level.READ_COMMITTED, list));
        assertEquals(Set.of(Kind.INTERMEDIATE_READ, Kind.READ_SKEW), found(Level.SNAPSHOT, list));
        assertShows(
                Kind.INTERMEDIATE_READ,
                Level.READ_COMMITTED,
                """
                1-9 committed: write 1 10; write 1 11
                2-9 committed: read 1 = 10
                """);
        assertClean(
                """
                1-9 committed: append 1 10; list 1 = 10; append 1 11
                2-9 committed: list 1 = 10 11
                3-9 committed: write 2 20; read 2 = 20; write 2 21
                4-9 committed: read 2 = 21
                """);
    }

    @Test
    void circularInformationFlow() {
        assertShows(
                Kind.CIRCULAR_INFORMATION_FLOW,
                Level.READ_COMMITTED,
                """
                1-9 committed: append 1 10; list 2 = 20
                1-9 committed: append 2 20; list 1 = 10
                """);
        assertShows(
                Kind.CIRCULAR_INFORMATION_FLOW,
                Level.READ_COMMITTED,
                """
                1-9 committed: write 1 10; read 2 = 20
                1-9 committed: write 2 20; read 1 = 10
                """);
        assertClean(
                """
                1-9 committed: append 1 10; list 2 = 20
                1-9 committed: append 2 20; list 1 =
                """);
    }

    @Test
    void readSkew() {
        assertShows(
                Kind.READ_SKEW,
                Level.SNAPSHOT,
                """
                1-9 committed: append 1 10; append 2 20
                1-9 committed: list 1 = 10; list 2 =
                """);
        assertShows(
                Kind.READ_SKEW,
                Level.SNAPSHOT,
                """
                1-9 committed: read 1 = nothing; read 2 = nothing; write 1 10; write 2 20
                1-9 committed: read 1 = 10; read 2 = nothing
                """);
        assertClean(
                """
                1-9 committed: append 1 10; append 2 20
                1-9 committed: list 1 = 10; list 2 = 20
                1-9 committed: list 1 =; list 2 =
                """);
    }

    @Test
    void readSkewOverSeveralTransactions() {
        String circle =
                """
                1-9 committed: append 1 10
                1-9 committed: list 1 = 10; append 2 20
                1-9 committed: list 2 = 20; append 3 30
                """;
        assertShows(
                Kind.READ_SKEW, Level.SNAPSHOT, circle + "1-9 committed: list 3 = 30; list 1 =");
        assertClean(circle + "1-9 committed: list 3 = 30; list 1 = 10");
    }

    @Test
    void longFork() {
        String three =
                """
                1-9 committed: append 1 10
                1-9 committed: append 2 20
                1-9 committed: list 1 = 10; list 2 =
                """;
        assertShows(Kind.LONG_FORK, Level.SNAPSHOT, three + "1-9 committed: list 1 =; list 2 = 20");
        assertClean(three + "1-9 committed: list 1 = 10; list 2 = 20");
    }

    @Test
    void writeSkew() {
        assertShows(
                Kind.WRITE_SKEW,
                Level.SERIALIZABLE,
                """
                1-9 committed: list 1 =; append 2 20
                1-9 committed: list 2 =; append 1 10
                """);
        assertShows(
                Kind.WRITE_SKEW,
                Level.SERIALIZABLE,
                """
                1-9 committed: read 1 = nothing; read 2 = nothing; write 2 20
                1-9 committed: read 2 = nothing; read 1 = nothing; write 1 10
                """);
        assertClean(
                """
                1-9 committed: list 1 =; append 2 20
                1-9 committed: list 2 = 20; append 1 10
                """);
    }

    /// Two that write, one that only reads (Fekete, O'Neil, O'Neil 2004).
    @Test
    void readerShowsThatTwoWritersAreNotSerializable() {
        String writers =
                """
                1-9 committed: read 1 = nothing; read 2 = nothing; write 1 10
                1-9 committed: read 2 = nothing; write 2 20
                """;
        assertClean(writers + "1-9 committed: read 1 = nothing; read 2 = nothing");
        assertShows(
                Kind.WRITE_SKEW,
                Level.SERIALIZABLE,
                writers + "1-9 committed: read 1 = nothing; read 2 = 20");
    }

    @Test
    void lostUpdate() {
        String first =
                """
                1-2 committed: write 1 1
                3-9 committed: read 1 = 1; write 1 2
                """;
        assertShows(
                Kind.LOST_UPDATE, Level.SNAPSHOT, first + "3-9 committed: read 1 = 1; write 1 3");
        assertClean(first + "3-9 committed: read 1 = 2; write 1 3");
        assertClean(first + "3-9 aborted: read 1 = 1; write 1 3");
        assertShows(
                Kind.LOST_UPDATE,
                Level.SNAPSHOT,
                """
                3-9 committed: list 1 =; append 1 2
                3-9 committed: list 1 =; append 1 3
                9-9 committed: list 1 = 2 3
                """);
        assertClean(
                """
                3-9 committed: list 1 =; append 1 2
                3-9 committed: append 1 3
                9-9 committed: list 1 = 2 3
                """);
    }

    @Test
    void nonRepeatableRead() {
        String register =
                """
                1-9 committed: read 1 = nothing; write 1 10
                1-9 committed: read 1 = nothing; read 1 = 10
                """;
        assertEquals(Set.of(), found(Level.READ_COMMITTED, register));
        assertTrue(found(Level.SNAPSHOT, register).contains(Kind.NON_REPEATABLE_READ));
        String list =
                """
                1-9 committed: append 1 10
                1-9 committed: list 1 =; append 1 11; list 1 = 10 11
                """;
        assertEquals(Set.of(), found(Level.READ_COMMITTED, list));
        assertTrue(found(Level.SNAPSHOT, list).contains(Kind.NON_REPEATABLE_READ));
        assertClean(
                """
                1-9 committed: append 1 10
                1-9 committed: list 1 = 10; append 1 11; list 1 = 10 11; list 1 = 10 11
                1-9 committed: read 2 = nothing; read 2 = nothing; write 2 3; read 2 = 3
                """);
    }

    @Test
    void ownWriteNotSeen() {
        Kind kind = Kind.OWN_WRITE_NOT_SEEN;
        for (String wrong :
                List.of(
                        "1-9 committed: write 1 1; read 1 = nothing",
                        "1-9 committed: write 1 1; write 1 2; read 1 = 1",
                        "1-9 committed: read 1 = 1; write 1 1",
                        "1-9 committed: append 1 10; list 1 =",
                        "1-9 committed: append 1 10; append 1 11; list 1 = 10",
                        "1-9 committed: list 1 = 10; append 1 10")) {
            assertShows(kind, Level.READ_COMMITTED, wrong);
        }
        assertClean("1-9 committed: write 1 1; write 1 2; read 1 = 2");
        assertClean("1-9 committed: append 1 10; list 1 = 10; append 1 11; list 1 = 10 11");
        assertClean("1-9 aborted: write 1 1; read 1 = nothing");
    }

    @Test
    void staleReadAgainstRealTime() {
        String stale =
                """
                1-2 committed: append 1 10
                3-4 committed: list 1 =
                """;
        assertClean(stale);
        assertEquals(Set.of(), foundStrictly(Level.READ_COMMITTED, stale));
        assertEquals(Set.of(Kind.STALE_READ), foundStrictly(Level.SNAPSHOT, stale));
        assertEquals(Set.of(Kind.STALE_READ), foundStrictly(Level.SERIALIZABLE, stale));
        for (String near : List.of("2-4 committed: list 1 =", "3-4 committed: list 1 = 10")) {
            String text = "1-2 committed: append 1 10\n" + near;
            assertEquals(Set.of(), foundStrictly(Level.SERIALIZABLE, text));
        }
        String unknown =
                "1-2 unknown: append 1 10\n3-4 committed: list 1 =\n5-6 committed: list 1 = 10";
        assertEquals(Set.of(), foundStrictly(Level.SERIALIZABLE, unknown));
    }

    @Test
    void staleReadAcrossMomentsOfOthers() {
        String text =
                """
                1-2 committed: read 1 = nothing; write 1 10
                3-4 committed: read 2 = nothing; write 2 20
                5-6 committed: read 3 = nothing; write 3 30
                7-8 committed: read 1 = nothing
                """;
        List<Anomaly> anomalies = Checker.checkStrict(HistoryText.parse(text), Level.SNAPSHOT);
        assertEquals(Set.of(Kind.STALE_READ), kinds(anomalies));
        assertEquals(Set.of(0, 3), Set.copyOf(anomalies.getFirst().transactions()));
        assertTrue(anomalies.getFirst().text().contains("T0 ended at 2, before T3 began at 7"));
    }

    @Test
    void writesAgainstRealTime() {
        String text =
                """
                1-2 committed: append 1 10
                3-4 committed: append 1 11
                """;
        String wrong = text + "5-6 committed: list 1 = 11 10";
        assertClean(wrong);
        assertEquals(Set.of(Kind.DIRTY_WRITE), foundStrictly(Level.READ_COMMITTED, wrong));
        String right = text + "5-6 committed: list 1 = 10 11";
        assertEquals(Set.of(), foundStrictly(Level.SERIALIZABLE, right));
    }

    @Test
    void appendThatNobodySawComesAfterAllThatWereSeen() {
        String text =
                """
                1-2 committed: append 1 10
                3-4 committed: append 1 11
                """;
        assertEquals(
                Set.of(Kind.STALE_READ),
                foundStrictly(Level.SNAPSHOT, text + "5-6 committed: list 1 = 10"));
        assertEquals(Set.of(), foundStrictly(Level.SNAPSHOT, text + "4-6 committed: list 1 = 10"));
    }

    @Test
    void readsOfWhatNobodyWrote() {
        Kind unwritten = Kind.UNWRITTEN_READ;
        assertShows(unwritten, Level.READ_COMMITTED, "1-2 committed: read 1 = 5");
        assertShows(unwritten, Level.READ_COMMITTED, "1-2 committed: list 1 = 5");
        assertClean("1-2 committed: read 1 = nothing; list 2 =");
        assertClean("1-2 aborted: read 1 = 5; list 2 = 6");
        String unknown = "1-2 unknown: read 1 = 5; append 2 6\n";
        assertClean(unknown + "1-2 committed: list 2 =");
        assertShows(unwritten, Level.READ_COMMITTED, unknown + "1-2 committed: list 2 = 6");
    }

    @Test
    void listsThatContradictThemselves() {
        String writers =
                """
                1-2 committed: append 1 10
                1-2 committed: append 1 11
                """;
        assertShows(
                Kind.DUPLICATE_ELEMENT,
                Level.READ_COMMITTED,
                writers + "1-2 committed: list 1 = 10 11 10");
        assertShows(
                Kind.INCOMPATIBLE_READS,
                Level.READ_COMMITTED,
                writers + "1-2 committed: list 1 = 10 11\n3-4 committed: list 1 = 11");
        assertClean(writers + "1-2 committed: list 1 = 10 11\n3-4 committed: list 1 = 10");
    }

    @Test
    void blindWritesHaveNoOrderOfTheirOwn() {
        assertClean(
                """
                1-2 committed: write 1 1
                1-2 committed: write 1 2
                3-4 committed: read 1 = 2; read 2 = nothing; write 2 20
                3-4 committed: read 1 = 1; read 2 = 20
                """);
    }

    @Test
    void circleIsToldInWords() {
        List<Anomaly> anomalies =
                Checker.check(
                        HistoryText.parse(
                                """
                                1-9 committed: append 1 10; append 2 20
                                1-8 committed: list 1 = 10; list 2 =
                                """),
                        Level.SNAPSHOT);
        assertEquals(1, anomalies.size());
        assertEquals(List.of(0, 1), anomalies.getFirst().transactions().stream().sorted().toList());
        List<String> lines = anomalies.getFirst().toString().lines().toList();
        assertEquals("G-single: a transaction saw a part of another's effects", lines.getFirst());
        assertEquals(
                Set.of(
                        "T1 saw what T0 wrote: read(1) = [10]",
                        "T1 did not see what T0 wrote: append(2, 20)"),
                Set.copyOf(lines.subList(1, 3)));
        assertEquals(
                List.of(
                        "T0 COMMITTED from 1 to 9: append(1, 10), append(2, 20)",
                        "T1 COMMITTED from 1 to 8: read(1) = [10], read(2) = []"),
                lines.subList(3, 5));
    }

    @Test
    void whatCannotBeToldApartIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> found(Level.SNAPSHOT, "1-2 committed: write 1 1; write 1 1"));
        assertThrows(
                IllegalArgumentException.class,
                () -> found(Level.SNAPSHOT, "1-2 committed: write 1 1; append 1 2"));
        Recorder recorder = new Recorder();
        assertThrows(IllegalStateException.class, () -> recorder.read(1, 2));
        recorder.begin(1);
        assertThrows(IllegalStateException.class, () -> recorder.begin(2));
    }

    @Test
    void transactionThatHasNotEndedIsLeftOut() {
        Recorder recorder = new Recorder();
        recorder.begin(1);
        recorder.write(1, 1);
        recorder.end(Outcome.COMMITTED, 2);
        recorder.begin(3);
        recorder.read(1, 77);
        Recorder other = new Recorder();
        other.begin(3);
        other.read(1, 1);
        other.end(Outcome.COMMITTED, 4);
        History history = History.of(List.of(recorder, other));
        assertEquals(2, history.transactionCount());
        assertEquals(2, history.operationCount());
        assertEquals("T1 COMMITTED from 3 to 4: read(1) = 1", history.describe(1));
        assertEquals(List.of(), Checker.checkStrict(history, Level.SERIALIZABLE));
    }
}
