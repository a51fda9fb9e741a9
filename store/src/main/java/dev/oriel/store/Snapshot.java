package dev.oriel.store;

/// A committed state in use, registered so that its pages stay. Taking and releasing it takes a few memory
/// accesses; the object is reused.
final class Snapshot {
    private final Store store;
    private int slot;
    private State state;
    private boolean taken;

    final Pages pages;
    final TreeReader reader;

    Snapshot(Store store) {
        this.store = store;
        this.state = store.state();
        this.pages = store.pagesOf(state);
        this.reader = new TreeReader(pages);
    }

    /// Takes the newest state, and releases the one held before, if any.
    @SuppressWarnings("ReferenceEquality") // the very state that is published
    void take() {
        Readers readers = store.readers();
        state = store.state();
        if (taken) {
            readers.set(slot, state.txid());
        } else {
            slot = readers.claim(slot, state.txid());
            taken = true;
        }
        for (State newest = store.state(); newest != state; newest = store.state()) {
            state = newest;
            readers.set(slot, state.txid());
        }
        pages.use(state.txid(), state.versions(), state.frames());
    }

    /// Takes the state of `other`, which stays held until this one is released: a checkpoint that reads slot
    /// after slot may miss this one.
    void take(Snapshot other) {
        state = other.state;
        if (taken) {
            store.readers().set(slot, state.txid());
        } else {
            slot = store.readers().claim(slot, state.txid());
            taken = true;
        }
        pages.use(state.txid(), state.versions(), state.frames());
    }

    void release() {
        if (taken) {
            taken = false;
            store.readers().release(slot);
        }
    }

    boolean isTaken() {
        return taken;
    }

    State state() {
        return state;
    }

    long txid() {
        return state.txid();
    }

    /// Whether there was no commit since.
    boolean isNewest() {
        return store.state().txid() == state.txid();
    }
}
