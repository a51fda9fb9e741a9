package dev.oriel.bench;

import dev.oriel.bench.measure.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A workload that takes no time, for tests of what runs workloads: its subjects do what their names
/// say.
public final class TinyWorkload implements Workload {
    private static final String CASE = "tiny/sum";

    /// Files beside the folders of runs: where both are, `slow` never comes to an end. It makes the
    /// second one itself, so that its first run does.
    public static final String HANG = "hang";

    public static final String ONCE = "once";

    /// A subject of it.
    record TinySubject(String name) implements Subject {
        @Override
        public @Nullable Launch launch() {
            return name.equals("absent") ? new Launch(Path.of("java"), "", "", "buy one") : null;
        }

        @Override
        public String product() {
            return name;
        }

        @Override
        public String settings() {
            return "as it comes";
        }
    }

    /// One of another kind that is named like ours, as those of other workloads are.
    record Namesake(String name, String product, String settings) implements Subject {}

    /// All of them.
    public static final class TinySubjects implements Subjects {
        @Override
        public List<Subject> subjects() {
            return List.of(
                    new TinySubject("oriel-tiny"),
                    new TinySubject("same"),
                    new TinySubject("different"),
                    new TinySubject("failing"),
                    new TinySubject("absent"),
                    new TinySubject("late"),
                    new TinySubject("slow"),
                    new TinySubject("unable"),
                    new Namesake("oriel-tiny", "oriel", "as it comes"));
        }
    }

    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public String summary() {
        return "nothing";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof TinySubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        return List.of(
                new Scenario(
                        "sum",
                        List.of(CASE),
                        subjects.stream().filter(this::takes).map(Subject::name).toList(),
                        Duration.ofSeconds(1),
                        3,
                        List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"),
                        0));
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run)
            throws IOException, InterruptedException {
        switch (subject.name()) {
            case "late" -> {
                measure(subject, run);
                run.stopped(CASE, "at 7 records after 3 s");
            }
            case "slow" -> {
                measure(subject, run);
                Path once = run.folder().resolveSibling(ONCE);
                if (Files.exists(once) && Files.exists(run.folder().resolveSibling(HANG))) {
                    run.phase("waiting");
                    new CountDownLatch(1).await();
                }
                Files.writeString(once, "");
            }
            case "failing" -> throw new IllegalStateException("it fails");
            case "unable" -> run.cannot(CASE, "it never could");
            default -> measure(subject, run);
        }
    }

    private static void measure(Subject subject, Run run) {
        Meter meter = Meter.start();
        long checksum = subject.name().equals("different") ? 2 : 1;
        run.rate(CASE, meter.stop(1000), Durability.MEMORY, checksum);
    }
}
