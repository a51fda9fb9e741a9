package dev.oriel.store;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What the parts of an open store share: options, clock and files, the open snapshots, and the committed state.
final class Core {
    private final StoreOptions options;
    private final LongSupplier clock;
    private final @Nullable StoreFiles files;
    private final Readers readers = new Readers();
    private volatile State state;

    /// Txid of the newest commit that changed entries rather than only the places of pages.
    private volatile long changedTxid;

    Core(StoreOptions options, LongSupplier clock, @Nullable StoreFiles files, State state) {
        this.options = options;
        this.clock = clock;
        this.files = files;
        this.state = state;
    }

    StoreOptions options() {
        return options;
    }

    /// Reads the store's monotonic clock, in nanoseconds.
    long nanos() {
        return clock.getAsLong();
    }

    /// The files; null if the store is in memory.
    @Nullable StoreFiles files() {
        return files;
    }

    /// Data file of a store that has files.
    DataFile dataFile() {
        return Objects.requireNonNull(files, "a store without files").data();
    }

    boolean isInMemory() {
        return files == null;
    }

    StoreThreads threads() {
        return files == null ? StoreThreads.PLAIN : files.threads();
    }

    /// Temporary files of the store; null if it has no files.
    @Nullable TemporaryFiles temporaryFiles() {
        return files == null ? null : files.temporary();
    }

    Readers readers() {
        return readers;
    }

    /// The newest committed state.
    State state() {
        return state;
    }

    void publish(State newest) {
        state = newest;
    }

    long changedTxid() {
        return changedTxid;
    }

    void entriesChanged(long txid) {
        changedTxid = txid;
    }

    /// Creates the page lookup of a snapshot.
    Pages pagesOf(State of) {
        return new Pages(files == null ? null : files.data(), of);
    }

    /// The oldest snapshot that an open transaction still reads, else the newest commit.
    long oldestSnapshot() {
        return readers.oldest(state.txid());
    }
}
