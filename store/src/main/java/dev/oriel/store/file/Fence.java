package dev.oriel.store.file;

import dev.oriel.io.StorageFile;
import dev.oriel.store.StorageException;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Stops a store from writing and reading once another process has taken its folder over.
///
/// Each opening puts a random owner token into the headers that it writes (the field `owner`). As long as each
/// header page has that token, or the one from before the opening, no other process has opened the folder.
/// [FencedDirectory] checks before and after each write, and after each sync. So a write after a lost token is
/// neither made nor acknowledged. There is no way back.
///
/// The check is two loads from a map of the header pages; if maps do not show writes it is two positional reads,
/// at most once a millisecond. Thread-safe.
public final class Fence {
    /// Fence of a store without files, or of a read-only one.
    public static final Fence NONE = new Fence(0, () -> 0, "");

    /// Place of the token in a header, after the bytes that ADR 68 keeps for encryption.
    public static final int AT_OWNER = 184;

    private static final long LOOK_NANOS = 1_000_000;

    private final long owner;
    private final LongSupplier clock;
    private final String path;

    /// The data file, once the token may be written.
    private volatile @Nullable StorageFile file;

    /// The header pages; null if a map does not show writes.
    private volatile @Nullable MemorySegment map;

    // Tokens accepted in the header pages beside ours.
    private volatile long before0;
    private volatile long before1;

    private volatile long lookedNanos;
    private volatile boolean broken;

    /// Whether this thread, which has the monitor, writes a header.
    private boolean writing;

    /// Input and output.
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }

    public Fence(long owner, LongSupplier clock, String path) {
        this.owner = owner;
        this.clock = clock;
        this.path = path;
    }

    public long owner() {
        return owner;
    }

    /// Begins to check `data`, whose headers were just read.
    public void arm(StorageFile data, boolean mapped) throws IOException {
        before0 = token(data, 0);
        before1 = token(data, 1);
        if (mapped) {
            try {
                map = data.map(0, 2L << Page.SHIFT);
            } catch (IOException | UnsupportedOperationException e) {
                EventLog.say(System.Logger.Level.DEBUG, "No map of the file headers", e);
            }
        }
        lookedNanos = clock.getAsLong();
        file = data;
    }

    private static long token(StorageFile data, long page) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment token = arena.allocate(Long.BYTES, Long.BYTES);
            data.read((page << Page.SHIFT) + AT_OWNER, token);
            return token.get(Page.LONG, 0);
        }
    }

    /// Whether the folder still belongs to this store.
    boolean holds() {
        StorageFile data = file;
        if (data == null) {
            return true;
        }
        MemorySegment shown = map;
        if (shown == null) {
            return !broken && (clock.getAsLong() - lookedNanos < LOOK_NANOS || look(data));
        }
        return !broken && (shows(shown) || look(data));
    }

    private boolean shows(MemorySegment shown) {
        try {
            long first = shown.get(Page.LONG, AT_OWNER);
            long second = shown.get(Page.LONG, Page.BYTES + AT_OWNER);
            return isKnown(first, second);
        } catch (InternalError e) { // the file was cut short: the next page read reports it
            return true;
        }
    }

    private boolean isKnown(long first, long second) {
        return (first == owner || first == before0) && (second == owner || second == before1);
    }

    private synchronized boolean look(StorageFile data) {
        if (broken || writing) {
            return !broken;
        }
        try {
            lookedNanos = clock.getAsLong();
            broken = !isKnown(token(data, 0), token(data, 1));
        } catch (IOException e) { // closed or cut short: the next page read reports it
            EventLog.say(System.Logger.Level.DEBUG, "The file headers cannot be read", e);
        }
        return !broken;
    }

    /// Throws if another process has taken the folder over.
    void check() {
        if (!holds()) {
            throw new StorageException(
                    "Another process has taken over the folder, so writing is disabled here;"
                            + " close this database",
                    "path=" + path);
        }
    }

    private void expect(long page, long token) {
        if (page == 0) {
            before0 = token;
        } else {
            before1 = token;
        }
    }

    /// Puts the token `next` on a header page by `write`, if the folder still belongs to this store.
    public synchronized void replace(long page, long next, Action write) throws IOException {
        check();
        long was = page == 0 ? before0 : before1;
        boolean written = false;
        writing = true;
        try {
            expect(page, next);
            write.run();
            written = true;
        } finally {
            if (!written) {
                expect(page, was); // it may still be there
            }
            writing = false;
        }
        MemorySegment shown = map;
        if (shown != null && shown.get(Page.LONG, (page << Page.SHIFT) + AT_OWNER) != next) {
            map = null; // or another process has written; the next check tells
            lookedNanos = clock.getAsLong() - LOOK_NANOS;
        }
        check();
    }
}
