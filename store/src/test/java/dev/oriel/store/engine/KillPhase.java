package dev.oriel.store.engine;

import org.jspecify.annotations.Nullable;

/// The part of a store's life that a call to the disk belongs to, for [TargetedKillTest].
enum KillPhase {
    CREATION,
    OPENING,
    COMMIT,
    CHECKPOINT,
    CLOSING,
    COMPACTION,
    OFFLINE_COMPACTION,
    BACKUP,
    RESTORE;

    private static final ThreadLocal<@Nullable KillPhase> ENTERED = new ThreadLocal<>();

    /// Runs `work`; the calls of this thread belong to this phase meanwhile.
    void run(Runnable work) {
        ENTERED.set(this);
        try {
            work.run();
        } finally {
            ENTERED.remove();
        }
    }

    /// The phase that the calling thread is in: the one that it entered, else by its name.
    static KillPhase current() {
        KillPhase entered = ENTERED.get();
        if (entered != null) {
            return entered;
        }
        return Thread.currentThread().getName().equals("oriel-checkpoint") ? CHECKPOINT : COMMIT;
    }
}
