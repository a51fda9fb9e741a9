package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records of bytes under 64-bit ids, after the discussion of jdbm's insertions in its forum (August 2005): 150
/// and 1,500 bytes, a commit every 500.
///
/// In one JVM a store is filled and closed, opened again, scanned, and read at random. Each sum over the values
/// read is compared with the values written.
public final class JdbmWorkload implements Workload {
    private final @Nullable JdbmTimes times;

    /// A workload with the times of the scale.
    public JdbmWorkload() {
        this.times = null;
    }

    /// A workload with other times, for tests.
    JdbmWorkload(JdbmTimes times) {
        this.times = times;
    }

    @Override
    public String name() {
        return "jdbm";
    }

    @Override
    public String summary() {
        return "records of bytes: insert, get, scan, single commits, by order, size and durability";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof RecordSubject;
    }

    /// A durable commit is judged by the machine's fastest sync.
    @Override
    public List<String> beside() {
        return List.of("limits");
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        return JdbmScenarios.of(scale, subjects);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        RecordSubject records = (RecordSubject) subject;
        JdbmRun jdbm = new JdbmRun(run, records, times == null ? JdbmTimes.of(run.scale()) : times);
        switch (scenario.name()) {
            case JdbmScenarios.COMMITS -> commits(run, jdbm);
            case JdbmScenarios.COMMITS_WRITTEN ->
                    jdbm.commits(JdbmScenarios.commitsWritten(), 1, Durability.WRITTEN);
            case JdbmScenarios.COMMITS_ASYNC ->
                    jdbm.commits(JdbmScenarios.commitsAsync(), 1, Durability.ASYNC);
            case JdbmScenarios.BULK -> jdbm.bulk(JdbmScenarios.bulk(), JdbmScenarios.MILLION);
            case JdbmScenarios.NO_TRANSACTIONS ->
                    jdbm.noTransactions(JdbmScenarios.noTransactions(), JdbmScenarios.MILLION);
            case JdbmScenarios.LARGER_THAN_MEMORY ->
                    jdbm.records(JdbmScenarios.GIGABYTE, JdbmScenarios::larger);
            default -> records(scenario.name(), jdbm);
        }
    }

    private static void records(String name, JdbmRun jdbm) throws Exception {
        if (name.startsWith(JdbmScenarios.LONG_VALUES)) {
            jdbm.records(
                    JdbmScenarios.longValues(name), what -> JdbmScenarios.longValues(name, what));
        } else {
            JdbmParameters parameters = JdbmParameters.parse(name);
            jdbm.records(parameters, parameters::caseName);
        }
    }

    private static void commits(Run run, JdbmRun jdbm) throws Exception {
        for (int threads : JdbmScenarios.COMMITTERS) {
            String caseName = JdbmScenarios.commits(threads);
            if (run.wants(caseName)) {
                jdbm.commits(caseName, threads, Durability.SYNC);
            }
        }
    }

    /// The folder of the store that is measured.
    static Path store(Run run) {
        return run.folder().resolve("store");
    }
}
