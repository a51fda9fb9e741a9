package dev.oriel.store;

import java.util.List;

/// A transaction that waits for a lock, as it was seen at one moment.
///
/// @param writer who waits: see [Transaction#writer()]
/// @param blockers whom it waits for: those who hold the lock, or the one who is first in the queue
/// @param tree the tree that the key is in; empty where the lock is on something else, as on the
///     whole store
/// @param waitedNanos for how long by now
public record LockWait(
        long writer,
        List<Long> blockers,
        String tree,
        Transaction.LockMode mode,
        long waitedNanos) {}
