package dev.oriel.profiler;

import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;

/// The events of the Flight Recorder for each kind of sample, and their settings.
final class JfrEvents {
    private JfrEvents() {}

    static List<String> of(SampleKind kind) {
        return switch (kind) {
            case CPU -> List.of("jdk.ExecutionSample");
            case CPU_TIME -> List.of("jdk.CPUTimeSample");
            case NATIVE -> List.of("jdk.NativeMethodSample");
            case ALLOCATION -> List.of("jdk.ObjectAllocationSample");
            case SURVIVOR -> List.of("jdk.OldObjectSample");
            case FILE_FORCE -> List.of("jdk.FileForce");
            case FILE_WRITE -> List.of("jdk.FileWrite");
            case FILE_READ -> List.of("jdk.FileRead");
            case SOCKET_WRITE -> List.of("jdk.SocketWrite");
            case SOCKET_READ -> List.of("jdk.SocketRead");
            case MONITOR -> List.of("jdk.JavaMonitorEnter");
            case PARK -> List.of("jdk.ThreadPark");
            case WAIT -> List.of("jdk.JavaMonitorWait", "jdk.ThreadSleep");
            case GC -> List.of("jdk.GCPhasePause");
            case WALL, OTHER -> List.of();
        };
    }

    /// Enables the events of a kind of samples in a recording.
    static void enable(Recording recording, SampleKind kind, ProfileOptions options) {
        Duration every = options.sampleEvery();
        for (String event : of(kind)) {
            switch (kind) {
                case CPU, NATIVE -> recording.enable(event).withPeriod(every);
                case CPU_TIME -> recording.enable(event).with("throttle", every.toMillis() + "ms");
                case ALLOCATION ->
                        recording.enable(event).with("throttle", "300/s").withStackTrace();
                case SURVIVOR -> recording.enable(event).with("cutoff", "0 ns").withStackTrace();
                case FILE_FORCE -> recording.enable(event).withoutThreshold().withStackTrace();
                case FILE_WRITE, FILE_READ, SOCKET_WRITE, SOCKET_READ ->
                        // From JDK 25 on they are limited to some hundreds a second.
                        recording
                                .enable(event)
                                .with("throttle", "off")
                                .withThreshold(options.waitsMin())
                                .withStackTrace();
                case MONITOR, PARK, WAIT ->
                        recording.enable(event).withThreshold(options.waitsMin()).withStackTrace();
                case GC -> recording.enable(event).withoutThreshold();
                case WALL, OTHER -> {}
            }
        }
    }

    /// Enables the events that a kept recording should hold in addition to samples: the machine and its load.
    static void enableSurroundings(Recording recording) {
        for (String event :
                List.of("jdk.JVMInformation", "jdk.OSInformation", "jdk.ActiveSetting")) {
            recording.enable(event);
        }
        recording.enable("jdk.CPUInformation");
        recording.enable("jdk.CPULoad").withPeriod(Duration.ofSeconds(1));
    }
}
