package dev.oriel.store.file;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Messages for the program's operator, about events that no caller can be told. The JVM's logging is set up with
/// the first message: that takes as long as opening a small store does.
public final class EventLog {
    private EventLog() {}

    public static void say(Level level, String what, @Nullable Throwable reason) {
        System.getLogger("dev.oriel.store").log(level, what, reason);
    }
}
