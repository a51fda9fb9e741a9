package dev.oriel.store.checkpoint;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.LimitException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.log.Log;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.page.Page;
import dev.oriel.store.version.PageTable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Keeps disk space free for deletes. A commit that adds more than it removes is refused while there is still
/// room for a checkpoint of all commits so far, and for some more. So the log can be reused, and with [Log]'s
/// reserve a delete always finds room in it.
///
/// The need of a checkpoint is known: the data file grows by the new pages, the shadow by the changed ones. The
/// system is seldom queried for the free space: after half of the free space beyond the need is used up. If it
/// reports too little, the log gives spare files back, and a checkpoint runs. Then a file of that size is tried:
/// some systems report nothing useful.
///
/// The last checkpoint may have found no room although the system reports some: a file size limit, a quota, no
/// file can be opened. Then each commit that adds has to run a checkpoint first, and is refused without it.
///
/// Other users of the disk may take the space in between. Then only the log's reserve is left.
///
/// Used by the holder of the page writer's role.
public final class SpaceReserve {
    /// Name prefix of files that are useless after a crash.
    public static final String TEMPORARY = "temporary-";

    private static final String TRIAL = TEMPORARY + "room";

    /// Minimum number of pages that deletes can change between two checkpoints.
    private static final int RESERVE_PAGES = 32;

    /// Free slots of the shadow that suffice for a checkpoint in portions: a page and its directory, twice; and
    /// some more.
    private static final int PORTION_SLOTS = 8;

    private final Directory directory;
    private final DataFile data;
    private final DoubleWriteBuffer doubleWrite;
    private final Log log;
    private final PageTable table;
    private final Checkpoint checkpoint;
    private final PageWriter pages;

    /// Divisor of the data size that gives the space kept free for the record of one large delete.
    private static final int DELETE_PART = 64;

    private static final long DELETE_BYTES_MAX = 64 << 20;

    /// Need up to which the system is not queried; valid while the log files and the checkpoints are unchanged.
    private long knownUntil = -1;

    private int knownFiles;
    private long knownCovered;

    /// Room that the pages of gathered entries may need. It is kept free from all but them.
    private long gatheredBytes;

    /// Whether gathered entries go into pages, and so use that room.
    private boolean absorbing;

    public SpaceReserve(
            StoreFiles files, PageTable table, Checkpoint checkpoint, PageWriter pages) {
        this.directory = files.directory();
        this.data = files.data();
        this.doubleWrite = files.doubleWrite();
        this.log = files.log();
        this.table = table;
        this.checkpoint = checkpoint;
        this.pages = pages;
    }

    public static boolean isTemporary(String name) {
        return name.startsWith(TEMPORARY);
    }

    /// Checks whether the changes of the role's holder may be committed.
    ///
    /// @param grows whether they add more than they remove
    /// @throws LimitException if they do, and there is no room
    public void check(boolean grows) {
        long kept = grows ? kept() : 0;
        long need = need(grows) + kept;
        boolean doubtful = grows && checkpoint.lacksRoom();
        if (!doubtful && (isKnown(need) || isFree(need) || isGivenBack(grows, kept))) {
            return;
        }
        LimitException covering = cover();
        if (grows) {
            checkpoint.giveBack(LogRecord.HEADER_BYTES);
        }
        if (doubtful && covering != null) {
            throw refusal(need, covering);
        }
        need = need(grows) + kept;
        if (isFree(need) || isGivenBack(grows, kept) || !grows) {
            return;
        }
        IOException full = attempt(need);
        if (full != null) {
            LimitException refusal = refusal(need, full);
            if (covering != null) {
                refusal.addSuppressed(covering);
            }
            throw refusal;
        }
    }

    /// Whether the disk has `bytes` bytes beyond the need, without a look at what could be freed.
    public boolean hasRoomFor(long bytes) {
        if (checkpoint.lacksRoom()) {
            return false;
        }
        long wanted = need(true) + bytes;
        if (isKnown(wanted)) {
            return true;
        }
        long spare = freeBytes() - wanted; // what is known of less stays known
        if (spare >= 0) {
            know(wanted + spare / 2);
        }
        return spare >= 0;
    }

    /// Keeps room for the pages of gathered entries, of `bytes` bytes in all.
    public void keepForGathered(long bytes) {
        gatheredBytes = bytes;
    }

    /// Begins or ends a commit that brings gathered entries into pages.
    public void absorbs(boolean begins) {
        absorbing = begins;
    }

    private long kept() {
        return absorbing ? 0 : gatheredBytes;
    }

    private static LimitException refusal(long need, Exception cause) {
        return new LimitException(
                "The disk is full but for the reserve of deletes; free space on it, or delete something",
                "bytesNeeded=" + need,
                cause);
    }

    /// Whether a file of `bytes` bytes leaves room for a checkpoint, also of a commit that lets the data file
    /// grow. If `kept`, it must leave room for deletes as well.
    public boolean allows(long bytes, boolean kept) {
        long wanted = need(kept) + (kept ? kept() : 0) + bytes + Page.BYTES;
        return freeBytes() >= wanted || attempt(wanted) == null;
    }

    /// Whether giving back spare log files made enough room. A commit that removes entries keeps them, since it may
    /// need them.
    private boolean isGivenBack(boolean grows, long kept) {
        return grows && log.giveBack() && isFree(need(true) + kept);
    }

    private boolean isKnown(long need) {
        return need <= knownUntil
                && knownFiles == log.filesMade()
                && knownCovered == checkpoint.covered();
    }

    private boolean isFree(long need) {
        long spare = need == 0 ? 0 : freeBytes() - need;
        if (spare < 0) {
            knownUntil = -1;
            return false;
        }
        know(need + spare / 2);
        return true;
    }

    private void know(long until) {
        knownUntil = until;
        knownFiles = log.filesMade();
        knownCovered = checkpoint.covered();
    }

    private long freeBytes() {
        try {
            return directory.freeBytes();
        } catch (IOException e) {
            return 0; // the trial file decides then
        }
    }

    /// Writes a file of `bytes` zeros and deletes it; returns the reason of a failure, or null.
    private @Nullable IOException attempt(long bytes) {
        try (StorageFile trial = directory.open(TRIAL)) {
            trial.resize(bytes);
            trial.resize(0);
            know(bytes);
            return null;
        } catch (IOException e) {
            return e;
        } finally {
            delete();
        }
    }

    private void delete() {
        try {
            directory.delete(TRIAL);
        } catch (IOException e) {
            knownUntil = -1; // the next opening deletes it; it is already cut to nothing
        }
    }

    /// Runs a checkpoint; returns its own failure for lack of space, or null.
    private @Nullable LimitException cover() {
        try {
            checkpoint.run(CheckpointAim.ROOM);
            return null;
        } catch (LimitException e) {
            return e;
        }
    }

    /// Returns the maximum growth of the files, in bytes, by a checkpoint of the newest commit and the coming
    /// one. If that `grows`, the growth by some deletes after it is included.
    private long need(boolean grows) {
        long fresh = Math.max(0, pages.pageCount() - data.mapping().pages());
        long live = (long) table.livePages() + (grows ? RESERVE_PAGES : 0);
        long all = live + live / DoubleWriteBuffer.ENTRIES_MAX + 2L;
        long slots =
                Math.min(all, grows ? RESERVE_PAGES : PORTION_SLOTS) + doubleWrite.slotsTaken();
        long shadowGrowth = Math.max(0, slots - (doubleWrite.bytes() >>> Page.SHIFT));
        long rounded = fresh == 0 ? 0 : DataFile.FIRST_BYTES;
        long reserve = grows ? forLargeDeletes() : 0;
        reserve += grows && !log.hasReserve() ? LogFiles.SMALLEST_BYTES : 0;
        return ((fresh + shadowGrowth) << Page.SHIFT) + rounded + reserve;
    }

    /// Bytes for the record of a delete through a whole tree. It has some bytes for each page, so this grows with
    /// the data.
    private long forLargeDeletes() {
        return Math.min(DELETE_BYTES_MAX, (pages.pageCount() << Page.SHIFT) / DELETE_PART);
    }
}
