package dev.oriel.sql;

import dev.oriel.table.TableTransaction;
import org.jspecify.annotations.Nullable;

/// A transaction over several faces, as `sys.transactions` shows it.
///
/// @param number unique within its database
/// @param name name given by the program; empty for none
/// @param faces comma-separated names of the faces that have taken part
/// @param rows transaction of its reads and writes
/// @param begunNanos time of its begin, by `System.nanoTime`
/// @param begunAt place in the program that began it; null unless recorded
public record OpenTransaction(
        long number,
        String name,
        String faces,
        TableTransaction rows,
        long begunNanos,
        @Nullable String begunAt) {}
