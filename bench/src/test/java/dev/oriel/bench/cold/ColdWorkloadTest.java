package dev.oriel.bench.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Measurement;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.axion.AxionWords;
import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.sql.OrielSqlSubjects;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColdWorkloadTest {
    private static final int ROWS = 100;

    @TempDir Path folder;

    private final ColdWorkload workload = new ColdWorkload(ROWS);
    private final List<Subject> subjects =
            Stream.of(new OrielSqlSubjects(), new ColdSubjects())
                    .flatMap(source -> source.subjects().stream())
                    .toList();

    @Test
    void aFreshJvmReadsTheFirstRows() throws Exception {
        Told told = run("first-query", "oriel");
        AxionWords words = AxionWords.of(ROWS, 7);
        TreeMap<String, String> rows = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            rows.put(words.first(i), words.second(i));
        }
        long sum =
                rows.tailMap(rows.firstKey(), false).entrySet().stream()
                        .limit(10)
                        .mapToLong(
                                row -> TextSum.of(row.getKey()) * 31 + TextSum.of(row.getValue()))
                        .sum();
        Measurement first = told.of("cold/first-query", "time");
        Measurement open = told.of("cold/open", "time");
        assertEquals(sum, first.checksum());
        assertEquals(sum, open.checksum());
        assertTrue(0 < open.value() && open.value() < first.value(), first + " " + open);
        assertEquals(2, told.measurements().size());
    }

    @Test
    void theFloorIsAJvmWithoutADatabase() throws Exception {
        assertTrue(run("jvm", "jvm").of("cold/jvm", "time").value() > 0);
    }

    @Test
    void databasesInMemoryDoNotTakePart() {
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            assertTrue(!scenario.subjects().contains("oriel-memory"), scenario.toString());
        }
    }

    private Told run(String name, String subjectName) throws Exception {
        Scenario scenario =
                workload.scenarios(Scale.QUICK, subjects).stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        assertTrue(scenario.subjects().contains(subjectName));
        Subject subject =
                subjects.stream()
                        .filter(one -> one.name().equals(subjectName))
                        .findFirst()
                        .orElseThrow();
        return Told.by(workload, scenario, subject, Scale.QUICK, folder);
    }
}
