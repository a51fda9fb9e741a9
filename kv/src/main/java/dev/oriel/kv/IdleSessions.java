package dev.oriel.kv;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Pool of idle sessions. It is an array of a few slots, because a queue would allocate a link for each return.
/// Safe for use by any number of threads.
///
/// @param <S> the type of the sessions
final class IdleSessions<S> {
    /// A power of two.
    private static final int SLOTS = 16;

    private final AtomicReferenceArray<@Nullable S> slots = new AtomicReferenceArray<>(SLOTS);

    /// Takes a session, which then belongs to the caller; null if none is idle.
    @Nullable S take() {
        int at = slot();
        for (int i = 0; i < SLOTS; i++) {
            int slot = (at + i) & (SLOTS - 1);
            if (slots.getPlain(slot) != null) {
                S session = slots.getAndSet(slot, null);
                if (session != null) {
                    return session;
                }
            }
        }
        return null;
    }

    /// Keeps `session` for a later caller; false if there is no room.
    boolean keep(S session) {
        int at = slot();
        for (int i = 0; i < SLOTS; i++) {
            if (slots.compareAndSet((at + i) & (SLOTS - 1), null, session)) {
                return true;
            }
        }
        return false;
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }
}
