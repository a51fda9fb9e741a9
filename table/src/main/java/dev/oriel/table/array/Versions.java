package dev.oriel.table.array;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Immutable states of an object outside the trees, by the commit that made them: each transaction finds the state
/// of its snapshot.
///
/// One thread publishes at a time (the holder of the write role); any number read, without waiting. A state is
/// kept while an open snapshot may need it. Pruning cuts the chain after the newest state that the oldest snapshot
/// sees: no reader goes past that one.
public final class Versions<T> {
    private volatile @Nullable Version<T> newest;

    /// The newest state that a transaction on `snapshot` sees.
    public T at(long snapshot) {
        Version<T> version = newest;
        while (version != null && version.txid > snapshot) {
            version = version.older;
        }
        if (version == null) {
            throw new IllegalStateException("no version for snapshot " + snapshot);
        }
        return version.state;
    }

    /// The newest state that was published.
    public T newest() {
        return at(Long.MAX_VALUE);
    }

    /// Adds the state of commit `txid`, and forgets the states that no snapshot from `oldestSnapshot` on sees.
    public void publish(long txid, T state, LongSupplier oldestSnapshot) {
        newest = new Version<>(txid, state, newest);
        prune(oldestSnapshot.getAsLong());
    }

    private void prune(long oldestSnapshot) {
        Version<T> version = newest;
        while (version != null && version.txid > oldestSnapshot) {
            version = version.older;
        }
        if (version != null) {
            version.older = null;
        }
    }

    /// Number of states kept.
    public int kept() {
        int kept = 0;
        for (Version<T> version = newest; version != null; version = version.older) {
            kept++;
        }
        return kept;
    }

    private static final class Version<T> {
        final long txid;
        final T state;
        volatile @Nullable Version<T> older;

        Version(long txid, T state, @Nullable Version<T> older) {
            this.txid = txid;
            this.state = state;
            this.older = older;
        }
    }
}
