package dev.oriel.sql;

import dev.oriel.table.TableTransaction;
import org.jspecify.annotations.Nullable;

/// A transaction over several faces, as `sys.transactions` shows it.
///
/// @param number tells it from the others of its database
/// @param name what it is called; empty for no name
/// @param faces names of the faces that have taken part, parted by commas
/// @param rows what it reads and writes in
/// @param begunNanos when it began, by `System.nanoTime`
/// @param begunAt where it was begun; null if nobody asked for that
public record OpenTransaction(
        long number,
        String name,
        String faces,
        TableTransaction rows,
        long begunNanos,
        @Nullable String begunAt) {}
