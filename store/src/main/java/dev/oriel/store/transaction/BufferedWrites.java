package dev.oriel.store.transaction;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.data.Core;
import dev.oriel.store.delta.Found;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Node;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.State;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes of one of many writers: kept in a write set over a snapshot until commit. Belongs to one transaction
/// after another.
public final class BufferedWrites implements Writes {
    /// Divisor of the write set's memory limit for the undo log, which comes on top.
    private static final int UNDO_PART = 4;

    /// Bytes of memory that a copy of a value keeps when its transaction ends.
    private static final int KEPT_BYTES_MAX = 64 << 10;

    public final WriteSet writeSet = new WriteSet();
    final Snapshot snapshot;

    /// Snapshot of the newest committed state; taken for a moment only.
    final Snapshot latest;

    /// The undo log for the transaction's savepoints.
    final UndoLog undo;

    private final long bytesMax;
    private final @Nullable TemporaryFiles files;
    private final Slice then = new Slice();
    private final Slice now = new Slice();

    /// The leaf of the snapshot that was searched last, and its tree's root; 0 if there is none. Written keys often
    /// come in order.
    private long fingerRoot;

    private MemorySegment fingerSegment = MemorySegment.NULL;
    private long fingerAt;

    BufferedWrites(Core core) {
        this.bytesMax = core.options().writeSetBytesMax();
        this.files = core.temporaryFiles();
        this.undo = new UndoLog(files, bytesMax / UNDO_PART);
        this.snapshot = new Snapshot(core);
        this.latest = new Snapshot(core);
    }

    @Override
    public boolean get(long root, Slice key, Slice value) {
        return switch (writeSet.find(root, key, value)) {
            case VALUE -> true;
            case DELETED -> false;
            case NOTHING -> getInSnapshot(root, key, value);
        };
    }

    private boolean getInSnapshot(long root, Slice key, Slice value) {
        return switch (snapshot.deltas().find(root, key, value)) {
            case VALUE -> true;
            case DELETED -> false;
            case NOTHING -> getInPages(root, key, value);
        };
    }

    private boolean getInPages(long root, Slice key, Slice value) {
        boolean inLeaf =
                fingerRoot == root
                        && Node.isAboveLow(fingerSegment, fingerAt, key)
                        && Node.isBelowHigh(fingerSegment, fingerAt, key);
        if (!inLeaf) {
            snapshot.reader.leafOf(root, key);
            fingerRoot = root;
            fingerSegment = snapshot.pages.segment;
            fingerAt = snapshot.pages.at;
        }
        return snapshot.reader.getInLeaf(fingerSegment, fingerAt, key, value);
    }

    /// Takes the newest snapshot, and releases the current one, if any.
    void takeSnapshot() {
        fingerRoot = 0;
        snapshot.take();
    }

    @Override
    public boolean put(long root, Slice key, Slice value, boolean replace) {
        if (!replace && get(root, key, then)) {
            return false;
        }
        writeSet.put(root, key, value);
        checkRoom();
        return true;
    }

    @Override
    public boolean delete(long root, Slice key) {
        if (!get(root, key, then)) {
            return false;
        }
        writeSet.remove(root, key);
        checkRoom();
        return true;
    }

    /// Whether memory is full, and there are files to spill to.
    boolean mustSpill() {
        return writeSet.bytes() >= bytesMax && files != null;
    }

    /// Spills the write set to a file. Slices into it are invalid afterwards.
    ///
    /// @throws LimitException if there is no room for the file; nothing has changed then
    void spill() {
        writeSet.spill(Objects.requireNonNull(files, "a store without files"));
    }

    @Override
    public boolean mayHaveChanged() {
        return true;
    }

    @Override
    public boolean isUntouched() {
        return writeSet.isEmpty();
    }

    @Override
    public void forget() {
        writeSet.clear();
    }

    @Override
    public void makeRoom() {
        if (mustSpill()) {
            spill();
        }
    }

    private void checkRoom() {
        if (files == null && writeSet.bytes() > bytesMax) {
            throw new LimitException(
                    "A transaction has written more than may be kept in memory until it commits; roll it"
                            + " back, and commit more often or begin it exclusively",
                    "bytes=" + writeSet.bytes() + " max=" + bytesMax);
        }
    }

    /// Like [#get], but reads the newest committed state instead of the snapshot. A value from there is copied:
    /// nothing keeps its page.
    boolean getLatest(long root, Slice key, Slice value) {
        if (writeSet.find(root, key, value) != Found.NOTHING || snapshot.isNewest()) {
            return get(root, key, value);
        }
        latest.take();
        try {
            boolean found = latest.get(root, key, now);
            if (found) {
                value.setCopy(now);
            }
            return found;
        } finally {
            latest.release();
        }
    }

    /// The newest committed state that it has read: its answers depend on that one.
    State seen() {
        State older = snapshot.state();
        return latest.state().lsn() > older.lsn() ? latest.state() : older;
    }

    /// Whether the entry of `key`, which this transaction has locked, is the same in the newest committed state as
    /// in the snapshot.
    boolean isUnchanged(long root, Slice key) {
        if (snapshot.isNewest()) {
            return true;
        }
        latest.take();
        try {
            return isSame(root, key);
        } finally {
            latest.release();
        }
    }

    /// Whether all entries from `from` up to `to` (null for the end of the tree) are the same in the newest
    /// committed state as in the snapshot.
    boolean isUnchanged(long root, Slice from, @Nullable Slice to) {
        if (snapshot.isNewest()) {
            return true;
        }
        latest.take();
        try {
            return new SnapshotComparison(snapshot.view(), latest.view()).isSame(root, from, to);
        } finally {
            latest.release();
        }
    }

    private boolean isSame(long root, Slice key) {
        if (snapshot.deltas().has(root) || latest.deltas().has(root)) {
            return isSameEntry(root, key);
        }
        TreeReader older = snapshot.reader;
        TreeReader newer = latest.reader;
        older.leafOf(root, key);
        newer.leafOf(root, key);
        if (latest.pages.isAt(snapshot.pages)) {
            return true; // the same version of the leaf
        }
        boolean was = older.getInLeaf(snapshot.pages.segment, snapshot.pages.at, key, then);
        boolean is = newer.getInLeaf(latest.pages.segment, latest.pages.at, key, now);
        return was == is && (!is || Slice.compare(then, now) == 0);
    }

    private boolean isSameEntry(long root, Slice key) {
        if (snapshot.deltas().isSame(latest.deltas(), root, key)) {
            return true;
        }
        boolean was = snapshot.get(root, key, then);
        boolean is = latest.get(root, key, now);
        return was == is && (!is || Slice.compare(then, now) == 0);
    }

    void clear() {
        fingerRoot = 0;
        writeSet.clear();
        snapshot.release();
        latest.release();
        then.trim(KEPT_BYTES_MAX);
        now.trim(KEPT_BYTES_MAX);
    }
}
