package dev.oriel;

import dev.oriel.sql.engine.Routine;
import java.util.List;
import java.util.function.Supplier;

/// Origin of a connection: its URL, its database, and the release of its lease.
///
/// @param release called once, when the connection is closed
record ConnectionOrigin(
        String url,
        boolean readOnly,
        Supplier<List<Routine>> routines,
        Supplier<Engine> engine,
        Runnable release) {}
