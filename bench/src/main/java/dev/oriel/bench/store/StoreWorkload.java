package dev.oriel.bench.store;

import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The cost of operating a store, by itself and without peers. The cases:
///
/// - opening after a crash, by the amount of log
/// - commits while checkpoints run
/// - commits from many threads, each on records of its own or all on one
public final class StoreWorkload implements Workload {
    static final String OPENING = "open-after-crash";
    static final String CHECKPOINTS = "commit-latency";
    static final String WRITERS = "writers";

    private static final int[] LOG_MEGABYTES = {0, 1, 8, 32, 128};
    private static final int[] THREADS = {1, 8, 64};

    private final long nanos;
    private final int records;

    /// Found by `ServiceLoader`.
    public StoreWorkload() {
        this(0, 0);
    }

    /// A workload with another duration and number of records to open; 0 for the scale's.
    StoreWorkload(long nanos, int records) {
        this.nanos = nanos;
        this.records = records;
    }

    @Override
    public String name() {
        return "store";
    }

    @Override
    public String summary() {
        return "operating a store: opened after a crash, commits beside checkpoints, many writers";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof StoreSubjects.Ours;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> ours = subjects.stream().filter(this::takes).map(Subject::name).toList();
        List<String> openings = new ArrayList<>();
        for (int megabytes : LOG_MEGABYTES) {
            openings.add(opening(scale, megabytes));
        }
        List<String> writers = new ArrayList<>();
        for (int threads : THREADS) {
            writers.add(writers("distinct", threads));
            writers.add(writers("hot", threads));
        }
        List<String> latencies =
                List.of(
                        latency("without"),
                        latency("beside-checkpoints"),
                        latency("beside-larger-checkpoints"),
                        latency("written-beside-syncs"));
        return List.of(
                scenario(OPENING, openings, ours, scale == Scale.QUICK ? 20 : 60),
                scenario(CHECKPOINTS, latencies, ours, 30),
                scenario(WRITERS, writers, ours, 20));
    }

    private static Scenario scenario(
            String name, List<String> cases, List<String> subjects, int seconds) {
        return new Scenario(
                name, cases, subjects, Duration.ofSeconds(seconds), 3, List.of("-Xmx2g"), 0);
    }

    private static long usualNanos(Run run) {
        return run.scale() == Scale.QUICK ? 2_000_000_000L : 6_000_000_000L;
    }

    private static String opening(Scale scale, int megabytes) {
        String size = scale == Scale.QUICK ? "100MB" : "1GB";
        return "store/" + OPENING + "/" + size + "/log-" + megabytes + "MB";
    }

    private static String latency(String which) {
        return "store/" + CHECKPOINTS + "/" + which;
    }

    private static String writers(String keys, int threads) {
        return "store/" + WRITERS + "/" + keys + "/" + threads;
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        switch (scenario.name()) {
            case OPENING -> {
                StoreOpening opening = new StoreOpening(run);
                int usual = run.scale() == Scale.QUICK ? 100_000 : 1_000_000;
                opening.fill(records == 0 ? usual : records);
                for (int megabytes : LOG_MEGABYTES) {
                    opening.measure(opening(run.scale(), megabytes), megabytes);
                }
            }
            case CHECKPOINTS -> {
                StoreCommits commits = new StoreCommits(run, nanos == 0 ? usualNanos(run) : nanos);
                commits.latencies(latency("without"), StoreCommits.NO_CHECKPOINT);
                commits.latencies(
                        latency("beside-checkpoints"), StoreCommits.SMALL_CHECKPOINT_BYTES);
                commits.latencies(
                        latency("beside-larger-checkpoints"), StoreCommits.LARGER_CHECKPOINT_BYTES);
                commits.besideSyncs(latency("written-beside-syncs"));
            }
            case WRITERS -> {
                StoreCommits commits = new StoreCommits(run, nanos == 0 ? usualNanos(run) : nanos);
                for (int threads : THREADS) {
                    commits.writers(writers("distinct", threads), threads, false);
                    commits.writers(writers("hot", threads), threads, true);
                }
            }
            default -> throw new IllegalArgumentException(scenario.name());
        }
    }
}
