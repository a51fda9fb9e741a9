package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes of one of many writers: kept beside the trees until commit, over a snapshot of them.
/// Belongs to one transaction after another.
final class BufferedWrites implements Writes {
    /// The way back may take this part of the memory of a write set besides.
    private static final int UNDO_PART = 4;

    final WriteSet writeSet = new WriteSet();
    final Snapshot snapshot;

    /// What others have committed meanwhile; taken for the moment of a look.
    final Snapshot latest;

    /// The way back to savepoints of the transaction that it belongs to.
    final UndoLog undo;

    private final long bytesMax;
    private final @Nullable TemporaryFiles files;
    private final Slice then = new Slice();
    private final Slice now = new Slice();

    /// The leaf of the snapshot that was looked into last, and its tree's root; 0 where there is none.
    /// Keys that are written come in order, often.
    private long fingerRoot;

    private MemorySegment fingerSegment = MemorySegment.NULL;
    private long fingerAt;

    BufferedWrites(Store store) {
        this.bytesMax = store.options().writeSetBytesMax();
        this.files = store.temporaryFiles();
        this.undo = new UndoLog(files, bytesMax / UNDO_PART);
        this.snapshot = new Snapshot(store);
        this.latest = new Snapshot(store);
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

    /// Takes the newest snapshot, instead of the one that is held, if any.
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

    /// Whether memory is full, and there is somewhere else to put what is in it.
    boolean mustSpill() {
        return writeSet.bytes() >= bytesMax && files != null;
    }

    /// Makes room in memory. Slices into the write set hold no more.
    ///
    /// @throws LimitException if there is none for it elsewhere; nothing has changed then
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

    /// As [#get], but of the newest committed state instead of the snapshot. A value that lies there is
    /// copied: nothing keeps its page.
    boolean getLatest(long root, Slice key, Slice value) {
        if (writeSet.find(root, key, value) != WriteSet.Found.NOTHING || snapshot.isNewest()) {
            return get(root, key, value);
        }
        latest.take();
        try {
            boolean found = latest.reader.get(root, key, now);
            if (found) {
                value.setCopy(now);
            }
            return found;
        } finally {
            latest.release();
        }
    }

    /// The newest commit that it has looked at: what it says rests on that one.
    State seen() {
        State older = snapshot.state();
        return latest.state().lsn() > older.lsn() ? latest.state() : older;
    }

    /// Whether the entry of `key` is in the newest committed state what it is in the snapshot. Of a key
    /// that this transaction has locked.
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

    /// The same of all entries from `from` on to `to`, which is null for the end of the tree.
    boolean isUnchanged(long root, Slice from, @Nullable Slice to) {
        if (snapshot.isNewest()) {
            return true;
        }
        latest.take();
        try {
            return new RangeComparison(snapshot.pages, latest.pages).isSame(root, from, to);
        } finally {
            latest.release();
        }
    }

    private boolean isSame(long root, Slice key) {
        TreeReader older = snapshot.reader;
        TreeReader newer = latest.reader;
        older.leafOf(root, key);
        newer.leafOf(root, key);
        if (latest.pages.isAt(snapshot.pages)) {
            return true; // one and the same version of the leaf
        }
        boolean was = older.getInLeaf(snapshot.pages.segment, snapshot.pages.at, key, then);
        boolean is = newer.getInLeaf(latest.pages.segment, latest.pages.at, key, now);
        return was == is && (!is || Slice.compare(then, now) == 0);
    }

    void clear() {
        fingerRoot = 0;
        writeSet.clear();
        snapshot.release();
        latest.release();
    }
}
