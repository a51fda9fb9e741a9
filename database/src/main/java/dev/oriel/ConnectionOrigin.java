package dev.oriel;

import dev.oriel.sql.engine.Routine;
import java.util.List;
import java.util.function.Supplier;

/// Origin of a connection: its database, and the lease to give back.
///
/// @param release called once, when the connection is closed
record ConnectionOrigin(
        String url,
        boolean readOnly,
        Supplier<List<Routine>> routines,
        Supplier<Engine> engine,
        Runnable release) {}
