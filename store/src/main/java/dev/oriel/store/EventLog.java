package dev.oriel.store;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// What no caller can be told, for who runs the program. The JVM's logging is set up when there is something to
/// say: that takes as long as opening a small store does.
final class EventLog {
    private EventLog() {}

    static void say(Level level, String what, @Nullable Throwable reason) {
        System.getLogger("dev.oriel.store").log(level, what, reason);
    }
}
