package dev.oriel.store.transaction;

import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.checkpoint.CheckpointAim;
import dev.oriel.store.checkpoint.SpaceReserve;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.log.Log;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The log's part in a commit: room for the record, on a full disk too, the record itself or its parts, and its
/// durability.
///
/// Used by the holder of the page writer's role, except for the methods that make durable or only report. A
/// failure before the record is in the log leaves the commit undone; a failed write or sync poisons the store.
final class CommitLog {
    /// Bytes of a record whose memory is kept for the next one: as many as a part of a large commit has.
    private static final int KEPT_BYTES_MAX = 16 << 20;

    private final Log log;
    private final WriteGate writeGate;
    private final PageWriter pages;
    private final LogRecord record = new LogRecord();

    /// Null if the store is read-only.
    private final @Nullable Checkpoint checkpoint;

    private final @Nullable SpaceReserve room;
    private final @Nullable LogWriter writer;

    /// Space that may be used on the disk: all but the part kept for deletes, and the whole. Made once and not for
    /// each commit.
    private final LogFiles.Room usual = (size, kept) -> kept && allows(size, true);

    private final LogFiles.Room whole = this::allows;

    /// Number of parts of the current commit in the log.
    private int parts;

    /// Whether the layers of deltas have turned since the last record.
    private boolean turned;

    CommitLog(
            StoreFiles files,
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

    /// End of the log.
    long endLsn() {
        return log.appendedLsn();
    }

    /// Frees the memory of a large record.
    void trim() {
        record.trim(0);
    }

    /// Bytes of the last record added.
    long recordBytes() {
        return record.alignedBytes();
    }

    /// Adds the changes since the last part as another part; more will follow.
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

    /// Adds the changes of `transactions`, or the last part of them, and returns the end of the record.
    long add(List<WriteTransaction> transactions, boolean grows) {
        describe(grows);
        if (parts > 0) {
            record.isPart(parts + 1, true);
        }
        reserve(grows);
        return append(transactions);
    }

    /// Adds the entries that `transactions` leave outside of pages, and returns the end of the record.
    long addEntries(List<WriteTransaction> transactions, DeltaLayers layers) {
        record.begin();
        markTurn();
        layers.describe(record::addEntries);
        reserve(true);
        return append(transactions);
    }

    /// Adds page changes that bring entries of the older layer into pages, and returns the end of the record.
    ///
    /// @param last whether they are the last ones
    long addAbsorbed(boolean grows, boolean last) {
        if (room != null) {
            room.absorbs(true);
        }
        try {
            describe(grows);
            if (last) {
                record.absorbed();
            }
            reserve(grows);
            long lsn = log.append(record, pages.txid(), pages.pageCount(), false);
            turned = false;
            return lsn;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (room != null) {
                room.absorbs(false);
            }
        }
    }

    /// The layers of deltas have turned: the next record says so.
    void turned() {
        turned = true;
    }

    private void markTurn() {
        if (turned) {
            record.turned();
        }
    }

    /// Whether there is room for `bytes` more than is needed by now, without a look at what could be freed.
    boolean hasRoomFor(long bytes) {
        return room == null || room.hasRoomFor(bytes);
    }

    /// Keeps room for the pages of gathered entries, of `bytes` bytes in all.
    void keepForGathered(long bytes) {
        if (room != null) {
            room.keepForGathered(bytes);
        }
    }

    private void describe(boolean grows) {
        if (room != null) {
            room.check(grows);
        }
        record.begin();
        markTurn();
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

    /// If the disk has no room for more log, a checkpoint frees the existing log.
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

    /// Reserves room, the space kept for deletes included. A record too large for the log's reserve replaces it on
    /// the disk.
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

    /// Whether a checkpoint has found room for its own files. A commit that removes data may use the reserve.
    private static boolean releasesLog(
            Checkpoint checkpoint, boolean grows, LimitException reason) {
        try {
            checkpoint.run(CheckpointAim.ROOM);
            if (grows) {
                checkpoint.giveBack(LogRecord.HEADER_BYTES);
            }
            return true;
        } catch (LimitException e) {
            reason.addSuppressed(e);
            return false;
        }
    }

    /// The record is written now if a transaction waits for just that; else with the next sync, or, if all are
    /// ASYNC, soon by the [LogWriter].
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
            record.trim(KEPT_BYTES_MAX);
            turned = false;
            if (later && writer != null && !writer.wake()) {
                log.write(lsn);
            }
            return lsn;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// Writes the log's buffered records.
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

    /// The durability of `committed` by now, never less than the one waited for. In a read-only store it comes from
    /// files, and nothing says whether these were synced.
    Durability reached(State committed) {
        return checkpoint == null ? Durability.WRITTEN : log.reached(committed.lsn());
    }

    /// Waits until the commit has reached the durability `wanted`.
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

    /// Ends the writer thread; the caller must write the unwritten records.
    void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
