package dev.oriel.store.data;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// State that the parts of an open store share: options, clock and files, the open snapshots, and the committed state.
public final class Core {
    private final StoreOptions options;
    private final LongSupplier clock;
    private final @Nullable StoreFiles files;
    private final Readers readers = new Readers();
    private final DeltaLayers deltaLayers;
    private volatile State state;
    private volatile Runnable settling = () -> {};

    /// Txid of the newest commit that changed entries rather than only the places of pages.
    private volatile long changedTxid;

    /// @param deltaLayers as `state` has them
    public Core(
            StoreOptions options,
            LongSupplier clock,
            @Nullable StoreFiles files,
            State state,
            DeltaLayers deltaLayers) {
        this.deltaLayers = deltaLayers;
        this.options = options;
        this.clock = clock;
        this.files = files;
        this.state = state;
    }

    public StoreOptions options() {
        return options;
    }

    /// Reads the store's monotonic clock, in nanoseconds.
    public long nanos() {
        return clock.getAsLong();
    }

    /// The files; null if the store is in memory.
    public @Nullable StoreFiles files() {
        return files;
    }

    /// Data file of a store that has files.
    public DataFile dataFile() {
        return Objects.requireNonNull(files, "a store without files").data();
    }

    public boolean isInMemory() {
        return files == null;
    }

    public StoreThreads threads() {
        return files == null ? StoreThreads.PLAIN : files.threads();
    }

    /// Temporary files of the store; null if it has no files.
    public @Nullable TemporaryFiles temporaryFiles() {
        return files == null ? null : files.temporary();
    }

    public Readers readers() {
        return readers;
    }

    /// Entries of commits that are not in pages yet, for the holder of the page writer's role.
    public DeltaLayers deltaLayers() {
        return deltaLayers;
    }

    /// Sets what brings the entries above the pages into pages. It takes the page writer's role.
    public void settling(Runnable settles) {
        settling = settles;
    }

    /// Brings the entries above the pages into pages, as far as that is possible soon. The others stay in the log. Not
    /// for the holder of the page writer's role.
    public void settle() {
        settle(settling);
    }

    /// Runs `settles`, which brings the entries above the pages into pages. If that fails, they stay in the log.
    public void settle(Runnable settles) {
        try {
            settles.run();
        } catch (LimitException | CorruptionException e) {
            EventLog.say(
                    System.Logger.Level.WARNING, "Entries stay above the pages, in the log", e);
        }
    }

    /// The newest committed state.
    public State state() {
        return state;
    }

    public void publish(State newest) {
        state = newest;
    }

    public long changedTxid() {
        return changedTxid;
    }

    public void entriesChanged(long txid) {
        changedTxid = txid;
    }

    /// Creates the page lookup of a snapshot.
    public Pages pagesOf(State of) {
        return new Pages(files == null ? null : files.data(), of);
    }

    /// The oldest snapshot that an open transaction still reads, else the newest commit.
    public long oldestSnapshot() {
        return readers.oldest(state.txid());
    }
}
