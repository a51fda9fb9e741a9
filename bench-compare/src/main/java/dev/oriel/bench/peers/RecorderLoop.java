package dev.oriel.bench.peers;

import dev.oriel.bench.profiler.CallLoop;
import dev.oriel.bench.profiler.ProbedLoop;
import java.time.Duration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/// The Flight Recorder by itself, sampling running threads.
final class RecorderLoop implements ProbedLoop {
    private @Nullable Recording recording;

    @Override
    public String name() {
        return "jfr-sampled";
    }

    @Override
    public String product() {
        return "jfr";
    }

    @Override
    public String settings() {
        return "The JDK's event jdk.ExecutionSample every 10 ms, and no other.";
    }

    @Override
    public Case measures() {
        return Case.SAMPLED;
    }

    @Override
    public void turn(boolean on) {
        Recording running = recording;
        if (on && running == null) {
            Recording started = new Recording();
            started.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            started.start();
            recording = started;
        } else if (!on && running != null) {
            running.stop();
            running.close();
            recording = null;
        }
    }

    @Override
    public long watched(int calls) {
        return CallLoop.plain(calls);
    }

    @Override
    public long plain(int calls) {
        return CallLoop.plain(calls);
    }
}
