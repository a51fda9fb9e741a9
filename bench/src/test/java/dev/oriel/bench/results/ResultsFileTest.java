package dev.oriel.bench.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class ResultsFileTest {
    private static final String GOLDEN =
            """
            {
              "workload": "jdbm",
              "machine": "2 cores",
              "date": "2026-11-21T12:00:00Z",
              "commit": "abc+",
              "command": "./oriel bench jdbm",
              "scale": "full",
              "seed": 1234567890123,
              "rounds": {
                "a": 3,
                "b": 2
              },
              "settings": {
                "oriel": "as it comes"
              },
              "notes": [ {
                "case": "jdbm/x",
                "subject": "je",
                "text": "cannot"
              } ],
              "results": [ {
                "case": "jdbm/x",
                "subject": "oriel",
                "metric": "rate",
                "unit": "ops/s",
                "value": 12346000,
                "low": 12300000,
                "high": 0.000012346,
                "cpu_per_op": 81.5,
                "bytes_per_op": 0,
                "durability": "written",
                "samples": [ 1, null, 2.5 ]
              } ]
            }
            """;

    @TempDir private Path folder;

    private static Result result(
            double value, @Nullable Double cpuPerOp, @Nullable Double... samples) {
        return new Result(
                "jdbm/x",
                "oriel",
                "rate",
                "ops/s",
                value,
                12_300_000.0,
                0.0000123456,
                cpuPerOp,
                0.0,
                "written",
                Arrays.asList(samples));
    }

    private static Results results(Result... results) {
        return new Results(
                "jdbm",
                "2 cores",
                "2026-11-21T12:00:00Z",
                "abc+",
                "./oriel bench jdbm",
                "full",
                1_234_567_890_123L,
                Map.of("b", 2, "a", 3),
                Map.of("oriel", "as it comes"),
                List.of(new Note("jdbm/x", "je", "cannot")),
                List.of(results));
    }

    @Test
    void theShapeIsTheOneAgreedOn() throws IOException {
        assertEquals(GOLDEN, ResultsFile.text(results(result(12_345_678.9, 81.5, 1.0, null, 2.5))));
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        Path file = folder.resolve("results.json");
        Results all = results(result(12.5, 81.5, 1.0, null, 2.5));
        ResultsFile.write(all, file);
        Results back = ResultsFile.read(file);
        assertEquals(all.rounds(), back.rounds());
        assertEquals(all.notes(), back.notes());
        assertEquals(all.settings(), back.settings());
        assertEquals(all.seed(), back.seed());
        assertEquals(Arrays.asList(1.0, null, 2.5), back.results().getFirst().samples());
        assertEquals(ResultsFile.text(all), ResultsFile.text(back));
    }

    @Test
    void whatJsonHasNoNumberForIsAbsent() throws IOException {
        Path file = folder.resolve("results.json");
        Results all =
                results(
                        result(3, Double.NaN, 1.0, Double.POSITIVE_INFINITY),
                        result(Double.NaN, 1.0));
        ResultsFile.write(all, file);
        assertTrue(!Files.readString(file).contains("cpu_per_op"));
        Results back = ResultsFile.read(file);
        assertEquals(1, back.results().size());
        assertNull(back.results().getFirst().cpuPerOp());
        assertEquals(Arrays.asList(1.0, null), back.results().getFirst().samples());
        assertEquals("rate is NaN and was left out", back.notes().getLast().text());
    }

    @Test
    void unknownFieldsArePassedOverAndOptionalOnesCompleted() throws IOException {
        Results read =
                read(
                        """
                        {"workload": "w", "machine": "m", "date": "d", "commit": "c", "later": {},
                         "results": [{"case": "w/a", "subject": "s", "metric": "rate",
                                      "unit": "ops/s", "value": 3, "colour": "red"}]}
                        """);
        assertEquals(3, read.results().getFirst().value());
        assertEquals(List.of(), read.results().getFirst().samples());
        assertEquals(Map.of(), read.settings());
    }

    @Test
    void errorsNameThePathTheFaultAndTheRemedy() {
        String missing = message(() -> ResultsFile.read(folder.resolve("none.json")));
        assertTrue(missing.contains("none.json: there is no such file. Name a file"), missing);
        String broken = message(() -> read("{\"workload\": \"w\",\n \"machine\": "));
        assertTrue(broken.contains("bad.json: is not JSON in line 2"), broken);
        String empty = message(() -> read(""));
        assertTrue(empty.contains("it is no object"), empty);
        String other = message(() -> read("{\"workload\": \"w\"}"));
        assertTrue(other.contains("`machine` is missing or no text. Name a file"), other);
        String start =
                "{\"workload\": \"w\", \"machine\": \"m\", \"date\": \"d\", \"commit\": \"c\"";
        String none = message(() -> read(start + "}"));
        assertTrue(none.contains("`results` is missing or no list"), none);
        String unit =
                message(() ->
                        read(
                                start
                                        + ", \"results\": [{\"case\": \"a\", \"subject\": \"s\","
                                        + " \"metric\": \"m\"}]}"));
        assertTrue(unit.contains("`results[0].unit` is missing"), unit);
        String kind = message(() -> read(start + ", \"rounds\": [], \"results\": []}"));
        assertTrue(kind.contains("does not hold results"), kind);
    }

    private Results read(String text) throws IOException {
        Path file = folder.resolve("bad.json");
        Files.writeString(file, text);
        return ResultsFile.read(file);
    }

    private static String message(Executable read) {
        return String.valueOf(assertThrows(IOException.class, read).getMessage());
    }
}
