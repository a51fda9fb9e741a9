package dev.oriel.server;

import java.util.concurrent.atomic.LongAdder;

/// What the server has done since it began; each number only grows.
final class Metrics {
    final LongAdder connections = new LongAdder();
    final LongAdder rejected = new LongAdder();
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

    /// Requests that there was no memory for.
    final LongAdder refused = new LongAdder();

    /// Begins again at 0, as `stats reset` asks for; connections stay counted.
    void reset() {
        for (LongAdder one :
                new LongAdder[] {
                    rejected, idleClosed, bytesRead, bytesWritten, gets, getHits, sets, touches,
                    touchHits, deletes, deleteHits, counts, countHits, casHits, casMisses, casBad,
                    flushes, logins, loginFailures, failures, refused
                }) {
            one.reset();
        }
    }
}
