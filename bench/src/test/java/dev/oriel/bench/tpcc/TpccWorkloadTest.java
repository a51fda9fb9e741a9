package dev.oriel.bench.tpcc;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Told;
import dev.oriel.bench.sql.OrielSqlSubjects;
import dev.oriel.bench.tpcc.TpccWorkload.TpccPace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TPC-C's workload, with our own subject.
class TpccWorkloadTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @TempDir Path folder;

    private final List<Subject> subjects = new OrielSqlSubjects().subjects();

    @Test
    void transactionsOfTpcc() throws Exception {
        Told.everyCase(
                subjects,
                folder,
                new TpccWorkload(new TpccPace("small", TpccSize.SMALL, SOON, SOON)));
    }
}
