package dev.oriel.kv;

import java.util.List;

/// A change to one entry. Arrays are not copied: the caller must not modify them until the change is done.
///
/// Expiry times are microseconds since 1970, or [#NEVER], or [#KEEP].
public sealed interface Change {
    /// The entry never expires.
    long NEVER = 0;

    /// The entry keeps its expiry.
    long KEEP = -1;

    /// Whether the change copies the current value of its entry.
    default boolean readsValue() {
        return switch (this) {
            case Store store -> store.mode() == Mode.APPEND || store.mode() == Mode.PREPEND;
            case StoreStale _, Remove _ -> false;
            case Counter _, Touch _, Edit _, Lock _, Unlock _, Invalidate _, Claim _ -> true;
        };
    }

    /// Writes a value.
    ///
    /// @param flags 32 bits that have a meaning to the client only
    @SuppressWarnings("ArrayRecordComponent") // copied into the row, and not before
    record Store(Mode mode, byte[] value, int flags, long expiresAtMicros) implements Change {}

    /// Condition and position of a write.
    enum Mode {
        /// Writes whether or not there is an entry.
        SET,
        /// Writes only if there is no entry.
        ADD,
        /// Writes only if there is an entry.
        REPLACE,
        /// Appends to the value; flags and expiry stay.
        APPEND,
        /// Prepends to the value; flags and expiry stay.
        PREPEND
    }

    /// Adds to or subtracts from a counter, which is kept as decimal digits: up modulo 2^64, down to 0 at least.
    /// All numbers are unsigned.
    ///
    /// @param create whether a missing counter is created with `initial` and `expiresAtMicros`
    record Counter(boolean up, long delta, boolean create, long initial, long expiresAtMicros)
            implements Change {}

    /// Sets the entry's expiry and changes nothing else.
    record Touch(long expiresAtMicros) implements Change {}

    /// Removes the entry.
    record Remove() implements Change {}

    /// Changes parts of a JSON value: all of them, or none if one fails.
    ///
    /// @param mode SET creates a missing document, ADD demands that it is absent, REPLACE that it is present
    record Edit(Mode mode, List<JsonEdit> edits, long expiresAtMicros) implements Change {}

    /// Reads the entry and locks it against changes by other clients for at most `forMicros`. The entry gets a new
    /// CAS: a change that demands it, or [Unlock], ends the lock.
    record Lock(long forMicros) implements Change {}

    /// Ends a [Lock]; the lock's CAS must be demanded.
    record Unlock() implements Change {}

    /// Marks the value stale but readable, so that the next [Claim] wins. The entry gets the expiry
    /// `expiresAtMicros`.
    record Invalidate(long expiresAtMicros) implements Change {}

    /// Reads the entry and may win the claim to renew it. The first claim wins once the entry is stale or expires
    /// in less than `renewBelowMicros`. The winner is to write a new value; other clients see that the entry is
    /// claimed. A [Store] clears these marks.
    ///
    /// @param create whether a missing entry is created, empty and won, with the expiry `createdExpiresAtMicros`
    record Claim(
            long expiresAtMicros,
            long renewBelowMicros,
            boolean create,
            long createdExpiresAtMicros)
            implements Change {}

    /// Replaces a value newer than `cas` by an older one and marks it stale. It serves clients that lost the race
    /// to renew the entry. Expiry stays.
    @SuppressWarnings("ArrayRecordComponent") // copied into the row, and not before
    record StoreStale(byte[] value, int flags, long cas) implements Change {}
}
