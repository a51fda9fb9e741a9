package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.page.KeyHash;
import dev.oriel.store.page.Node;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The writer's side of [Deltas]: the layer that takes the entries of commits, and the older one that is being
/// absorbed. Used by the holder of the page writer's role, and by recovery.
///
/// The layers turn when the newest is large enough, or when all entries are to go into pages: it becomes the older
/// one, and an empty one takes its place. Absorbing goes through the older layer in the order of trees and keys, in
/// steps. When it is through, the older layer is dropped.
public final class DeltaLayers {
    /// The layer that takes entries; null until there is one.
    private @Nullable DeltaLayer newest;

    /// The newest layer as the last commit left it; null if it is empty.
    private @Nullable Delta published;

    private @Nullable Delta older;

    /// Txid and end of the log of the last commit before the first one with entries in the newest layer, and in the
    /// older one.
    private long newestTxid;

    private long newestLsn;
    private long olderTxid;
    private long olderLsn;

    /// Index of the tree that is being absorbed, and its next key; null for its first one.
    private int tree;

    private @Nullable Slice nextKey;

    /// The same after the last step.
    private int reached;

    private @Nullable Slice reachedKey;

    /// Number of entries that the last [#absorb] passed before it ended or failed.
    private int passedEntries;

    private final Slice key = new Slice();
    private final Slice value = new Slice();

    /// Receives the entries that are absorbed, in the order of trees and keys.
    public interface Target {
        void put(long root, Slice key, Slice value);

        void delete(long root, Slice key);
    }

    /// Receives the entries of a commit: each run has entries of one tree, one behind the other.
    public interface Runs {
        void run(long root, MemorySegment from, long at, int bytes);
    }

    /// The layers as the last commit left them.
    public Deltas deltas() {
        if (published == null && older == null) {
            return Deltas.NONE;
        }
        return older == null
                ? new Deltas(published, null, newestTxid, newestLsn)
                : new Deltas(published, older, olderTxid, olderLsn);
    }

    public boolean isEmpty() {
        return published == null && older == null;
    }

    /// Whether a layer is being absorbed.
    public boolean hasOlder() {
        return older != null;
    }

    /// Bytes of the newest layer.
    public long newestBytes() {
        return published == null ? 0 : published.bytes();
    }

    /// Begins a commit.
    ///
    /// @param lastLsn end of the log of the commit before it
    /// @param snapshots the first `count` are the open ones in order, with the newest commit last
    public DeltaLayer begin(long txid, long lastLsn, long[] snapshots, int count) {
        DeltaLayer layer = newest == null ? new DeltaLayer() : newest;
        if (published == null) {
            newestTxid = txid - 1;
            newestLsn = lastLsn;
        }
        layer.begin(txid, snapshots, count);
        newest = layer;
        return layer;
    }

    private DeltaLayer open() {
        return Objects.requireNonNull(newest, "no commit is open");
    }

    /// The layers as the open commit would leave them.
    public Deltas uncommitted() {
        @Nullable Delta open = open().publish();
        return older == null
                ? new Deltas(open, null, newestTxid, newestLsn)
                : new Deltas(open, older, olderTxid, olderLsn);
    }

    /// Passes the entries of the open commit.
    public void describe(Runs target) {
        open().describe(target);
    }

    /// The open commit has published `deltas`.
    public void commit(Deltas deltas) {
        published = deltas.newest();
        open().end();
    }

    /// Undoes the open commit, if there is one.
    public void rollback() {
        if (newest != null) {
            newest.rollback();
        }
    }

    /// The layers without the older one, if the last [#absorb] has passed its last entries.
    public Deltas absorbed() {
        if (reachedKey != null) {
            return deltas();
        }
        return published == null ? Deltas.NONE : new Deltas(published, null, newestTxid, newestLsn);
    }

    /// Makes the newest layer the older one, of which there must be none.
    public void turn() {
        if (older != null) {
            throw new IllegalStateException("a layer is being absorbed already");
        }
        older = published;
        olderTxid = newestTxid;
        olderLsn = newestLsn;
        newest = null;
        published = null;
        tree = 0;
        nextKey = null;
    }

    /// Passes the next `most` entries of the older layer to `target`. Returns whether they were the last ones. The
    /// same entries come again, unless [#passed] is called.
    public boolean absorb(Target target, int most) {
        Delta layer = older;
        if (layer == null) {
            throw new IllegalStateException("there is no layer to be absorbed");
        }
        return pass(layer, tree, nextKey, target, most);
    }

    /// Passes all entries to `target`, which keeps the last of two with one key. They stay here.
    public void absorbAll(Target target) {
        Delta layer = older;
        if (layer != null) {
            boolean _ = pass(layer, 0, null, target, Integer.MAX_VALUE);
        }
        layer = published;
        if (layer != null) {
            boolean _ = pass(layer, 0, null, target, Integer.MAX_VALUE);
        }
    }

    private boolean pass(
            Delta layer, int firstTree, @Nullable Slice firstKey, Target target, int most) {
        DeltaCursor cursor = new DeltaCursor();
        passedEntries = 0;
        for (int i = firstTree; i < layer.trees().length; i++) {
            long root = layer.trees()[i];
            cursor.reset(layer, root, null);
            Slice from = i == firstTree ? firstKey : null;
            boolean more = from == null ? cursor.first() : cursor.seek(from);
            for (; more; more = cursor.next()) {
                cursor.key(key);
                if (passedEntries == most) {
                    reached = i;
                    reachedKey = new Slice().setCopy(key);
                    return false;
                }
                if (cursor.isAbsent()) {
                    target.delete(root, key);
                } else {
                    cursor.value(value);
                    target.put(root, key, value);
                }
                passedEntries++;
            }
        }
        reachedKey = null;
        return true;
    }

    /// Number of entries that the last [#absorb] passed before its target failed.
    public int passedEntries() {
        return passedEntries;
    }

    /// Adds the next entries of the older layer to the open commit of the newest one, at most `most` of one tree.
    /// Entries whose keys have newer ones there are left out. After [#passed] all of them count as absorbed.
    ///
    /// @return the root of their tree
    public long keep(int most) {
        Delta layer = Objects.requireNonNull(older, "there is no layer to be absorbed");
        DeltaCursor cursor = new DeltaCursor();
        Slice from = nextKey;
        int i = tree;
        cursor.reset(layer, layer.trees()[i], null);
        boolean more = from == null ? cursor.first() : cursor.seek(from);
        while (!more) {
            cursor.reset(layer, layer.trees()[++i], null);
            more = cursor.first();
        }
        long root = layer.trees()[i];
        Delta newer = published;
        for (int left = most; more && left > 0; left--) {
            cursor.key(key);
            boolean superseded =
                    newer != null
                            && newer.find(root, key, KeyHash.of(root, key), value) != Found.NOTHING;
            if (!superseded) {
                keep(root, cursor);
            }
            reachedKey = successor(key);
            more = cursor.next();
        }
        reached = i;
        return root;
    }

    private void keep(long root, DeltaCursor cursor) {
        if (cursor.isAbsent()) {
            open().add(root, key, Node.unbounded());
        } else {
            cursor.value(value);
            open().add(root, key, value);
        }
    }

    /// The least key above `key`.
    private static Slice successor(Slice key) {
        Slice next = new Slice().setOwn(key.length() + 1);
        MemorySegment.copy(key.segment(), key.offset(), next.segment(), 0, key.length());
        next.segment().set(ValueLayout.JAVA_BYTE, key.length(), (byte) 0);
        return next;
    }

    /// Whether the entries of all trees but `roots` are in pages.
    public boolean hasOnly(Set<Long> roots) {
        return older == null && (published == null || published.hasOnly(roots));
    }

    /// Forgets all entries: they are in pages.
    public void clear() {
        older = null;
        published = null;
        newest = null;
    }

    /// The entries of the last [#absorb] are in pages.
    public void passed() {
        tree = reached;
        nextKey = reachedKey;
        if (reachedKey == null) {
            older = null;
        }
    }

    /// The older layer is in pages, as a record of the log says.
    public void dropOlder() {
        older = null;
    }
}
