package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AfterEachCheckTest {
    @RegisterExtension final AfterEachCheck registered = new AfterEachCheck();

    private final AfterEachCheck check = new AfterEachCheck();
    private final List<String> happened = new ArrayList<>();

    @Test
    void nothingWrongIsNoFailure() {
        check.also("store", List::of);
        assertNull(check.run());
        registered.also("also when JUnit calls it", List::of);
    }

    @Test
    void everySentenceOfEveryCheckIsReported() {
        check.also("store", () -> List.of("page 7 is lost", "page 8 is used twice"));
        check.also(
                "table",
                () -> {
                    throw new IllegalStateException("closed");
                });
        AssertionError problems = check.run();
        assertEquals(
                """
                after the test
                store: page 7 is lost
                store: page 8 is used twice
                table: its check failed with java.lang.IllegalStateException: closed\
                """,
                problems == null ? "none" : problems.getMessage());
    }

    @Test
    void resourcesAreClosedAfterTheChecksLatestFirst() {
        check.closing(() -> happened.add("closed first"));
        check.closing(() -> happened.add("closed second"));
        check.also(
                "store",
                () -> {
                    happened.add("checked");
                    return List.of();
                });
        assertNull(check.run());
        assertEquals(List.of("checked", "closed second", "closed first"), happened);
    }

    @Test
    void aFailingCloseIsReportedAndTheOthersStillClose() {
        check.closing(() -> happened.add("closed"));
        check.closing(() -> {
            throw new java.io.IOException("full");
        });
        AssertionError problems = check.run();
        assertTrue(problems != null && problems.getSuppressed().length == 1);
        assertEquals(List.of("closed"), happened);
    }

    @Test
    void aLaterCheckReplacesTheOneOfItsName() {
        check.also("store", () -> List.of("stale"));
        check.also("store", List::of);
        check.also("index", () -> List.of("stale"));
        check.forget("index");
        assertNull(check.run());
    }
}
