package dev.oriel.store;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What of a commit concerns the log: room for its record, on a full disk too, the record itself or its parts, and
/// how durable it becomes.
///
/// Of the holder of the page writer's role, but for what makes durable and what tells. Whatever fails before the
/// record is in the log leaves the commit undone; a failed write or sync poisons the store.
final class CommitLog {
    private final Log log;
    private final WriteGate writeGate;
    private final PageWriter pages;
    private final LogRecord record = new LogRecord();

    /// Null where nothing is written.
    private final @Nullable Checkpoint checkpoint;

    private final @Nullable SpaceReserve room;
    private final @Nullable LogWriter writer;

    /// What may be used of the disk: all but what is kept for deletes, and that too. Made once and not for each commit.
    private final LogFiles.Room usual = (size, kept) -> kept && allows(size, true);

    private final LogFiles.Room whole = this::allows;

    /// How many parts of the commit that is under way are in the log.
    private int parts;

    CommitLog(
            Store.Files files,
            WriteGate writeGate,
            PageTable table,
            PageWriter pages,
            @Nullable Checkpoint checkpoint) {
        this.log = files.log();
        this.writeGate = writeGate;
        this.pages = pages;
        this.checkpoint = checkpoint;
        this.room = checkpoint == null ? null : new SpaceReserve(files, table, checkpoint, pages);
        this.writer =
                files.threads().attending() ? new LogWriter(this, log, files.threads()) : null;
    }

    /// Another commit begins.
    void begin() {
        parts = 0;
    }

    /// Where the log ends.
    long endLsn() {
        return log.appendedLsn();
    }

    /// Bytes of the record that was added last.
    long recordBytes() {
        return record.alignedBytes();
    }

    /// Adds what has changed since the last part as one that others follow.
    void addPart(boolean grows) {
        describe(grows);
        record.isPart(parts + 1, false);
        reserve(grows);
        try {
            log.append(record, pages.txid(), pages.pageCount(), false);
        } catch (IOException e) {
            throw failed(e);
        }
        parts++;
    }

    /// Adds what `transactions` have changed, or the last part of it, and returns where its record ends.
    long add(List<WriteTransaction> transactions, boolean grows) {
        describe(grows);
        if (parts > 0) {
            record.isPart(parts + 1, true);
        }
        reserve(grows);
        return append(transactions);
    }

    private void describe(boolean grows) {
        if (room != null) {
            room.check(grows);
        }
        record.begin();
        pages.describe(record);
    }

    private void reserve(boolean grows) {
        try {
            reserveRoom(grows);
            if (checkpoint != null) {
                checkpoint.markOpen();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Where the disk has no room for more log, a checkpoint lets what there is be used again.
    private void reserveRoom(boolean grows) throws IOException {
        int bytes = record.alignedBytes();
        try {
            log.reserve(bytes, grows, usual);
        } catch (LimitException e) {
            if (checkpoint == null || !releasesLog(checkpoint, grows, e)) {
                throw e;
            }
            reserveAll(checkpoint, bytes, grows);
            boolean coverable = !grows || allows(0, true) || (log.giveBack() && allows(0, true));
            if (!coverable) { // the log has taken the room of this commit's checkpoint
                throw e;
            }
        }
    }

    /// Also what is kept for deletes. One that the log's reserve is too small for takes the place of it on the disk.
    private void reserveAll(Checkpoint after, int bytes, boolean grows) throws IOException {
        try {
            log.reserve(bytes, grows, whole);
        } catch (LimitException e) {
            after.clearShadow();
            if (grows) {
                throw e;
            }
            boolean _ = log.giveReserveBack(); // the shadow alone may be room enough
            log.reserve(bytes, false, whole);
        }
    }

    private boolean allows(long bytes, boolean kept) {
        return room == null || room.allows(bytes, kept);
    }

    /// Whether a checkpoint has found room for its own files. What takes away has the reserve left to it.
    private static boolean releasesLog(
            Checkpoint checkpoint, boolean grows, LimitException reason) {
        try {
            checkpoint.run(Checkpoint.Aim.ROOM);
            if (grows) {
                checkpoint.giveBack(LogRecord.HEADER_BYTES);
            }
            return true;
        } catch (LimitException e) {
            reason.addSuppressed(e);
            return false;
        }
    }

    /// The record is written now where one of them waits for just that; else with the sync that follows, or,
    /// where all are content with ASYNC, by and by.
    private long append(List<WriteTransaction> transactions) {
        boolean now = false;
        boolean later = true;
        for (int i = 0; i < transactions.size(); i++) {
            now |= transactions.get(i).durability() == Durability.WRITTEN;
            later &= transactions.get(i).durability() == Durability.ASYNC;
        }
        if (now || later) {
            log.passSyncs();
        }
        try {
            long lsn = log.append(record, pages.txid(), pages.pageCount(), now);
            if (later && writer != null && !writer.wake()) {
                log.write(lsn);
            }
            return lsn;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Writes what the log has not written yet.
    void write() {
        write(log.appendedLsn());
    }

    private void write(long lsn) {
        try {
            log.write(lsn);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private StorageException failed(IOException e) {
        return writeGate.failed(
                "The log cannot be written; close the database and open it again", e);
    }

    /// How durable `committed` is by now, which is never less than what was waited for. Where nothing can be
    /// written it has come from files, of which nobody knows whether they were synced.
    Durability reached(State committed) {
        return checkpoint == null ? Durability.WRITTEN : log.reached(committed.lsn());
    }

    /// Waits until what was committed is as durable as is wanted.
    void makeDurable(State committed, Durability wanted) {
        switch (wanted) {
            case SYNC -> sync(committed.lsn());
            case WRITTEN -> write(committed.lsn());
            case ASYNC -> {}
        }
    }

    private void sync(long lsn) {
        try {
            log.sync(lsn);
        } catch (IOException e) {
            throw writeGate.failed(
                    "The log cannot be synced, so the commit may be lost; close the database and"
                            + " open it again",
                    e);
        }
    }

    /// Ends the thread that writes; what waits is left to the caller.
    void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
