package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// Turns a recording of the Flight Recorder, ours or of any JVM, into [Sample]s. Equal frames and
/// stacks are shared: a long recording has many samples and few places. Confined to one thread; reads
/// one file.
final class JfrReader {
    private static final Map<String, SampleKind> KINDS = new HashMap<>();
    private static final String SAMPLED = "jdk.ObjectAllocationSample";
    private static final String IN_NEW = "jdk.ObjectAllocationInNewTLAB";
    private static final String OUTSIDE = "jdk.ObjectAllocationOutsideTLAB";
    private static final String PROBE = Probe.class.getName();
    private static final long NANOS = 1_000_000_000L;

    private static final int METHODS_MAX = 10_000;

    /// The suffix that the JVM appends to the name of a hidden class: it differs from run to run.
    private static final Pattern HIDDEN = Pattern.compile("[./+]0x[0-9a-f]+$");

    static {
        for (SampleKind kind : SampleKind.values()) {
            for (String event : JfrEvents.of(kind)) {
                KINDS.put(event, kind);
            }
        }
        KINDS.put(IN_NEW, SampleKind.ALLOCATION);
        KINDS.put(OUTSIDE, SampleKind.ALLOCATION);
        KINDS.put("profiler.WallClockSample", SampleKind.WALL);
    }

    private final Map<StackFrame, StackFrame> frames = new HashMap<>();
    private final Map<List<StackFrame>, List<StackFrame>> stacks = new HashMap<>();

    /// Methods of the recording, which has one object for each in a part of the file, without lines.
    private final IdentityHashMap<RecordedMethod, StackFrame> methods = new IdentityHashMap<>();

    private final List<Sample> samples = new ArrayList<>();

    /// Allocations by buffer, used if the JVM was set to record them in place of samples.
    private final List<Sample> buffers = new ArrayList<>();

    private final Map<String, String> facts = new TreeMap<>();
    private final Map<Long, String> eventTypes = new HashMap<>();

    /// Kinds of samples that were enabled in the recording.
    private final Set<String> taken = new TreeSet<>();

    /// Number of stacks of samples whose outermost frames are missing, and the frames of the deepest of them.
    private int truncated;

    private int deepest;

    private final WallInterval wallInterval = new WallInterval();
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;
    private long processors = -1;
    private double load;
    private long loads;

    /// Reads the events from `startedAt` on and for `wallNanos`: the recording also holds its own start and end.
    static List<Sample> read(Path file, Instant startedAt, long wallNanos, List<String> notes)
            throws IOException {
        JfrReader reader = new JfrReader();
        reader.readEvents(file);
        List<Sample> within = new ArrayList<>();
        for (Sample sample : reader.since(nanos(startedAt))) {
            // Events of surviving objects come at the end of the recording; their time is that of
            // the allocation.
            if (sample.atNanos() >= 0 && sample.atNanos() <= wallNanos) {
                within.add(sample);
            }
        }
        if (reader.truncated > 0) {
            notes.add(
                    "The outermost frames of "
                            + reader.truncated
                            + " stacks of samples are missing: this JVM keeps "
                            + reader.deepest
                            + " frames of a stack.");
        }
        return within;
    }

    /// Reads a whole recording.
    static ProfileResult read(Path file) throws IOException {
        JfrReader reader = new JfrReader();
        reader.readEvents(file);
        boolean empty = reader.firstNanos > reader.lastNanos;
        long first = empty ? 0 : reader.firstNanos;
        long wall = empty ? 0 : reader.lastNanos - first;
        reader.facts.put("samples", String.join(" ", reader.taken));
        long cpu = -1;
        if (reader.loads > 0 && reader.processors > 0) {
            cpu = (long) (reader.load / reader.loads * reader.processors * wall);
        }
        return new ProfileResult(
                Instant.ofEpochSecond(first / NANOS, first % NANOS),
                wall,
                ProbeCost.NONE,
                0,
                List.of(),
                reader.since(first),
                new Totals(-1, cpu, -1, -1, -1, reader.processors),
                reader.facts,
                reader.notes());
    }

    private List<String> notes() {
        boolean seen = samples.stream().anyMatch(sample -> sample.kind() == SampleKind.WALL);
        return seen && wallInterval.nanos() == 0
                ? List.of(
                        "Samples of the kind Other are of the clock on the wall; how far apart they"
                                + " are, the recording does not tell.")
                : List.of();
    }

    private List<Sample> since(long epochNanos) {
        boolean sampled = false;
        samples.removeIf(sample -> sample.thread().startsWith(ProcessWatch.THREADS));
        for (Sample sample : samples) {
            sampled |= sample.kind() == SampleKind.ALLOCATION;
        }
        if (!sampled) {
            samples.addAll(buffers);
        }
        List<Sample> moved = new ArrayList<>(samples.size());
        long wallNanos = wallInterval.nanos();
        for (Sample sample : samples) {
            boolean wall = sample.kind() == SampleKind.WALL;
            moved.add(
                    new Sample(
                            wall && wallNanos == 0 ? SampleKind.OTHER : sample.kind(),
                            sample.atNanos() - epochNanos,
                            sample.thread(),
                            sample.stack(),
                            wall
                                    ? Math.multiplyExact(sample.weight(), Math.max(1, wallNanos))
                                    : sample.weight(),
                            sample.count(),
                            sample.detail()));
        }
        moved.sort(Comparator.comparingLong(Sample::atNanos));
        return moved;
    }

    private void readEvents(Path file) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                SampleKind kind = KINDS.get(name);
                firstNanos = Math.min(firstNanos, nanos(event.getStartTime()));
                lastNanos = Math.max(lastNanos, nanos(event.getEndTime()));
                if (kind != null) {
                    add(kind, name, event);
                } else {
                    note(name, event, recording);
                }
            }
        }
    }

    private void note(String name, RecordedEvent event, RecordingFile recording)
            throws IOException {
        switch (name) {
            case "jdk.JVMInformation" -> facts.put("java", event.getString("jvmVersion"));
            case "jdk.OSInformation" -> facts.put("os", firstLine(event.getString("osVersion")));
            case "jdk.ActiveSetting" -> {
                if (eventTypes.isEmpty()) { // reading them takes as long as many events
                    for (EventType type : recording.readEventTypes()) {
                        eventTypes.put(type.getId(), type.getName());
                    }
                }
                SampleKind kind = KINDS.get(eventTypes.getOrDefault(event.getLong("id"), ""));
                String setting = text(event, "name");
                String value = text(event, "value");
                if (kind != null && setting.equals("enabled") && value.equals("true")) {
                    taken.add(kind.name());
                }
                if (kind == SampleKind.CPU || setting.equals("event")) {
                    wallInterval.setting(setting, value);
                }
            }
            case "jdk.CPUInformation" -> processors = event.getInt("hwThreads");
            case "jdk.CPULoad" -> {
                load += event.getFloat("jvmUser") + event.getFloat("jvmSystem");
                loads++;
            }
            default -> {}
        }
    }

    private void add(SampleKind kind, String name, RecordedEvent event) {
        long duration = event.getDuration().toNanos();
        switch (kind) {
            case CPU, NATIVE -> add(kind, event, event.getThread("sampledThread"), 1, "");
            case CPU_TIME -> {
                if (!event.getBoolean("failed")) {
                    long period = event.getDuration("samplingPeriod").toNanos();
                    add(kind, event, event.getThread("eventThread"), period, "");
                }
            }
            case WALL -> wall(event);
            case ALLOCATION -> allocation(name, event);
            case SURVIVOR -> survivor(event);
            case FILE_FORCE, FILE_WRITE, FILE_READ ->
                    add(kind, event, event.getThread(), duration, text(event, "path"));
            case SOCKET_READ, SOCKET_WRITE ->
                    add(kind, event, event.getThread(), duration, peer(event));
            case MONITOR -> add(kind, event, event.getThread(), duration, monitor(event));
            case PARK -> add(kind, event, event.getThread(), duration, type(event, "parkedClass"));
            case WAIT -> add(kind, event, event.getThread(), duration, type(event, "monitorClass"));
            case GC -> add(kind, event, null, duration, text(event, "name"));
            case OTHER -> {}
        }
    }

    private static String monitor(RecordedEvent event) {
        RecordedThread holder =
                event.hasField("previousOwner") ? event.getThread("previousOwner") : null;
        String type = type(event, "monitorClass");
        return holder == null ? type : type + Sample.HELD_BY + name(SampleKind.MONITOR, holder);
    }

    /// A thread that stays in one place is reported once for several looks. The weight is that number of looks
    /// until the interval between looks is known.
    private void wall(RecordedEvent event) {
        long times = event.hasField("samples") ? Math.max(1, event.getLong("samples")) : 1;
        samples.add(
                new Sample(
                        SampleKind.WALL,
                        nanos(event.getStartTime()),
                        name(SampleKind.WALL, event.getThread("sampledThread")),
                        stack(event.getStackTrace()),
                        times,
                        times,
                        ""));
    }

    private void allocation(String name, RecordedEvent event) {
        String type = type(event, "objectClass");
        if (name.equals(SAMPLED)) {
            add(SampleKind.ALLOCATION, event, event.getThread(), event.getLong("weight"), type);
        } else {
            String field = name.equals(IN_NEW) ? "tlabSize" : "allocationSize";
            buffers.add(
                    sample(
                            SampleKind.ALLOCATION,
                            nanos(event.getStartTime()),
                            event.getThread(),
                            event,
                            event.getLong(field),
                            type));
        }
    }

    private void survivor(RecordedEvent event) {
        RecordedObject object = event.getValue("object");
        String type = object == null ? "" : type(object, "type");
        long size = event.hasField("objectSize") ? event.getLong("objectSize") : 1;
        samples.add(
                sample(
                        SampleKind.SURVIVOR,
                        nanos(event.getInstant("allocationTime")),
                        event.getThread(),
                        event,
                        Math.max(1, size),
                        type));
    }

    private void add(
            SampleKind kind,
            RecordedEvent event,
            @Nullable RecordedThread thread,
            long weight,
            String detail) {
        samples.add(sample(kind, nanos(event.getStartTime()), thread, event, weight, detail));
    }

    private Sample sample(
            SampleKind kind,
            long at,
            @Nullable RecordedThread thread,
            RecordedEvent event,
            long weight,
            String detail) {
        List<StackFrame> stack = stack(event.getStackTrace());
        return new Sample(kind, at, name(kind, thread), stack, weight, 1, detail);
    }

    private List<StackFrame> stack(@Nullable RecordedStackTrace trace) {
        if (trace == null) {
            return List.of();
        }
        List<RecordedFrame> recorded = trace.getFrames();
        List<StackFrame> stack = new ArrayList<>(recorded.size());
        if (trace.isTruncated()) {
            truncated++;
            deepest = Math.max(deepest, recorded.size());
        }
        for (RecordedFrame each : recorded) {
            StackFrame frame = frame(each);
            // Recording a call is one frame, Probe.enter or Probe.exit, whatever its callees.
            if (frame.owner().equals(PROBE)) {
                stack.clear();
            }
            stack.add(frames.computeIfAbsent(frame, key -> key));
        }
        return stacks.computeIfAbsent(List.copyOf(stack), key -> key);
    }

    private StackFrame frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        StackFrame plain = methods.get(method);
        if (plain == null) {
            if (methods.size() == METHODS_MAX) {
                methods.clear(); // those of earlier parts are not asked for again
            }
            plain = new StackFrame(className(method.getType().getName()), method.getName(), 0);
            methods.put(method, plain);
        }
        return new StackFrame(plain.owner(), plain.method(), Math.max(0, frame.getLineNumber()));
    }

    /// The name of a class without the JVM's suffix for hidden classes.
    static String className(String name) {
        if (!name.contains("0x")) {
            return name;
        }
        Matcher hidden = HIDDEN.matcher(name);
        return hidden.find() ? name.substring(0, hidden.start()) : name;
    }

    /// The name of a class as it is written in Java: `byte[]`, not `[B`.
    static String typeName(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return className(name);
        }
        String element = name.substring(dimensions);
        String plain =
                switch (element.isEmpty() ? ' ' : element.charAt(0)) {
                    case 'Z' -> "boolean";
                    case 'B' -> "byte";
                    case 'C' -> "char";
                    case 'S' -> "short";
                    case 'I' -> "int";
                    case 'J' -> "long";
                    case 'F' -> "float";
                    case 'D' -> "double";
                    case 'L' -> element.substring(1, element.length() - 1).replace('/', '.');
                    default -> element;
                };
        return className(plain) + "[]".repeat(dimensions);
    }

    private static String type(RecordedObject event, String field) {
        if (!event.hasField(field)) {
            return "";
        }
        RecordedClass type = event.getValue(field);
        return type == null ? "" : typeName(type.getName());
    }

    private static String text(RecordedEvent event, String field) {
        String value = event.hasField(field) ? event.getString(field) : null;
        return value == null ? "" : value;
    }

    /// The other side of a connection: `host:port`.
    private static String peer(RecordedEvent event) {
        String host = text(event, "host");
        String place = host.isEmpty() ? text(event, "address") : host;
        return event.hasField("port") ? place + ":" + event.getInt("port") : place;
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "" : text.lines().findFirst().orElse("");
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * NANOS + instant.getNano();
    }

    private static String name(SampleKind kind, @Nullable RecordedThread thread) {
        if (thread == null) {
            return kind == SampleKind.GC ? "all" : "unknown";
        }
        String name = thread.getJavaName();
        if (name == null) {
            return String.valueOf(thread.getOSName());
        }
        return name.isEmpty() ? "virtual-" + thread.getJavaThreadId() : name;
    }
}
