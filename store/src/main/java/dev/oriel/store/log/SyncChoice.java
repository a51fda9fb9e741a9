package dev.oriel.store.log;

import java.util.Arrays;

/// Chooses the faster way to make a record durable on this disk: a write and a sync, or one durable write past
/// the system's cache. Neither is faster everywhere, and they differ by factors. So every so often both are
/// tried in turn, with the records to be written anyway, and the medians decide.
///
/// A durable write many times faster than a sync is not trusted: some disks acknowledge it before it is durable.
final class SyncChoice {
    private static final int TRIALS = 8;
    private static final int USES = 4096;
    private static final int INCREDIBLE = 6;

    private final long[] syncNanos = new long[TRIALS];
    private final long[] directNanos = new long[TRIALS];
    private int syncs;
    private int directs;
    private int uses;
    private boolean direct;

    /// Whether the next record is to be written directly.
    boolean isDirect() {
        boolean trying = directs < TRIALS;
        return trying ? directs < syncs : direct;
    }

    /// Records the duration of a write.
    void took(boolean wasDirect, long nanos) {
        if (directs == TRIALS) {
            if (++uses == USES) {
                uses = 0;
                syncs = 0;
                directs = 0;
            }
            return;
        }
        if (wasDirect) {
            directNanos[directs++] = nanos;
        } else if (syncs < TRIALS) {
            syncNanos[syncs++] = nanos;
        }
        if (directs == TRIALS) {
            decide();
        }
    }

    private void decide() {
        Arrays.sort(syncNanos);
        Arrays.sort(directNanos);
        long sync = syncNanos[TRIALS / 2];
        long one = directNanos[TRIALS / 2];
        direct = one < sync && one > sync / INCREDIBLE;
    }
}
