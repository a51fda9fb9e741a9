package dev.oriel.bench.profiler;

import dev.oriel.profiler.Probe;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.TreeOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Our probes, as the engine's layers and the agent use them.
final class OrielLoop implements ProbedLoop {
    /// A class of its own, so that the subject can be named without the engine.
    private static final class Probes {
        static final Probe LOOP = Probe.of(OrielLoop.class, "loop");
        static final Probe A = Probe.of(OrielLoop.class, "a");
        static final Probe B = Probe.of(OrielLoop.class, "b");
        static final Probe C = Probe.of(OrielLoop.class, "c");
        static final Probe D = Probe.of(OrielLoop.class, "d");
    }

    private static final int TUNED_CALLS = 1 << 21;

    private final Case measures;
    private @Nullable Profile profile;
    private long loop;

    /// Number of calls before the measurement.
    private long before;

    OrielLoop(Case measures) {
        this.measures = measures;
    }

    @Override
    public String name() {
        return "oriel-" + measures.label();
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return switch (measures) {
            case TIMED, TIMED_FOUR ->
                    "Probes as the engine has them: calls, self time, shortest, longest, histogram, errors;"
                            + " no auto-tuning.";
            case COUNTED -> "The same after auto-tuning has found the calls too short to be timed.";
            case OFF -> "The same while no profile runs.";
            case SAMPLED ->
                    "A profile without probes in the loop, with CPU samples of the Flight Recorder"
                            + " every 10 ms.";
        };
    }

    @Override
    public Case measures() {
        return measures;
    }

    @Override
    public void begin() {
        switch (measures) {
            case TIMED, TIMED_FOUR -> start(TreeOptions.USUAL.withAutoTune(false));
            case COUNTED -> {
                start(TreeOptions.USUAL);
                before = TUNED_CALLS; // without a pause, which would make them look infrequent
                one(TUNED_CALLS);
            }
            case OFF, SAMPLED -> {}
        }
    }

    private void start(TreeOptions tree) {
        profile = Profile.start(ProfileOptions.exactOnly().withTree(tree));
        loop = Probes.LOOP.enter();
    }

    @Override
    public void turn(boolean on) {
        if (measures != Case.SAMPLED) {
            return;
        }
        Profile running = profile;
        if (on && running == null) {
            profile = Profile.start(ProfileOptions.exactOnly().withSamples(Set.of(SampleKind.CPU)));
        } else if (!on && running != null) {
            running.stop();
            profile = null;
        }
    }

    @Override
    public long watched(int calls) {
        return switch (measures) {
            case TIMED, COUNTED, OFF -> one(calls);
            case TIMED_FOUR -> four(calls);
            case SAMPLED -> CallLoop.plain(calls);
        };
    }

    @Override
    public long plain(int calls) {
        return CallLoop.plain(calls);
    }

    private static long one(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i++) {
            long entered = Probes.A.enter();
            try {
                x = CallLoop.step(x, i);
            } finally {
                Probes.A.exit(entered);
            }
        }
        return x;
    }

    private static long four(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i += 4) {
            x = a(x, i);
            x = b(x, i + 1);
            x = c(x, i + 2);
            x = d(x, i + 3);
        }
        return x;
    }

    private static long a(long x, int i) {
        long entered = Probes.A.enter();
        try {
            return CallLoop.step(x, i);
        } finally {
            Probes.A.exit(entered);
        }
    }

    private static long b(long x, int i) {
        long entered = Probes.B.enter();
        try {
            return CallLoop.step(x, i);
        } finally {
            Probes.B.exit(entered);
        }
    }

    private static long c(long x, int i) {
        long entered = Probes.C.enter();
        try {
            return CallLoop.step(x, i);
        } finally {
            Probes.C.exit(entered);
        }
    }

    private static long d(long x, int i) {
        long entered = Probes.D.enter();
        try {
            return CallLoop.step(x, i);
        } finally {
            Probes.D.exit(entered);
        }
    }

    @Override
    public void check(long calls) {
        Profile running = profile;
        if (running == null || measures == Case.SAMPLED) {
            return;
        }
        Probes.LOOP.exit(loop);
        ProfileResult result = running.stop();
        long seen = 0;
        long untimed = 0;
        for (var method : result.methods()) {
            if (!method.name().endsWith(".loop")) {
                seen += method.calls();
                untimed += method.detail().untimedCalls();
            }
        }
        if (seen != calls + before) {
            throw new IllegalStateException("The profile has " + seen + " calls of " + calls);
        }
        if (measures == Case.COUNTED ? untimed < calls / 2 : untimed > 0) {
            throw new IllegalStateException(untimed + " calls of " + calls + " were not timed");
        }
    }
}
