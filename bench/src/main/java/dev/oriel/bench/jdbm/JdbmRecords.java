package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import java.io.IOException;
import java.util.List;

/// Records in the form of this workload, for a workload with other subjects: inserted in order with a commit every
/// 500, scanned and read at random, 150 bytes each, in class WRITTEN.
public final class JdbmRecords {
    private static final int VALUE_BYTES = 150;

    private JdbmRecords() {}

    /// The cases of a run whose names begin with `prefix`.
    public static List<String> cases(String prefix) {
        return List.of(prefix + "insert", prefix + "scan", prefix + "get");
    }

    /// Measures `count` records of `subject`.
    public static void run(Run run, RecordSubject subject, int count, String prefix)
            throws IOException {
        JdbmParameters parameters =
                new JdbmParameters(JdbmParameters.IN_ORDER, count, VALUE_BYTES, Durability.WRITTEN);
        new JdbmRun(run, subject, JdbmTimes.of(run.scale()))
                .records(parameters, what -> prefix + what);
    }
}
