package dev.oriel.bench.statements;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.measure.WarmUp;
import dev.oriel.bench.sql.OrielSqlSubjects;
import dev.oriel.bench.statements.StatementsWorkload.StatementsPace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The workload of single statements, with our own subject.
class StatementsWorkloadTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @TempDir Path folder;

    private final List<Subject> subjects = new OrielSqlSubjects().subjects();

    @Test
    void statementsOneByOne() throws Exception {
        Told.everyCase(
                subjects,
                folder,
                new StatementsWorkload(
                        new StatementsPace(
                                500,
                                new WarmUp(SOON, SOON),
                                SOON,
                                200,
                                3_000,
                                "-Xmx64m",
                                Duration.ofMinutes(1))));
    }
}
