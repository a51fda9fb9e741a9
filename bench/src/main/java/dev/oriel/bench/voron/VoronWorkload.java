package dev.oriel.bench.voron;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.measure.Meter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The page-table article: an optimised design that saves most of the garbage and takes twice as long. Ten
/// thousand transactions set pages, look pages up and remove old versions.
///
/// `voron/article` is the parameters at which the article's effect occurs in Java too. The article gives 15.3 s and 1.1
/// GB for the old design, 32 s and 320 MB for the new one, and a lookup dearer by 88 %. In its second part it gives 54
/// million more calls of `Equals`, all of them in lookups; so there were at least 5,400 lookups a transaction. This
/// case has 5,700, of which few find a live version, and 100 pages a transaction out of 10,000, so that all keys have
/// been written after a hundredth of the run. From then on the new design finds a dead buffer and the old one finds
/// nothing. `voron/riddle` counts there: a map compares a key only with one of equal hash. So a lookup that misses does
/// not call `equals` at all, and each that finds a dead key calls it once. The article did not see another effect, or
/// not at its size. A removal visits every key ever written. With wide ranges and frequent removals this outweighs the
/// lookups.
///
/// Java differs in one thing: a lookup in a `ConcurrentHashMap` boxes its key, 24 bytes each, in all designs that
/// have one. Therefore `allocated` counts the bytes of setting and removing alone, native ones included. The bytes
/// of a whole transaction stand beside `time`.
///
/// No design uses native memory: pages themselves are not part of the work.
public final class VoronWorkload implements Workload {
    static final VoronShape ARTICLE = VoronShape.point(100, 10_000, 5_700, 10, 0);
    private static final String RIDDLE = "riddle";
    private static final long WARM_NANOS = 500_000_000L;

    @Override
    public String name() {
        return "voron";
    }

    @Override
    public String summary() {
        return "the page table: versions of pages set, looked up and removed, and the article's"
                + " regression";
    }

    private static List<VoronShape> shapes(Scale scale) {
        List<VoronShape> shapes = new ArrayList<>();
        shapes.add(ARTICLE.named("article"));
        shapes.add(ARTICLE.named(RIDDLE));
        if (scale == Scale.QUICK) {
            shapes.add(VoronShape.point(10, 1_000, 100, 1, 0));
            shapes.add(VoronShape.point(100, 100_000, 200, 100, 0));
            shapes.add(VoronShape.point(100, 10_000, 200, 10, 1));
            return shapes;
        }
        for (int pages : new int[] {10, 100, 500}) {
            for (int range : new int[] {1_000, 100_000, 2_000_000}) {
                for (int cadence : new int[] {1, 10, 1_000}) {
                    // Otherwise every key ever written is visited after each transaction, which
                    // takes hours.
                    if (cadence > 1 || range < 2_000_000) {
                        for (int readers = 0; readers <= 2; readers++) {
                            shapes.add(VoronShape.point(pages, range, 200, cadence, readers));
                        }
                    }
                }
            }
        }
        return shapes;
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof VersionSubject;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> names =
                subjects.stream()
                        .filter(VersionSubject.class::isInstance)
                        .map(Subject::name)
                        .toList();
        return shapes(scale).stream()
                .map(shape ->
                        new Scenario(
                                shape.name(),
                                List.of(shape.caseName()),
                                names,
                                expected(shape),
                                shape.name().equals(RIDDLE) ? 1 : Integer.MAX_VALUE,
                                List.of(),
                                0))
                .toList();
    }

    /// Estimated time of two or three workouts and the warm-up, on average over the designs. One of the four keeps
    /// each key that was ever written and visits it at each removal.
    private static Duration expected(VoronShape shape) {
        long writes = (long) shape.transactions() * shape.pages();
        long visits = Math.min(shape.range(), writes) * (shape.transactions() / shape.cadence());
        long lookups = (long) shape.transactions() * shape.lookups();
        return Duration.ofSeconds(2).plusNanos(200 * writes + 25 * lookups + 12 * visits);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) {
        VoronShape shape =
                shapes(run.scale()).stream()
                        .filter(one -> one.name().equals(scenario.name()))
                        .findFirst()
                        .orElseThrow();
        VersionSubject maps = (VersionSubject) subject;
        VoronWorkout workout = new VoronWorkout(shape, run.seed());
        if (shape.name().equals(RIDDLE)) {
            count(shape, workout, maps, run);
        } else {
            time(shape, workout, maps, run);
        }
    }

    private static void time(VoronShape shape, VoronWorkout workout, VersionSubject maps, Run run) {
        String caseName = shape.caseName();
        run.phase("warming up");
        long begun = System.nanoTime();
        do {
            workout.runInParts(maps.open(Long::valueOf), shape.transactions() / 20);
            workout.run(maps.open(Long::valueOf), shape.transactions() / 10);
        } while (System.nanoTime() - begun < WARM_NANOS);
        run.phase("timing");
        long least = run.scale() == Scale.QUICK ? 500_000_000L : 1_000_000_000L;
        VoronWorkout.Outcome found = workout.run(maps.open(Long::valueOf), shape.transactions());
        while (found.reading().nanos() < least) {
            found = found.and(workout.run(maps.open(Long::valueOf), shape.transactions()));
        }
        Meter.Reading reading = found.reading();
        run.measured(
                new Measurement(
                        caseName,
                        "time",
                        "ns/op",
                        reading.perOp(),
                        reading.cpuPerOp(),
                        reading.bytesPerOp(),
                        Durability.MEMORY,
                        found.checksum()));
        if (shape.readers() > 0) {
            double rate = found.readerLookups() * 1e9 / reading.nanos();
            run.figure(caseName, "lookups-by-readers", "ops/s", rate, Durability.MEMORY);
        }
        tellParts(shape, workout, maps, run);
    }

    /// Runs once more with clocks between the parts, which would slow short transactions down.
    private static void tellParts(
            VoronShape shape, VoronWorkout workout, VersionSubject maps, Run run) {
        String caseName = shape.caseName();
        run.phase("timing in parts");
        VersionMap map = maps.open(Long::valueOf);
        VoronWorkout.Parts parts = workout.runInParts(map, shape.transactions());
        double count = shape.transactions();
        Durability memory = Durability.MEMORY;
        run.figure(caseName, "set", "ns/op", parts.setNanos / count, memory);
        run.figure(caseName, "lookups", "ns/op", parts.lookupNanos / count, memory);
        run.figure(caseName, "remove", "ns/op", parts.removeNanos / count, memory);
        long bytes = parts.changeBytes + nativeBytes(map);
        run.figure(caseName, "allocated", "bytes/op", bytes / count, memory);
    }

    private static long nativeBytes(VersionMap map) {
        return map instanceof TableVersions ours ? ours.nativeBytes() : 0;
    }

    private static void count(
            VoronShape shape, VoronWorkout workout, VersionSubject maps, Run run) {
        String caseName = shape.caseName();
        Durability memory = Durability.MEMORY;
        CountedKey.reset();
        VersionMap map = maps.open(CountedKey::new);
        VoronWorkout.Parts parts = workout.runInParts(map, shape.transactions());
        if (maps.hasKeys()) {
            run.figure(caseName, "equals", "calls", (double) CountedKey.compared(), memory);
            run.figure(caseName, "hashCode", "calls", (double) CountedKey.hashed(), memory);
        } else {
            run.cannot(caseName, "its table has no key objects whose calls could be counted");
        }
        run.figure(caseName, "visited", "keys", (double) parts.visited, memory);
        run.figure(caseName, "keys-at-end", "keys", (double) map.keys(), memory);
    }
}
