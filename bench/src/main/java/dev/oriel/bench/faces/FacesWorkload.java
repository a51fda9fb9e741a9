package dev.oriel.bench.faces;

import dev.oriel.Database;
import dev.oriel.TransactionOptions;
import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.jdbm.JdbmRecords;
import dev.oriel.bench.measure.Meter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One transaction over several faces: a row, an edge and an entry as one commit; an empty read; and ordered maps
/// compared with the tree of the store.
public final class FacesWorkload implements Workload {
    private static final String MAP = "map";
    private static final String EMPTY_READ = "empty-read";
    private static final String EMPTY_READ_CASE = "faces/empty-read";
    private static final int ROUNDS_MAX = 10;
    private static final int BURST = 1_000;

    private final @Nullable FacesPace pace;
    private final int records;

    /// A workload with the pace of the scale.
    public FacesWorkload() {
        this(null, 1_000_000);
    }

    /// A workload with another pace, for tests.
    FacesWorkload(@Nullable FacesPace pace, int records) {
        this.pace = pace;
        this.records = records;
    }

    @Override
    public String name() {
        return "faces";
    }

    @Override
    public String summary() {
        return "a row, an edge and an entry as one commit; ordered maps beside the store's tree";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof FacesSubject || subject instanceof MapSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        boolean isQuick = scale == Scale.QUICK;
        List<Scenario> scenarios = new ArrayList<>();
        for (Durability durability :
                List.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC)) {
            List<String> names =
                    subjects.stream()
                            .filter(FacesSubject.class::isInstance)
                            .map(FacesSubject.class::cast)
                            .filter(one -> one.durabilities().contains(durability))
                            .map(Subject::name)
                            .toList();
            scenarios.add(
                    scenario(
                            FacesWork.scenario(durability),
                            List.of(FacesWork.caseName(durability)),
                            names,
                            isQuick ? 10 : 22));
        }
        List<String> maps =
                subjects.stream().filter(MapSubject.class::isInstance).map(Subject::name).toList();
        scenarios.add(scenario(MAP, JdbmRecords.cases("faces/map/"), maps, isQuick ? 12 : 30));
        List<String> faces =
                subjects.stream().map(Subject::name).filter("oriel-faces"::equals).toList();
        scenarios.add(scenario(EMPTY_READ, List.of(EMPTY_READ_CASE), faces, isQuick ? 4 : 8));
        return scenarios.stream().filter(one -> !one.subjects().isEmpty()).toList();
    }

    private static Scenario scenario(
            String name, List<String> cases, List<String> subjects, int seconds) {
        return new Scenario(
                name, cases, subjects, Duration.ofSeconds(seconds), ROUNDS_MAX, List.of(), 0);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        FacesPace now = pace == null ? FacesPace.of(run.scale()) : pace;
        switch (scenario.name()) {
            case MAP ->
                    JdbmRecords.run(run, ((MapSubject) subject).records(), records, "faces/map/");
            case EMPTY_READ -> emptyReads(now, run);
            default -> FacesWork.run(scenario.name(), (FacesSubject) subject, now, run);
        }
    }

    /// Begins and ends transactions that read nothing.
    private static void emptyReads(FacesPace pace, Run run) {
        try (Database database =
                OrielFaceStore.database(run.folder().resolve("faces"), Durability.WRITTEN)) {
            pace.warmUp().repeat(() -> emptyReads(database));
            Meter meter = Meter.start();
            long reads = 0;
            do {
                reads += emptyReads(database);
            } while (meter.elapsed() < pace.measured().toNanos());
            Meter.Reading reading = meter.stop(reads);
            run.measured(
                    new Measurement(
                            EMPTY_READ_CASE,
                            "time",
                            "ns/op",
                            reading.perOp(),
                            reading.cpuPerOp(),
                            reading.bytesPerOp(),
                            Durability.WRITTEN,
                            0));
        }
    }

    private static long emptyReads(Database database) {
        TransactionOptions reading = TransactionOptions.defaults().withReadOnly(true);
        for (int i = 0; i < BURST; i++) {
            database.begin(reading).close();
        }
        return BURST;
    }
}
