package dev.oriel.bench.young;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Measurement;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.sql.OrielSqlSubjects;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YoungWorkloadTest {
    @TempDir Path folder;

    private final YoungWorkload workload = new YoungWorkload();
    private final List<Subject> subjects = new OrielSqlSubjects().subjects();

    @Test
    void theStepsOfASchemaFollowEachOther() throws Exception {
        Told told = run("schema/memory", "oriel-memory");
        double before = 0;
        for (String step : List.of("tables", "rows", "queries", "dropped", "again", "third")) {
            Measurement time = told.of("young/schema-" + step + "/memory", "time");
            assertTrue(time.value() > before, time.toString());
            assertTrue(time.checksum() != 0, time.toString());
            before = time.value();
        }
        assertTrue(told.of("young/schema-third/memory", "classes").value() > 500);
        assertTrue(told.of("young/schema-third/memory", "processor").value() > 0);
    }

    @Test
    void rowsAreInsertedOnDisk() throws Exception {
        Told told = run("inserts/sync", "oriel");
        assertTrue(told.of("young/inserts-inserted/sync", "time").value() > 0);
    }

    @Test
    void manyDatabasesFollowEachOther() throws Exception {
        Told told = run("databases/memory", "oriel-memory");
        Measurement time = told.of("young/databases-ended/memory", "time");
        assertTrue(time.value() > 0 && time.checksum() != 0, time.toString());
    }

    @Test
    void subjectsTakePartInTheirOwnClasses() {
        for (Scenario scenario : workload.scenarios(Scale.QUICK, subjects)) {
            String expected = scenario.name().endsWith("/memory") ? "oriel-memory" : "oriel";
            assertEquals(List.of(expected), scenario.subjects(), scenario.name());
        }
    }

    private Told run(String name, String subjectName) throws Exception {
        Scenario scenario =
                workload.scenarios(Scale.QUICK, subjects).stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        Subject subject =
                subjects.stream()
                        .filter(one -> one.name().equals(subjectName))
                        .findFirst()
                        .orElseThrow();
        return Told.by(workload, scenario, subject, Scale.QUICK, folder);
    }
}
