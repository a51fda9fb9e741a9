package dev.oriel.server;

import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the server since it began; each number only grows.
final class Metrics {
    final LongAdder connections = new LongAdder();
    final LongAdder rejected = new LongAdder();

    /// Connections that the system failed to hand over.
    final LongAdder acceptFailures = new LongAdder();

    /// Errors met by network threads.
    final LongAdder loopFailures = new LongAdder();

    /// Failed TLS handshakes.
    final LongAdder handshakeFailures = new LongAdder();

    final LongAdder idleClosed = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder gets = new LongAdder();
    final LongAdder getHits = new LongAdder();
    final LongAdder sets = new LongAdder();
    final LongAdder touches = new LongAdder();
    final LongAdder touchHits = new LongAdder();
    final LongAdder deletes = new LongAdder();
    final LongAdder deleteHits = new LongAdder();
    final LongAdder counts = new LongAdder();
    final LongAdder countHits = new LongAdder();
    final LongAdder casHits = new LongAdder();
    final LongAdder casMisses = new LongAdder();
    final LongAdder casBad = new LongAdder();
    final LongAdder flushes = new LongAdder();
    final LongAdder logins = new LongAdder();
    final LongAdder loginFailures = new LongAdder();
    final LongAdder failures = new LongAdder();

    /// Requests that waited for memory of others.
    final LongAdder memoryWaits = new LongAdder();

    /// Connections closed because their clients were slow and held memory that others waited for.
    final LongAdder stalledClosed = new LongAdder();

    /// Requests refused for lack of memory.
    final LongAdder refused = new LongAdder();

    private volatile Map<LongAdder, Long> before = Map.of();

    /// Counts a change by its outcome.
    void count(Change change, long cas, Status status) {
        boolean done = status == Status.SUCCESS;
        switch (change) {
            case Change.Store _, Change.StoreStale _, Change.Edit _ -> {
                sets.increment();
                if (cas != 0) {
                    (done ? casHits : status == Status.EXISTS ? casBad : casMisses).increment();
                }
            }
            case Change.Counter _ -> {
                counts.increment();
                if (done) {
                    countHits.increment();
                }
            }
            case Change.Lock _, Change.Claim _ -> {
                gets.increment();
                if (done) {
                    getHits.increment();
                }
            }
            case Change.Unlock _ -> {}
            case Change.Touch _, Change.Invalidate _ -> {
                touches.increment();
                if (done) {
                    touchHits.increment();
                }
            }
            case Change.Remove _ -> {
                deletes.increment();
                if (done) {
                    deleteHits.increment();
                }
            }
        }
    }

    /// The number of `counter` since the last [#reset].
    long sinceReset(LongAdder counter) {
        return counter.sum() - before.getOrDefault(counter, 0L);
    }

    /// Has [#sinceReset] count from 0 again, as `stats reset` asks for, except for connections. The counters
    /// themselves go on: tools that compute rates take a smaller number for a new process.
    void reset() {
        Map<LongAdder, Long> now =
                new HashMap<>(); // keyed by identity: counters do not define equality
        for (LongAdder one :
                new LongAdder[] {
                    rejected, idleClosed, bytesRead, bytesWritten, gets, getHits, sets, touches,
                    touchHits, deletes, deleteHits, counts, countHits, casHits, casMisses, casBad,
                    flushes, logins, loginFailures, failures, refused
                }) {
            now.put(one, one.sum());
        }
        before = now;
    }
}
