package dev.oriel.kv;

import java.util.List;

/// What is to be done with one key. Arrays are not copied: the caller leaves them as they are until it
/// is done.
///
/// Times of expiry are microseconds since 1970, or [#NEVER], or [#KEEP].
public sealed interface Change {
    /// The entry stays.
    long NEVER = 0;

    /// The entry expires when it did before.
    long KEEP = -1;

    /// Writes a value.
    ///
    /// @param flags 32 bits that mean something to the client alone
    @SuppressWarnings("ArrayRecordComponent") // copied into the row, and not before
    record Store(Mode mode, byte[] value, int flags, long expiresAtMicros) implements Change {}

    /// When a value is written, and where.
    enum Mode {
        /// Whether there is one or not.
        SET,
        /// Where there is none.
        ADD,
        /// In the place of another.
        REPLACE,
        /// Behind the one that is there; flags and expiry stay.
        APPEND,
        /// Before the one that is there; flags and expiry stay.
        PREPEND
    }

    /// Adds to a number that is kept as decimal digits, or takes from it: upwards modulo 2^64, downwards
    /// not below 0. All numbers are unsigned.
    ///
    /// @param create whether a counter that is not there begins with `initial`, expiring as said
    record Counter(boolean up, long delta, boolean create, long initial, long expiresAtMicros)
            implements Change {}

    /// Gives the entry another expiry, and changes nothing else of it.
    record Touch(long expiresAtMicros) implements Change {}

    /// Removes the entry.
    record Remove() implements Change {}

    /// Changes parts of a JSON value: all of them, or none where one fails.
    ///
    /// @param mode SET creates a document that is not there, ADD demands that it is not; REPLACE demands
    ///     that it is there
    record Edit(Mode mode, List<JsonEdit> edits, long expiresAtMicros) implements Change {}

    /// Reads the entry and keeps others from changing it: until its number is shown by a change or
    /// [Unlock], and no longer than `forMicros`. The number is a new one.
    record Lock(long forMicros) implements Change {}

    /// Ends a [Lock]; the number that it gave must be demanded.
    record Unlock() implements Change {}

    /// Says that the value is out of date and leaves it to be read: the next [Claim] wins. The entry gets
    /// another expiry.
    record Invalidate(long expiresAtMicros) implements Change {}

    /// Reads the entry; the first that does so after it has become stale, or after it has less than
    /// `renewBelowMicros` to live, wins: it is to write a new value, and the others can tell that somebody
    /// does. What is stored ends all that.
    ///
    /// @param create whether an entry that is not there is made, empty and won, expiring at
    ///     `createdExpiresAtMicros`
    record Claim(
            long expiresAtMicros,
            long renewBelowMicros,
            boolean create,
            long createdExpiresAtMicros)
            implements Change {}

    /// Replaces a value that is newer than `cas` by an older one, which is stale: better than none for who
    /// has lost the race to renew it. Expiry stays.
    @SuppressWarnings("ArrayRecordComponent") // copied into the row, and not before
    record StoreStale(byte[] value, int flags, long cas) implements Change {}
}
