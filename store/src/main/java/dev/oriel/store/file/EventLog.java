package dev.oriel.store.file;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Messages for the program's operator, about events that no caller can be told. The JVM's logging is set up with
/// the first message: that takes as long as opening a small store does.
public final class EventLog {
    private EventLog() {}

    /// Warns of a failure that may repeat, unless that was `said` before. Returns true, which the caller keeps until an
    /// attempt has succeeded.
    public static boolean sayOnce(boolean said, String what, Throwable reason) {
        if (!said) {
            say(Level.WARNING, what, reason);
        }
        return true;
    }

    public static void say(Level level, String what, @Nullable Throwable reason) {
        System.getLogger("dev.oriel.store").log(level, what, reason);
    }
}
