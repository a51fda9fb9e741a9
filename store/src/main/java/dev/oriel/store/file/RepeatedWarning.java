package dev.oriel.store.file;

import java.lang.System.Logger.Level;

/// Warns of a failure that may repeat: once, until an attempt has succeeded.
public final class RepeatedWarning {
    private final String what;
    private volatile boolean said;

    public RepeatedWarning(String what) {
        this.what = what;
    }

    public void say(Throwable reason) {
        if (!said) {
            said = true;
            EventLog.say(Level.WARNING, what, reason);
        }
    }

    /// An attempt has succeeded.
    public void clear() {
        said = false;
    }
}
