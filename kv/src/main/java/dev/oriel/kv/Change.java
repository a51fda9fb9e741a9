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
}
