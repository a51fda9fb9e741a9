package dev.oriel.testkit.history;

import dev.oriel.testkit.history.Anomaly.Kind;

/// Isolation levels of concurrent transactions.
public enum Level {
    /// Only committed values are read, and the order of writes is the same for all keys. (Adya: PL-2.)
    READ_COMMITTED,
    /// Each transaction reads one snapshot and loses no update; write skew is allowed. A cycle of dependencies has
    /// two consecutive anti-dependencies somewhere (Cerone and Gotsman).
    SNAPSHOT,
    /// As if one ran after the other: no cycle at all. (Adya: PL-3.)
    SERIALIZABLE;

    /// Whether a history of this level must not have this anomaly.
    boolean forbids(Kind kind) {
        return switch (kind) {
            case WRITE_SKEW -> this == SERIALIZABLE;
            case NON_REPEATABLE_READ, LOST_UPDATE, READ_SKEW, LONG_FORK, STALE_READ ->
                    this != READ_COMMITTED;
            case DIRTY_WRITE,
                    ABORTED_READ,
                    INTERMEDIATE_READ,
                    CIRCULAR_INFORMATION_FLOW,
                    OWN_WRITE_NOT_SEEN,
                    UNWRITTEN_READ,
                    DUPLICATE_ELEMENT,
                    INCOMPATIBLE_READS ->
                    true;
        };
    }
}
