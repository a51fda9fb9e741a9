package dev.oriel.bench.couchbase;

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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// The workload of the article on a key-value client. It allocated 400 MB of arrays in five minutes to look up the
/// status of each response by its number; the article's fixes are measured, too. Cases: each number that the article
/// tries, a mix of the seven common ones, all known ones at random, and unknown numbers.
///
/// Numbers come from an array and statuses are summed, so that no lookup can be optimised away. Both cost about
/// half a nanosecond for every subject.
public final class CouchbaseWorkload implements Workload {
    private static final String STATUS = "status";
    private static final String SDK_LOOP = "sdk-loop";
    private static final int CODES = 4_096;
    private static final long WARM_NANOS = 700_000_000L;
    private static final long QUICK_NANOS = 300_000_000L;
    private static final long FULL_NANOS = 1_000_000_000L;
    private static final int[] COMMON = {0x00, 0x01, 0x02, 0x07, 0x85, 0x03, 0x86};

    /// The name of a case and the numbers to decode in it.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record StatusCase(String name, int[] codes) {}

    @Override
    public String name() {
        return "couchbase";
    }

    @Override
    public String summary() {
        return "a key-value client's and server's work: statuses by their numbers, requests over loopback";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof StatusDecoding
                || subject instanceof ServerSubject
                || subject instanceof ClientLoop;
    }

    private static List<StatusCase> cases(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] known =
                Arrays.stream(WireStatus.values())
                        .filter(status -> status != WireStatus.UNKNOWN)
                        .mapToInt(WireStatus::code)
                        .toArray();
        List<StatusCase> cases = new ArrayList<>();
        for (int code : new int[] {0x00, 0x01, 0x86}) {
            int[] same = new int[CODES];
            Arrays.fill(same, code);
            cases.add(new StatusCase("couchbase/status/code-" + code, same));
        }
        cases.add(new StatusCase("couchbase/status/common", mixed(random, COMMON)));
        cases.add(new StatusCase("couchbase/status/known", mixed(random, known)));
        int[] unknown = {0x0b, 0x1e, 0x7f, 0xff, 0x100, 0x7fff, 0xfffe};
        cases.add(new StatusCase("couchbase/status/unknown", mixed(random, unknown)));
        return cases;
    }

    private static int[] mixed(SplittableRandom random, int[] of) {
        int[] codes = new int[CODES];
        for (int i = 0; i < CODES; i++) {
            codes[i] = of[random.nextInt(of.length)];
        }
        return codes;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<String> names =
                subjects.stream()
                        .filter(StatusDecoding.class::isInstance)
                        .map(Subject::name)
                        .toList();
        List<Scenario> all = new ArrayList<>();
        cases(0).stream()
                .map(one ->
                        new Scenario(
                                one.name.substring("couchbase/".length()),
                                List.of(one.name),
                                names,
                                Duration.ofSeconds(scale == Scale.QUICK ? 1 : 2),
                                Integer.MAX_VALUE,
                                List.of(),
                                0))
                .forEach(all::add);
        all.addAll(ServerScenarios.all(scale, subjects));
        List<String> loops =
                subjects.stream().filter(ClientLoop.class::isInstance).map(Subject::name).toList();
        if (!loops.isEmpty()) {
            all.add(
                    new Scenario(
                            SDK_LOOP,
                            List.of("couchbase/" + SDK_LOOP),
                            loops,
                            Duration.ofSeconds(25),
                            Integer.MAX_VALUE,
                            List.of(),
                            0));
        }
        return all;
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        if (subject instanceof ServerSubject server) {
            ServerScenarios.run(scenario.name(), server, run);
            return;
        }
        if (subject instanceof ClientLoop loop) {
            ServerScenarios.run(loop, "couchbase/" + SDK_LOOP, run);
            return;
        }
        StatusDecoding decoding = (StatusDecoding) subject;
        StatusCase one =
                cases(run.seed()).stream()
                        .filter(each -> each.name.endsWith("/" + scenario.name()))
                        .findFirst()
                        .orElseThrow();
        run.phase("warming up");
        repeat(decoding, one.codes, WARM_NANOS);
        run.phase("timing " + STATUS);
        long least = run.scale() == Scale.QUICK ? QUICK_NANOS : FULL_NANOS;
        Meter meter = Meter.start();
        long rounds = repeat(decoding, one.codes, least);
        Meter.Reading reading = meter.stop(rounds * CODES);
        run.measured(
                new Measurement(
                        one.name,
                        "time",
                        "ns/op",
                        reading.perOp(),
                        reading.cpuPerOp(),
                        reading.bytesPerOp(),
                        Durability.MEMORY,
                        decoding.loop().applyAsInt(one.codes)));
    }

    /// Decodes all of `codes` repeatedly for about `nanos`; returns the number of repetitions. The sum of the
    /// statuses is used, so that no decoding can be optimised away.
    private static long repeat(StatusDecoding decoding, int[] codes, long nanos) {
        long begun = System.nanoTime();
        long rounds = 0;
        int sum = 0;
        do {
            for (int i = 0; i < 100; i++) {
                sum += decoding.loop().applyAsInt(codes);
            }
            rounds += 100;
        } while (System.nanoTime() - begun < nanos);
        if (sum != (int) (rounds * decoding.loop().applyAsInt(codes))) {
            throw new IllegalStateException("It found other statuses than before");
        }
        return rounds;
    }
}
