package dev.oriel.store.lock;

/// The holder of a lock in the table of a [LockStripe]: a single owner (exclusively, or through its
/// [LockOwner.Sharer]), or a [LockQueue] if there are several sharers or waiters.
sealed interface LockHolder permits LockOwner, LockOwner.Sharer, LockQueue {}
