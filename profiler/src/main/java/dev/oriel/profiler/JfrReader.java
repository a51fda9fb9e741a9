package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// Turns a recording of the Flight Recorder into [Sample]s. Equal frames and stacks are shared: a
/// long recording has many samples and few places. Confined to one thread; reads one file.
final class JfrReader {
    private static final Map<String, SampleKind> KINDS = new HashMap<>();

    /// What the JVM appends to the name of a hidden class: it differs from run to run.
    private static final Pattern HIDDEN = Pattern.compile("[./+]0x[0-9a-f]+$");

    static {
        for (SampleKind kind : SampleKind.values()) {
            KINDS.put(event(kind), kind);
        }
    }

    private final Instant startedAt;
    private final long wallNanos;
    private final Map<StackFrame, StackFrame> frames = new HashMap<>();
    private final Map<List<StackFrame>, List<StackFrame>> stacks = new HashMap<>();

    /// Reads what happened from `startedAt` on and for `wallNanos`: the recording also holds its own
    /// start and end.
    JfrReader(Instant startedAt, long wallNanos) {
        this.startedAt = startedAt;
        this.wallNanos = wallNanos;
    }

    /// The event that tells of a kind of sample.
    static String event(SampleKind kind) {
        return switch (kind) {
            case CPU -> "jdk.ExecutionSample";
            case NATIVE -> "jdk.NativeMethodSample";
            case ALLOCATION -> "jdk.ObjectAllocationSample";
            case FILE_FORCE -> "jdk.FileForce";
            case FILE_WRITE -> "jdk.FileWrite";
            case FILE_READ -> "jdk.FileRead";
            case MONITOR -> "jdk.JavaMonitorEnter";
        };
    }

    List<Sample> read(Path file) throws IOException {
        List<Sample> samples = new ArrayList<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                SampleKind kind = KINDS.get(event.getEventType().getName());
                if (kind != null) {
                    Sample sample = sample(kind, event);
                    if (sample.atNanos() >= 0 && sample.atNanos() <= wallNanos) {
                        samples.add(sample);
                    }
                }
            }
        }
        samples.sort(Comparator.comparingLong(Sample::atNanos));
        return samples;
    }

    private Sample sample(SampleKind kind, RecordedEvent event) {
        long at = Duration.between(startedAt, event.getStartTime()).toNanos();
        return switch (kind) {
            case CPU, NATIVE -> sample(kind, at, event.getThread("sampledThread"), event, 1);
            case ALLOCATION -> sample(kind, at, event.getThread(), event, event.getLong("weight"));
            case FILE_FORCE, FILE_WRITE, FILE_READ, MONITOR ->
                    sample(kind, at, event.getThread(), event, event.getDuration().toNanos());
        };
    }

    private Sample sample(
            SampleKind kind,
            long at,
            @Nullable RecordedThread thread,
            RecordedEvent event,
            long weight) {
        return new Sample(kind, at, name(thread), stack(event.getStackTrace()), weight);
    }

    private List<StackFrame> stack(@Nullable RecordedStackTrace trace) {
        if (trace == null) {
            return List.of();
        }
        List<StackFrame> stack = new ArrayList<>(trace.getFrames().size());
        for (RecordedFrame frame : trace.getFrames()) {
            if (frame.isJavaFrame()) {
                // Recording a call is one frame, Probe.enter or Probe.exit, whatever goes on in it.
                if (frame.getMethod().getType().getName().equals(Probe.class.getName())) {
                    stack.clear();
                }
                stack.add(frames.computeIfAbsent(frame(frame), key -> key));
            }
        }
        return stacks.computeIfAbsent(List.copyOf(stack), key -> key);
    }

    private static StackFrame frame(RecordedFrame frame) {
        return new StackFrame(
                className(frame.getMethod().getType().getName()),
                frame.getMethod().getName(),
                Math.max(0, frame.getLineNumber()));
    }

    /// The name of a class without what the JVM appends to that of a hidden one.
    static String className(String name) {
        Matcher hidden = HIDDEN.matcher(name);
        return hidden.find() ? name.substring(0, hidden.start()) : name;
    }

    private static String name(@Nullable RecordedThread thread) {
        if (thread == null) {
            return "unknown";
        }
        String name = thread.getJavaName();
        if (name == null) {
            return String.valueOf(thread.getOSName());
        }
        return name.isEmpty() ? "virtual-" + thread.getJavaThreadId() : name;
    }
}
