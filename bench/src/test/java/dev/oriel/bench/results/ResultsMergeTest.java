package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.Results.Note;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultsMergeTest {
    private static final Results FIRST =
            new SampleResults("monday")
                    .rate("jdbm/get", "oriel", 10.0)
                    .rate("jdbm/get", "lmdb", 5.0)
                    .rate("jdbm/scan", "oriel", 20.0)
                    .rate("axion/limit", "oriel", 7.0)
                    .note("jdbm/get", "je", "old complaint")
                    .note("jdbm/scan", "je", "still holds")
                    .build();
    private static final Results SECOND =
            new SampleResults("tuesday").rate("jdbm/get", "oriel", 11.0).build();

    @Test
    void laterFilesReplaceWholeCases() {
        Results merged = ResultsMerge.of(List.of(FIRST, SECOND));
        List<String> seen =
                merged.results().stream()
                        .map(r -> r.caseName() + " " + r.subject() + " " + r.value())
                        .sorted()
                        .toList();
        assertEquals(3, seen.size(), seen::toString);
        assertTrue(seen.get(1).startsWith("jdbm/get oriel 11"), seen::toString);
        assertEquals("jdbm,axion", merged.workload());
        assertEquals("monday; tuesday", merged.date());
        assertEquals("2 cores", merged.machine());
    }

    @Test
    void notesOfReplacedCasesGoAndOriginsAreNamed() {
        Results merged = ResultsMerge.of(List.of(FIRST, SECOND));
        List<String> texts = merged.notes().stream().map(Note::text).toList();
        assertTrue(texts.contains("still holds"));
        assertTrue(!texts.contains("old complaint"));
        assertEquals("monday", day(merged, "axion"));
        assertEquals("monday", day(merged, "jdbm/scan"));
        assertEquals("tuesday", day(merged, "jdbm/get"));
    }

    @Test
    void mergingAgainKeepsTheFirstOrigins() {
        Results merged = ResultsMerge.of(List.of(FIRST, SECOND));
        Results third = new SampleResults("wednesday").rate("cold/open", "oriel", 3.0).build();
        Results again = ResultsMerge.of(List.of(merged, third));
        assertEquals("monday", day(again, "axion"));
        assertEquals("tuesday", day(again, "jdbm/get"));
        assertEquals("wednesday", day(again, "cold"));
        assertEquals(4, again.notes().stream().filter(ResultsMerge::isOrigin).count());
    }

    @Test
    void oneFileIsItself() {
        assertSame(FIRST, ResultsMerge.of(List.of(FIRST)));
        assertThrows(IllegalArgumentException.class, () -> ResultsMerge.of(List.of()));
    }

    private static String day(Results merged, String of) {
        List<Note> notes =
                merged.notes().stream()
                        .filter(note -> ResultsMerge.isOrigin(note) && note.caseName().equals(of))
                        .toList();
        assertEquals(1, notes.size(), () -> of + ": " + merged.notes());
        return notes.getFirst().text().split(" ", 3)[1];
    }
}
