package dev.oriel.cli;

import java.sql.Connection;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/// A trigger of H2 that does nothing.
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // H2 makes it by its name
public final class SilentTrigger implements Trigger {
    @Override
    public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after) {
        // there is a trigger, that is all
    }
}
