package dev.oriel.bench.peers;

import dev.oriel.bench.profiler.CallLoop;
import dev.oriel.bench.profiler.ProbedLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// The Flight Recorder's timing of named methods (JEP 520): calls, shortest, mean, longest, no
/// tree.
final class MethodTimingLoop implements ProbedLoop {
    private @Nullable Recording recording;

    @Override
    public String name() {
        return "jfr-method-timing";
    }

    @Override
    public String product() {
        return "jfr";
    }

    @Override
    public String settings() {
        return "The JDK's event jdk.MethodTiming with a filter that names the method.";
    }

    @Override
    public Case measures() {
        return Case.TIMED;
    }

    @Override
    public void begin() {
        Recording started = new Recording();
        started.enable("jdk.MethodTiming")
                .with("filter", MethodTimingLoop.class.getName() + "::step");
        started.start();
        recording = started;
    }

    @Override
    public long watched(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i++) {
            x = step(x, i);
        }
        return x;
    }

    private static long step(long x, int i) {
        return CallLoop.step(x, i);
    }

    @Override
    public long plain(int calls) {
        return CallLoop.plain(calls);
    }

    @Override
    public void check(long calls) throws Exception {
        Recording ending = recording;
        if (ending == null) {
            return;
        }
        Path file = Files.createTempFile("method-timing", ".jfr");
        ending.stop();
        ending.dump(file);
        ending.close();
        long seen = 0;
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals("jdk.MethodTiming")) {
                seen = Math.max(seen, event.getLong("invocations"));
            }
        }
        Files.delete(file);
        if (seen != calls) {
            throw new IllegalStateException("It has " + seen + " calls of " + calls);
        }
    }
}
