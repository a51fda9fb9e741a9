package dev.oriel.server;

import dev.oriel.kv.Status;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Changes that were refused, counted by their reason, and whether the disk is the reason at present. Safe for use
/// by any number of threads.
final class Refusals {
    /// Time without a refused change after which the disk no longer counts as full; a successful change ends it at
    /// once.
    static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(60);

    final LongAdder full = new LongAdder();
    final LongAdder limits = new LongAdder();
    final LongAdder storage = new LongAdder();
    final LongAdder conflicts = new LongAdder();
    final LongAdder others = new LongAdder();

    private final Metrics metrics;
    private final ServerLog log;
    private final LongSupplier nanos;

    /// The reason that the disk takes no changes; empty if it does.
    private volatile String reason = "";

    /// Whether only a restart helps.
    private volatile boolean lasting;

    private volatile long refusedNanos;

    Refusals(Metrics metrics, ServerLog log, LongSupplier nanos) {
        this.metrics = metrics;
        this.log = log;
        this.nanos = nanos;
    }

    void refused(DatabaseException cause) {
        switch (cause) {
            case LimitException limit when limit.getCause() instanceof IOException -> {
                full.increment();
                note(limit, false);
            }
            case LimitException _ -> limits.increment();
            case StorageException failed -> {
                storage.increment();
                note(failed, true);
            }
            case ConflictException _ -> conflicts.increment();
            default -> others.increment();
        }
    }

    /// Counts a refused change, logs it as `event` unless other changes were in its way, and returns the status for
    /// its client.
    Status status(String event, DatabaseException e) {
        refused(e);
        return switch (e) {
            case ConflictException _, ClosedException _ -> Status.TEMPORARY_FAILURE;
            case LimitException _ -> {
                log.failed(event, e);
                yield Status.OUT_OF_MEMORY;
            }
            default -> {
                metrics.failures.increment();
                log.failed(event, e);
                yield Status.INTERNAL;
            }
        };
    }

    private void note(DatabaseException cause, boolean lasts) {
        refusedNanos = nanos.getAsLong();
        reason = String.valueOf(cause.getMessage());
        lasting |= lasts;
    }

    void succeeded() {
        if (!reason.isEmpty() && !lasting) {
            reason = "";
        }
    }

    /// The reason that changes are refused; empty if they are not.
    String failure() {
        boolean over = !lasting && nanos.getAsLong() - refusedNanos > OVER_NANOS;
        return over ? "" : reason;
    }
}
