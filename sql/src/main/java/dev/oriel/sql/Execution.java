package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// One statement's runs, one after the other: what they share beside the plan. The operators of a
/// statement are made for an execution and live as long.
final class Execution {
    private final InstantSource clock;
    private final Cancellation cancellation;
    private Row parameters;
    private @Nullable TableTransaction transaction;
    private long nowMicros;
    private boolean nowKnown;

    Execution(InstantSource clock, Cancellation cancellation, Row parameters) {
        this.clock = clock;
        this.cancellation = cancellation;
        this.parameters = parameters;
    }

    /// Starts a run in `transaction`.
    void start(TableTransaction transaction) {
        this.transaction = transaction;
        this.nowKnown = false;
    }

    TableTransaction transaction() {
        if (transaction == null) {
            throw new IllegalStateException("the execution has not started");
        }
        return transaction;
    }

    Row parameters() {
        return parameters;
    }

    void parameters(Row row) {
        this.parameters = row;
    }

    /// The time of this run in microseconds since 1970: the same wherever it is asked for.
    long nowMicros() {
        if (!nowKnown) {
            Instant now = clock.instant();
            nowMicros =
                    Math.addExact(
                            Math.multiplyExact(now.getEpochSecond(), 1_000_000L),
                            now.getNano() / 1_000);
            nowKnown = true;
        }
        return nowMicros;
    }

    /// To be called once a row in every loop: fails if the session has been cancelled.
    void poll() {
        if (cancellation.requested()) {
            throw cancellation.error();
        }
    }

    /// The one thing that a session shares with other threads.
    static final class Cancellation {
        private volatile boolean requested;

        boolean requested() {
            return requested;
        }

        void request() {
            requested = true;
        }

        void clear() {
            requested = false;
        }

        SqlException error() {
            return new SqlException(
                    SqlException.Kind.CANCELLED, "The statement was cancelled", -1, null);
        }
    }
}
