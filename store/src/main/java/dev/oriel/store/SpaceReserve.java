package dev.oriel.store;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Keeps so much of the disk free that deletes can go on where nothing else can: a commit that adds more than
/// it takes away is refused while there is still room for a checkpoint of all that was committed, and for
/// some more. So the log can be used again, and with [Log]'s reserve a delete always finds room in it.
///
/// What a checkpoint needs is known: the data file grows by the pages that are new, the shadow by those that
/// have changed. What is free the system says, and is asked seldom: until half of what was free beyond the
/// need is used up. Where it says that there is too little, the log gives spare files back, a checkpoint comes,
/// and then it is tried, by a file of that size: some systems say nothing of use.
///
/// Where the last checkpoint has found no room, though the system says that there is some (a file may become no
/// larger, a quota counts, no file can be opened), whoever adds has one made first, and is refused without it.
///
/// What others write to the disk in between, nobody can keep free. Then the log's reserve alone is left.
///
/// Used by the holder of the page writer's role.
final class SpaceReserve {
    /// What names of files begin with that nobody needs after a crash.
    static final String TEMPORARY = "temporary-";

    private static final String TRIAL = TEMPORARY + "room";

    /// So many pages can be changed by deletes, at least, between two checkpoints.
    private static final int RESERVE_PAGES = 32;

    /// So many slots of the shadow, beside those that are taken, are enough for a checkpoint in portions: a page and
    /// its directory, twice; and some more.
    private static final int PORTION_SLOTS = 8;

    private final Directory directory;
    private final DataFile data;
    private final DoubleWriteBuffer doubleWrite;
    private final Log log;
    private final PageTable table;
    private final Checkpoint checkpoint;
    private final PageWriter pages;

    /// This part of the data is kept free for the record of one large delete.
    private static final int DELETE_PART = 64;

    private static final long DELETE_BYTES_MAX = 64 << 20;

    /// Until this need, nobody has to be asked; as long as the log and the checkpoints are those of then.
    private long knownUntil = -1;

    private int knownFiles;
    private long knownCovered;

    SpaceReserve(Store.Files files, PageTable table, Checkpoint checkpoint, PageWriter pages) {
        this.directory = files.directory();
        this.data = files.data();
        this.doubleWrite = files.doubleWrite();
        this.log = files.log();
        this.table = table;
        this.checkpoint = checkpoint;
        this.pages = pages;
    }

    static boolean isTemporary(String name) {
        return name.startsWith(TEMPORARY);
    }

    /// Looks whether what the role's holder has changed may be committed.
    ///
    /// @param grows whether it adds more than it takes away
    /// @throws LimitException if it does, and there is no room
    void check(boolean grows) {
        long need = need(grows);
        boolean doubtful = grows && checkpoint.lacksRoom();
        if (!doubtful && (isKnown(need) || isFree(need) || isGivenBack(grows))) {
            return;
        }
        LimitException covering = cover();
        if (grows) {
            checkpoint.giveBack(LogRecord.HEADER_BYTES);
        }
        if (doubtful && covering != null) {
            throw refusal(need, covering);
        }
        need = need(grows);
        if (isFree(need) || isGivenBack(grows) || !grows) {
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

    private static LimitException refusal(long need, Exception cause) {
        return new LimitException(
                "The disk is full but for the reserve of deletes; free space on it, or delete something",
                "bytesNeeded=" + need,
                cause);
    }

    /// Whether a file may be made of so many bytes, so that a checkpoint is possible after it, of a commit
    /// too that lets the data file grow; if `kept`, and deletes as well.
    boolean allows(long bytes, boolean kept) {
        long wanted = need(kept) + bytes + Page.BYTES;
        return freeBytes() >= wanted || attempt(wanted) == null;
    }

    /// Whether files of the log that are spare were what was missing. What takes away leaves them alone: it may
    /// need them.
    private boolean isGivenBack(boolean grows) {
        return grows && log.giveBack() && isFree(need(true));
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
            return 0; // it is tried then
        }
    }

    /// Writes as many bytes of zeros, and deletes them; why that was not possible, or null.
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
            knownUntil = -1; // the next opening deletes it; it is cut to nothing by then
        }
    }

    /// A checkpoint of what was committed; its own failure for want of room, if any.
    private @Nullable LimitException cover() {
        try {
            checkpoint.run(Checkpoint.Aim.ROOM);
            return null;
        } catch (LimitException e) {
            return e;
        }
    }

    /// Bytes by which the files would grow at most in a checkpoint of the newest commit and of what is about
    /// to be committed; and, if that `grows`, of some deletes after it.
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

    /// The record of a delete that goes through all of a tree has some bytes for each page, so this grows with the
    /// data.
    private long forLargeDeletes() {
        return Math.min(DELETE_BYTES_MAX, (pages.pageCount() << Page.SHIFT) / DELETE_PART);
    }
}
