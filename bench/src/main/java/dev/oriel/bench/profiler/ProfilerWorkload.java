package dev.oriel.bench.profiler;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The cost of profiling: a call that is watched, by our probes and by other profilers, and a statement with the
/// always-on part.
///
/// `profiler/call/...`: a loop of calls, watched and by itself in turns in one JVM. `time` is the additional time
/// of a call. For inactive probes and for samplers it is the whole time of a call, because the difference may be
/// zero. `loop` is the loop by itself, `on/off` the ratio of the watched loop's time to it.
public final class ProfilerWorkload implements Workload {
    static final String ALWAYS_ON = "profiler/always-on/";
    private static final String CALL = "profiler/call/";
    private static final int CALLS = 2_000;

    /// Calls of a block with a sampler, which takes several samples in it.
    private static final int SAMPLED_CALLS = 40_000_000;

    @Override
    public String name() {
        return "profiler";
    }

    @Override
    public String summary() {
        return "what a watched call costs, and what is always on costs a statement";
    }

    @Override
    public boolean takes(Subject subject) {
        return subject instanceof ProbedLoop || subject instanceof AlwaysOn;
    }

    @Override
    public List<Scenario> scenarios(Scale scale, List<Subject> subjects) {
        List<Scenario> scenarios = new ArrayList<>();
        Duration time = time(scale);
        for (ProbedLoop.Case each : ProbedLoop.Case.values()) {
            List<String> names =
                    subjects.stream()
                            .filter(one ->
                                    one instanceof ProbedLoop loop && loop.measures() == each)
                            .map(Subject::name)
                            .toList();
            scenarios.add(scenario("call/" + each.label(), names, time));
        }
        for (AlwaysOnRun.Work work : AlwaysOnRun.Work.values()) {
            List<String> names =
                    subjects.stream()
                            .filter(AlwaysOn.class::isInstance)
                            .map(Subject::name)
                            .toList();
            String name = work.caseName().substring("profiler/".length());
            scenarios.add(scenario(name, names, time.multipliedBy(2)));
        }
        return scenarios;
    }

    private static Scenario scenario(String name, List<String> subjects, Duration time) {
        return new Scenario(
                name,
                List.of("profiler/" + name),
                subjects,
                time.plusSeconds(3),
                Integer.MAX_VALUE,
                List.of(),
                0);
    }

    private static Duration time(Scale scale) {
        return Duration.ofSeconds(scale == Scale.QUICK ? 2 : 10);
    }

    @Override
    public void run(Scenario scenario, Subject subject, Run run) throws Exception {
        if (subject instanceof ProbedLoop loop) {
            calls(loop, run);
            return;
        }
        AlwaysOnRun.Work work =
                Arrays.stream(AlwaysOnRun.Work.values())
                        .filter(each -> each.caseName().endsWith("/" + scenario.name()))
                        .findFirst()
                        .orElseThrow();
        new AlwaysOnRun(run, time(run.scale())).measure(work);
    }

    private static void calls(ProbedLoop loop, Run run) throws Exception {
        run.phase("starting");
        loop.begin();
        boolean sampled = loop.measures() == ProbedLoop.Case.SAMPLED;
        LoopWork work = new LoopWork(loop, sampled ? SAMPLED_CALLS : CALLS);
        run.phase("warming up");
        long warm = time(run.scale()).toNanos() / 4;
        Toggling.byWallTime(run.seed()).measure(work, warm, 2);
        run.phase("watched and not in turns");
        Toggling.Outcome outcome =
                Toggling.byWallTime(run.seed())
                        .measure(work, time(run.scale()).toNanos(), Toggling.COMPARISONS_MIN);
        loop.turn(false);
        loop.check(work.watched);
        tell(loop, outcome, work.calls, run);
    }

    private static void tell(ProbedLoop loop, Toggling.Outcome outcome, int calls, Run run) {
        String caseName = CALL + loop.measures().label();
        boolean nothing =
                loop.measures() == ProbedLoop.Case.OFF
                        || loop.measures() == ProbedLoop.Case.SAMPLED;
        double nanos = nothing ? outcome.onNanos() : outcome.cost().value();
        run.figure(caseName, "time", "ns/op", nanos / calls, Durability.MEMORY);
        run.figure(caseName, "loop", "ns/op", outcome.offNanos() / calls, Durability.MEMORY);
        run.figure(caseName, "on/off", "", outcome.ratio().value(), Durability.MEMORY);
        run.figure(caseName, "on/off low", "", outcome.ratio().low(), Durability.MEMORY);
        run.figure(caseName, "on/off high", "", outcome.ratio().high(), Durability.MEMORY);
    }

    /// The loop, watched and by itself.
    private static final class LoopWork implements Toggling.Work {
        private final ProbedLoop loop;
        private final int calls;
        private final long sum;
        private long watched;

        LoopWork(ProbedLoop loop, int calls) {
            this.loop = loop;
            this.calls = calls;
            this.sum = loop.plain(calls);
        }

        @Override
        public void turn(boolean on) throws Exception {
            loop.turn(on);
        }

        @Override
        public void block(boolean on) {
            long found = on ? loop.watched(calls) : loop.plain(calls);
            watched += on ? calls : 0;
            if (found != sum) {
                throw new IllegalStateException("The calls came to something else than before");
            }
        }
    }
}
