package dev.oriel.profiler;

import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Registered;
import org.jspecify.annotations.Nullable;

/// Loads most of what the Flight Recorder takes to start, once in a JVM and in a thread beside: its classes, and the
/// descriptions of its events. Settings that must come before its first use can still be made afterwards. Loaded only
/// if the module `jdk.jfr` is present.
final class JfrPreparation {
    /// The running or ended preparation; null if there was none. Guarded by the class.
    private static @Nullable Thread thread;

    private JfrPreparation() {}

    /// An event whose registration makes the Flight Recorder read the descriptions of all events.
    @Registered(false)
    @Enabled(false)
    private static final class Described extends Event {}

    /// Starts it, unless it was started or the Flight Recorder is in use.
    static synchronized void start() {
        if (thread == null && !FlightRecorder.isInitialized() && FlightRecorder.isAvailable()) {
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name(ProcessWatch.THREADS + "prepare")
                            .start(JfrPreparation::prepare);
        }
    }

    private static void prepare() {
        FlightRecorder.register(Described.class);
        FlightRecorder.unregister(Described.class);
    }

    /// Waits until it has ended, if it was started: classes of the Flight Recorder that two threads initialize might
    /// wait for each other.
    static void await() {
        Thread running;
        synchronized (JfrPreparation.class) {
            running = thread;
        }
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true; // it is short: the caller is interrupted after it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
