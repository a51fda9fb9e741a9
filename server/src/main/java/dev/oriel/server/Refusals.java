package dev.oriel.server;

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

    private final LongSupplier nanos;

    /// The reason that the disk takes no changes; empty if it does.
    private volatile String reason = "";

    /// Whether only a restart helps.
    private volatile boolean lasting;

    private volatile long refusedNanos;

    Refusals(LongSupplier nanos) {
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
