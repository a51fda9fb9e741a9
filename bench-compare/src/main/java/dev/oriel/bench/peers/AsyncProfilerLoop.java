package dev.oriel.bench.peers;

import dev.oriel.bench.Jars;
import dev.oriel.bench.profiler.CallLoop;
import dev.oriel.bench.profiler.ProbedLoop;
import java.io.IOException;
import one.profiler.AsyncProfiler;

/// async-profiler, sampling processor time.
final class AsyncProfilerLoop implements ProbedLoop {
    private boolean running;
    private long samples;

    @Override
    public String name() {
        return "async-profiler-sampled";
    }

    @Override
    public String product() {
        return "async-profiler";
    }

    @Override
    public String settings() {
        return "async-profiler "
                + Jars.version("async-profiler")
                + " in the process, event=ctimer every 10 ms of processor time, no permission needed.";
    }

    @Override
    public Case measures() {
        return Case.SAMPLED;
    }

    @Override
    public void turn(boolean on) throws IOException {
        if (on && !running) {
            AsyncProfiler.getInstance().execute("start,event=ctimer,interval=10ms");
        } else if (!on && running) {
            AsyncProfiler.getInstance().execute("stop");
            samples += AsyncProfiler.getInstance().getSamples();
        }
        running = on;
    }

    @Override
    public long watched(int calls) {
        return CallLoop.plain(calls);
    }

    @Override
    public long plain(int calls) {
        return CallLoop.plain(calls);
    }

    @Override
    public void check(long calls) {
        if (samples == 0) {
            throw new IllegalStateException("It has taken no sample");
        }
    }
}
