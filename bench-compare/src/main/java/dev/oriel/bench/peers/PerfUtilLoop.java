package dev.oriel.bench.peers;

import dev.oriel.bench.Jars;
import dev.oriel.bench.profiler.CallLoop;
import dev.oriel.bench.profiler.ProbedLoop;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hugegraph.perf.PerfUtil;

/// HugeGraph's `watched`: its weaver's code around a method, written by hand.
final class PerfUtilLoop implements ProbedLoop {
    private static final Pattern TIMES =
            Pattern.compile("\"loop/[abcd]\":\\{[^}]*\"times\":\\s*(\\d+)");

    private final String name;
    private final Case measures;
    private final boolean light;

    PerfUtilLoop(String name, Case measures, boolean light) {
        this.name = name;
        this.measures = measures;
        this.light = light;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String product() {
        return "perfutil";
    }

    @Override
    public String settings() {
        return "PerfUtil of hugegraph-common "
                + Jars.version("hugegraph-common")
                + (light
                        ? " with useLightStopwatch: calls and total time alone."
                        : ", defaults: calls, total, shortest, longest, its own cost.");
    }

    @Override
    public List<String> jvmArgs() {
        return List.of("--add-opens=java.base/java.lang=ALL-UNNAMED");
    }

    @Override
    public Case measures() {
        return measures;
    }

    @Override
    public void begin() {
        PerfUtil.profileSingleThread(true);
        PerfUtil.useLocalTimer(false);
        PerfUtil.useLightStopwatch(light);
        PerfUtil.instance().start("loop");
    }

    @Override
    public long watched(int calls) {
        return measures == Case.TIMED_FOUR ? four(calls) : one(calls);
    }

    private static long one(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i++) {
            x = watched("a", x, i);
        }
        return x;
    }

    private static long four(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i += 4) {
            x = watched("a", x, i);
            x = watched("b", x, i + 1);
            x = watched("c", x, i + 2);
            x = watched("d", x, i + 3);
        }
        return x;
    }

    private static long watched(String method, long x, int i) {
        PerfUtil.instance().start(method);
        try {
            return CallLoop.step(x, i);
        } finally {
            PerfUtil.instance().end(method);
        }
    }

    @Override
    public long plain(int calls) {
        return CallLoop.plain(calls);
    }

    @Override
    public void check(long calls) {
        PerfUtil.instance().end("loop");
        String json = PerfUtil.instance().toJson();
        Matcher matcher = TIMES.matcher(json);
        long seen = 0;
        while (matcher.find()) {
            seen += Long.parseLong(matcher.group(1));
        }
        if (seen != calls) {
            throw new IllegalStateException("It has " + seen + " calls of " + calls + ": " + json);
        }
    }
}
