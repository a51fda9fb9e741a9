package dev.oriel.store;

import java.util.List;

/// A transaction that waits for a lock, as seen at one moment.
///
/// @param writer the waiting transaction: see [Transaction#writer()]
/// @param blockers the transactions it waits for: the holders of the lock, or the first in the queue
/// @param tree the tree of the key; empty for another kind of lock, such as the one on the whole store
/// @param waitedNanos duration of the wait so far
public record LockWait(
        long writer,
        List<Long> blockers,
        String tree,
        Transaction.LockMode mode,
        long waitedNanos) {}
