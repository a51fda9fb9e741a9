package dev.oriel.store;

/// What stands for a lock in the table of a [LockStripe]: the one owner who holds it (exclusively,
/// or through its [LockOwner.Sharer]), or, where there are several sharers or somebody waits, a
/// [LockQueue].
sealed interface LockHolder permits LockOwner, LockOwner.Sharer, LockQueue {}
