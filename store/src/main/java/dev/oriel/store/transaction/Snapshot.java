package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Core;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;

/// A committed state in use, registered so that its pages stay. Taking and releasing it takes a few memory
/// accesses; the object is reused.
final class Snapshot {
    private final Core core;
    private int slot;
    private State state;
    private boolean taken;

    final Pages pages;
    final TreeReader reader;

    Snapshot(Core core) {
        this.core = core;
        this.state = core.state();
        this.pages = core.pagesOf(state);
        this.reader = new TreeReader(pages);
    }

    /// Takes the newest state, and releases the one held before, if any.
    @SuppressWarnings("ReferenceEquality") // the very state that is published
    void take() {
        Readers readers = core.readers();
        state = core.state();
        if (taken) {
            readers.set(slot, state.txid());
        } else {
            slot = readers.claim(slot, state.txid());
            taken = true;
        }
        for (State newest = core.state(); newest != state; newest = core.state()) {
            state = newest;
            readers.set(slot, state.txid());
        }
        pages.use(state.txid(), state.versions(), state.frames());
    }

    /// Takes the state of `other`, which must not be released earlier: a checkpoint that reads slot after slot may miss
    /// this snapshot.
    void take(Snapshot other) {
        state = other.state;
        if (taken) {
            core.readers().set(slot, state.txid());
        } else {
            slot = core.readers().claim(slot, state.txid());
            taken = true;
        }
        pages.use(state.txid(), state.versions(), state.frames());
    }

    void release() {
        if (taken) {
            taken = false;
            core.readers().release(slot);
            state = state.withoutDeltas();
        }
    }

    /// Entries that lie above the pages.
    Deltas deltas() {
        return state.deltas();
    }

    SnapshotView view() {
        return new SnapshotView(pages, reader, state.deltas());
    }

    /// Looks `key` up; points `out` at the value if there is one.
    boolean get(long root, Slice key, Slice out) {
        Deltas deltas = state.deltas();
        if (deltas.isEmpty()) {
            return reader.get(root, key, out);
        }
        return switch (deltas.find(root, key, out)) {
            case VALUE -> true;
            case DELETED -> false;
            case NOTHING -> reader.get(root, key, out);
        };
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
        return core.state().txid() == state.txid();
    }
}
