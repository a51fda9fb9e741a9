package dev.oriel.testkit;

/// Failures of a mutating call of a [SimDirectory]. They are [java.io.IOException]s; reads and maps keep working.
public enum Fault {
    /// The call fails and has no effect, except that a failed file sync leaves the unsynced writes
    /// marked clean: later syncs do not cover them, as on Linux.
    IO_ERROR_ONCE,

    /// Like [#IO_ERROR_ONCE], for the call and for every later one.
    IO_ERROR_FOREVER,

    /// From the call on, each call that would make a file longer fails with "No space left on device", after as
    /// many bytes as fit. Other calls work.
    DISK_FULL,

    /// Like [#DISK_FULL], and overwriting existing bytes fails too, as on file systems that copy on write (btrfs, ZFS,
    /// thin volumes); `resize` to less and deletes work.
    NO_ROOM_TO_OVERWRITE,

    /// A write applies the first half of its bytes and then fails; other calls as
    /// [#IO_ERROR_ONCE].
    SHORT_WRITE;

    /// Whether it is a lack of space from the call on, not a fault of one call.
    boolean isFullDisk() {
        return this == DISK_FULL || this == NO_ROOM_TO_OVERWRITE;
    }
}
