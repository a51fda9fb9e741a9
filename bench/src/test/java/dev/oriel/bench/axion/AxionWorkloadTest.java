package dev.oriel.bench.axion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.measure.WarmUp;
import dev.oriel.bench.sql.OrielSqlSubject;
import dev.oriel.bench.sql.OrielSqlSubjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxionWorkloadTest {
    private static final int ROWS = 300;
    private static final long SEED = 7;

    @TempDir Path folder;

    private final AxionWorkload workload = new AxionWorkload(scale -> tiny());
    private final List<Subject> subjects = new OrielSqlSubjects().subjects();

    private static AxionPace tiny() {
        Duration soon = Duration.ofMillis(20);
        return new AxionPace(ROWS, 100, soon, new WarmUp(soon, soon), 100, soon, soon, soon, soon);
    }

    @ParameterizedTest
    @CsvSource({"oriel,FULL", "oriel-memory,QUICK"})
    void everyCaseDeclaredIsMeasured(String name, Scale scale) throws Exception {
        int at = 0;
        for (Scenario scenario : workload.scenarios(scale, subjects)) {
            if (scenario.subjects().contains(name)) {
                Told told = run(scenario, name, scale, folder.resolve("run" + at++));
                assertEquals(scenario.cases(), told.cases(), scenario.name());
                assertEquals(List.of(), told.cannot());
                for (Measurement one : told.measurements()) {
                    assertTrue(one.value() > 0, one.toString());
                }
            }
        }
        assertTrue(at > 0);
    }

    @ParameterizedTest
    @CsvSource({"oriel", "oriel-memory", "oriel-array"})
    void limitedQueriesReturnWhatTheModelSays(String name) throws Exception {
        Told told = query("query/limit/both", name);
        long sum = model(true);
        assertEquals(sum, told.of("axion/limit/both/cold", "rate").checksum());
        assertEquals(sum, told.of("axion/limit/both/warm", "rate").checksum());
    }

    @ParameterizedTest
    @CsvSource({"oriel", "oriel-memory", "oriel-array"})
    void openEndedQueriesReturnAsManyRowsAsTheModelSays(String name) throws Exception {
        Told told = query("query/open-ended/both", name);
        assertEquals(model(false), told.of("axion/open-ended/both/warm", "rate").checksum());
    }

    @Test
    void sumsDependOnTheSeedAndOnEachCharacter() {
        assertNotEquals(AxionWords.of(ROWS, 1).first(0), AxionWords.of(ROWS, 2).first(0));
        assertNotEquals(TextSum.of("ab"), TextSum.of("ba"));
        assertNotEquals(TextSum.of("a"), TextSum.of("aa"));
    }

    @Test
    void aModifiedTableSumsToWhatTheModelSays() throws Exception {
        Scenario scenario = scenario(Scale.FULL, "write/written");
        Told told = run(scenario, "oriel", Scale.FULL, folder);
        AxionWords words = AxionWords.of(ROWS, SEED);
        long loaded = 0;
        long modified = 0;
        for (int i = 0; i < ROWS; i++) {
            long second = TextSum.of(words.second(i));
            loaded += TextSum.of(words.first(i)) * 31 + second;
            String now = i < 200 ? words.other(i) : words.first(i);
            modified += TextSum.of(now) * 31 + second;
        }
        assertEquals(loaded, told.of("axion/insert/written", "rate").checksum());
        assertEquals(modified, told.of("axion/update/written", "rate").checksum());
        assertEquals(modified, told.of("axion/delete-insert/written", "rate").checksum());
    }

    @Test
    void whatADatabaseCannotCommitAsItSays() throws Exception {
        Subject synced = new OrielSqlSubject("oriel-sync", "BTREE", Set.of(Durability.SYNC));
        Scenario scenario =
                workload.scenarios(Scale.QUICK, List.of(synced)).stream()
                        .filter(one -> one.name().equals("write/written"))
                        .findFirst()
                        .orElseThrow();
        Told told = Told.by(workload, scenario, synced, Scale.QUICK, folder);
        assertEquals(scenario.cases(), told.cannot());
        assertEquals(List.of(), told.measurements());
    }

    private Told query(String scenario, String subject) throws Exception {
        return run(scenario(Scale.FULL, scenario), subject, Scale.FULL, folder);
    }

    private Told run(Scenario scenario, String name, Scale scale, Path path) throws Exception {
        Subject subject =
                subjects.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        return Told.by(workload, scenario, subject, scale, path);
    }

    private Scenario scenario(Scale scale, String name) {
        return workload.scenarios(scale, subjects).stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// What 200 queries of both columns return, from a sorted map.
    private static long model(boolean contents) {
        AxionWords words = AxionWords.of(ROWS, SEED);
        TreeMap<String, String> rows = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            rows.put(words.first(i), words.second(i));
        }
        long sum = 0;
        for (int i = 0; i < 200; i++) {
            String word = words.first(i % ROWS);
            List<Map.Entry<String, String>> read =
                    rows.tailMap(word, false).entrySet().stream().limit(10).toList();
            if (contents) {
                for (Map.Entry<String, String> row : read) {
                    sum = sum * 31 + TextSum.of(row.getKey());
                    sum = sum * 31 + TextSum.of(row.getValue());
                }
            }
            sum = sum * 31 + read.size();
        }
        return sum;
    }
}
