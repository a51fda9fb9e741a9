package dev.oriel.server;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Notices to systemd, for a unit of `Type=notify`: that the server serves (READY=1), that its network threads
/// answer (WATCHDOG=1, twice in each interval), and that it ends (STOPPING=1). If a network thread is dead, the notices
/// of the watchdog stop, and systemd starts the service again.
///
/// Without `NOTIFY_SOCKET` in the environment it does nothing.
final class ServiceNotices implements AutoCloseable {
    private final @Nullable NoticeSocket socket;
    private final ServerLog log;
    private @Nullable Thread watchdog;

    private ServiceNotices(@Nullable NoticeSocket socket, ServerLog log) {
        this.socket = socket;
        this.log = log;
    }

    /// Says that the server serves, and begins with the watchdog's notices if systemd wants any.
    ///
    /// @param environment with `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, as systemd sets them
    /// @param alive whether all network threads answer
    static ServiceNotices begin(
            Map<String, String> environment, BooleanSupplier alive, ServerLog log) {
        ServiceNotices notices = new ServiceNotices(socket(environment, log), log);
        try {
            notices.send("READY=1\nSTATUS=Serving");
            long micros = watchdogMicros(environment, log);
            if (notices.socket != null && micros > 0) {
                notices.watch(micros / 2, alive);
            }
        } catch (RuntimeException | Error e) { // no thread can be made, for example
            notices.close();
            throw e;
        }
        return notices;
    }

    private static @Nullable NoticeSocket socket(Map<String, String> environment, ServerLog log) {
        String name = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (name.isEmpty()) {
            return null;
        }
        try {
            return new NoticeSocket(name);
        } catch (IOException e) {
            log.failed("systemd cannot be told anything; use Type=exec in the unit", e);
            return null;
        }
    }

    /// Interval of the watchdog in microseconds; 0 for none, or for another process.
    private static long watchdogMicros(Map<String, String> environment, ServerLog log) {
        String own = Long.toString(ProcessHandle.current().pid());
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        if (micros.isEmpty() || !environment.getOrDefault("WATCHDOG_PID", own).equals(own)) {
            return 0;
        }
        try {
            return Long.parseLong(micros);
        } catch (NumberFormatException e) {
            log.failed("The interval of the watchdog is no number, so there are no notices", e);
            return 0;
        }
    }

    private void watch(long micros, BooleanSupplier alive) {
        watchdog =
                Thread.ofPlatform()
                        .daemon()
                        .name("oriel-watchdog")
                        .start(() -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                tellIfAlive(alive);
                                try {
                                    TimeUnit.MICROSECONDS.sleep(micros);
                                } catch (InterruptedException end) {
                                    return;
                                }
                            }
                        });
    }

    /// Sends one notice of the watchdog. No error ends the thread: systemd would kill a server that serves.
    private void tellIfAlive(BooleanSupplier alive) {
        try {
            if (alive.getAsBoolean()) {
                send("WATCHDOG=1");
            }
        } catch (Throwable e) { // the next notice follows
            failed("The watchdog has met an error", e);
        }
    }

    private void send(String text) {
        NoticeSocket to = socket;
        if (to == null) {
            return;
        }
        try {
            to.send(text);
        } catch (IOException e) {
            failed("systemd does not receive a notice", e, "notice", text);
        } catch (OutOfMemoryError e) { // the next notice follows
            log.lost();
        }
    }

    /// Logs an error, or counts it if there is no memory for that.
    private void failed(String event, Throwable cause, String... facts) {
        try {
            log.failed(event, cause, facts);
        } catch (Throwable e) {
            log.lost();
        }
    }

    /// Says that the server ends.
    @Override
    public void close() {
        send("STOPPING=1");
        Thread running = watchdog;
        if (running != null) {
            running.interrupt();
        }
        NoticeSocket to = socket;
        if (to != null) {
            to.close();
        }
    }
}
