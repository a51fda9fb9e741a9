package dev.oriel.store.transaction;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.data.Core;
import dev.oriel.store.delta.DeltaLayer;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.page.Page;
import dev.oriel.store.version.Readers;
import dev.oriel.store.version.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Decides which commits leave their entries above the pages, and when these go into pages. Used by the holder of
/// the page writer's role.
///
/// A commit adds its entries to the newest of the [DeltaLayers]. A full layer turns and is absorbed by the commits
/// after it, each a part in proportion to what it adds. So no commit waits for long, and when the next layer is full
/// the one before has gone.
final class Gathering {
    /// Entries absorbed for each entry added.
    private static final int ABSORBED_PER_ADDED = 2;

    /// Least number of entries to be absorbed in one step.
    private static final int STEP_MIN = 256;

    private static final int STEP_MAX = 4096;

    /// Divisor of a layer's bytes for the largest group of commits that goes into it.
    private static final int GROUP_PART = 4;

    /// Mean bytes of entries that are gathered if no others are: the log has only what changed of a page, but the whole
    /// of an entry.
    private static final long ENTRY_BYTES_MAX = 512;

    /// Bytes of entries that may go into pages in one step.
    private static final long SMALL_BYTES = 64 << 10;

    /// Largest number of groups between two looks whether one appends.
    private static final int MISSES_MAX = 16;

    /// Bytes of a file for each byte of an entry: pages may be half full after splits, and files of the log double.
    private static final int FILE_BYTES_PER_BYTE = 2;

    /// Number of successive beginnings of transactions without a commit that make the store quiet.
    private static final int BEGUN_MIN = 32;

    /// Number of layers that share the memory.
    private static final int LAYERS = 2;

    /// Divisor of the JVM's memory for all layers: the pages that they go into need most of it.
    private static final int MEMORY_PART = 4;

    /// Bytes gathered in a store with files if its options do not say.
    private static final long USUAL_BYTES = 64 << 20;

    /// Bytes of small commits at random keys that go into pages first if the options do not say. A store that lives
    /// for a second, or only appends, does without layers.
    private static final long PRELUDE_BYTES = 1 << 20;

    /// Free bytes of the disk below which nothing is gathered if the options do not say.
    private static final long USUAL_ROOM = 256 << 20;

    /// Number of groups that go into pages if the disk has no room, before the next look: the system is asked each time.
    private static final int ROOMLESS_GROUPS = 64;

    /// Entries passed by cursors for each one above the pages before all of them go into pages. By then scans have taken
    /// as much more time as that takes.
    private static final long PASSES_MAX = 16;

    /// Bytes of entries that make a layer full; 0 if none are gathered.
    private final long layerBytes;

    /// Bytes of commits that go into pages before the first one is gathered.
    private long preludeBytes;

    /// Bytes of the disk that stay free beyond the need.
    private final long room;

    private final DeltaLayers layers;

    /// Layer of the open commit.
    private @Nullable DeltaLayer open;

    /// Number of groups to come that go into pages without a look at the room on the disk.
    private int roomless;

    /// Number of consecutive groups that did not append, and of groups to come before the next look.
    private int misses;

    private int unlooked;

    /// Entries written since the last step, times the number to be absorbed for each.
    private long due;

    /// Number of transactions that have begun since a commit, and that commit's number. Threads share them without a
    /// lock, so some are not counted.
    private int begun;

    private long begunAfter;

    /// Trees with entries that cannot go into pages, and the reasons: of the last layer, and of the one that is being
    /// absorbed.
    private Map<Long, DatabaseException> damaged = Map.of();

    private Map<Long, DatabaseException> damagedNow = Map.of();

    Gathering(Core core) {
        long wanted = core.options().gatheredBytesMax();
        boolean usual = wanted == StoreOptions.GATHERED_USUAL;
        long bytes = !usual ? wanted : core.files() == null ? 0 : USUAL_BYTES;
        long possible = Runtime.getRuntime().maxMemory() / MEMORY_PART;
        this.layerBytes = Math.min(bytes, possible) / LAYERS;
        this.preludeBytes = usual ? PRELUDE_BYTES : 0;
        this.room = usual ? USUAL_ROOM : 0;
        this.layers = core.deltaLayers();
    }

    DeltaLayers layers() {
        return layers;
    }

    /// Whether the group's commits may leave their entries above the pages.
    boolean takes(List<CommitQueue.Member> group) {
        if (layerBytes == 0) {
            return false;
        }
        if (roomless > 0) {
            roomless--;
            return false;
        }
        long bytes = 0;
        boolean wide = layers.isEmpty();
        for (int i = 0; i < group.size(); i++) {
            WriteSet writeSet = group.get(i).transaction.beside().writeSet;
            if (!writeSet.isGatherable()) {
                return false;
            }
            long own = writeSet.entryBytes();
            bytes += own;
            wide = wide && writeSet.isWide(own, ENTRY_BYTES_MAX);
        }
        if (wide || bytes > layerBytes / GROUP_PART) {
            return false;
        }
        if (preludeBytes > 0) {
            preludeBytes -= bytes;
            return false;
        }
        return true;
    }

    /// Whether it is worth a look whether a group appends: often none has for a while.
    boolean mayAppend() {
        if (layerBytes > 0 && unlooked > 0) {
            unlooked--;
            return false;
        }
        return layerBytes > 0;
    }

    /// Notes whether a group appended.
    void appended(boolean appends) {
        misses = appends ? 0 : Math.min(misses + 1, MISSES_MAX);
        unlooked = misses;
    }

    /// Upper bound of the bytes that absorbing everything takes, the group included, in a store of `pageCount`
    /// pages. Each entry may split a full page, and the log has the new pages too.
    long bytesNeeded(List<CommitQueue.Member> group, long pageCount) {
        Deltas deltas = layers.deltas();
        long entries = deltas.entries();
        long bytes = deltas.bytes();
        for (int i = 0; i < group.size(); i++) {
            WriteSet writeSet = group.get(i).transaction.beside().writeSet;
            entries += writeSet.entries();
            bytes += writeSet.entryBytes();
        }
        long splits = Math.min(entries, pageCount) + 2;
        return 2 * ((splits << Page.SHIFT) + FILE_BYTES_PER_BYTE * bytes);
    }

    /// The disk had no room for a group.
    void lacksRoom() {
        roomless = ROOMLESS_GROUPS;
    }

    /// Bytes that must be free besides: an upper bound for the log with the entries of the group, and some room.
    long roomBytes(List<CommitQueue.Member> group) {
        long bytes = room + LogFiles.SMALLEST_BYTES;
        for (int i = 0; i < group.size(); i++) {
            bytes += FILE_BYTES_PER_BYTE * group.get(i).transaction.beside().writeSet.entryBytes();
        }
        return bytes;
    }

    boolean isEmpty() {
        return layers.isEmpty();
    }

    /// Whether all entries are in pages that can go there.
    boolean isSettled() {
        return layers.isEmpty() || (!damaged.isEmpty() && layers.hasOnly(damaged.keySet()));
    }

    /// Refuses a caller that needs all entries in pages.
    void checkEmpty() {
        if (!layers.isEmpty()) {
            throw refused(damaged.values().iterator().next());
        }
    }

    /// Why a commit of `writeSet` is refused; null if it is not. It would add to the entries of a tree that takes no
    /// more of them into its pages.
    @Nullable DatabaseException refusal(WriteSet writeSet) {
        if (damaged.isEmpty() && damagedNow.isEmpty()) {
            return null;
        }
        DatabaseException found = refusal(writeSet, damaged);
        return found == null ? refusal(writeSet, damagedNow) : found;
    }

    private static @Nullable DatabaseException refusal(
            WriteSet writeSet, Map<Long, DatabaseException> trees) {
        for (Map.Entry<Long, DatabaseException> tree : trees.entrySet()) {
            if (writeSet.has(tree.getKey())) {
                return refused(tree.getValue());
            }
        }
        return null;
    }

    /// A new exception, since several callers are refused for one reason.
    private static DatabaseException refused(DatabaseException reason) {
        String message =
                "A tree takes no changes, because earlier ones cannot go into its pages; check the"
                        + " database, and restore a backup or copy the rest";
        return reason instanceof StorageException
                ? new StorageException(message, reason.context(), reason)
                : new CorruptionException(message, reason.context(), reason);
    }

    boolean hasOlder() {
        return layers.hasOlder();
    }

    /// Whether there is a full layer, and none to be absorbed before it.
    boolean isFull() {
        return !layers.hasOlder() && layers.newestBytes() >= layerBytes;
    }

    /// Whether all entries may go into pages in one step.
    boolean isSmall() {
        return layers.deltas().bytes() <= SMALL_BYTES;
    }

    /// Whether scans have passed so many entries above the pages that these are worth going into pages. The caller needs
    /// no role.
    static boolean isScanned(Deltas deltas) {
        return deltas.passed() > PASSES_MAX * deltas.entries();
    }

    /// Whether the store is quiet, as another transaction begins. The caller needs no role.
    ///
    /// @param newest number of the newest commit that changed entries
    boolean isQuiet(long newest) {
        if (newest != begunAfter) {
            begunAfter = newest;
            begun = 0;
        }
        return ++begun > BEGUN_MIN;
    }

    /// The store counts as quiet only after as many transactions again.
    void unquiet() {
        begun = 0;
    }

    /// Number of entries to be absorbed before the next commit; 0 if that is not worth a step.
    int dueEntries() {
        if (!layers.hasOlder()) {
            return 0;
        }
        boolean behind = layers.newestBytes() >= layerBytes;
        long wanted = behind ? STEP_MAX : due;
        return wanted >= STEP_MIN ? (int) Math.min(wanted, STEP_MAX) : 0;
    }

    void turn() {
        layers.turn();
        due = 0;
        damagedNow = Map.of();
    }

    boolean absorb(DeltaLayers.Target target, int most) {
        return layers.absorb(target, most);
    }

    /// Number of entries that the last [#absorb] passed before it failed.
    int passedEntries() {
        return layers.passedEntries();
    }

    /// Adds the next entries of a tree in the older layer to the open commit, `most` at most. The page of the first
    /// cannot take it because of `reason`.
    void keep(DatabaseException reason, int most) {
        long root = layers.keep(most);
        if (!damagedNow.containsKey(root)) {
            Map<Long, DatabaseException> more = new HashMap<>(damagedNow);
            more.put(root, reason);
            damagedNow = more;
            if (!damaged.containsKey(root)) {
                EventLog.say(
                        System.Logger.Level.WARNING,
                        "A tree takes no changes, because earlier ones cannot go into its pages",
                        reason);
            }
        }
    }

    void begin(State before, Readers readers) {
        long[] snapshots = readers.snapshots(before.txid());
        open = layers.begin(before.txid() + 1, before.lsn(), snapshots, readers.snapshotCount());
    }

    void add(WriteSet writeSet) {
        writeSet.addTo(open());
    }

    private DeltaLayer open() {
        return Objects.requireNonNull(open, "no commit is open");
    }

    void rollback() {
        layers.rollback();
    }

    /// The entries above the pages after a commit of `content`.
    Deltas after(CommitContent content) {
        return switch (content) {
            case PAGES, ABSORBED -> layers.deltas();
            case ENTRIES, KEPT -> layers.uncommitted();
            case ALL_ABSORBED -> layers.absorbed();
        };
    }

    /// A commit of `content` has published `deltas`.
    void published(CommitContent content, Deltas deltas) {
        switch (content) {
            case PAGES -> {}
            case ENTRIES -> {
                due += ABSORBED_PER_ADDED * Math.max(1, open().addedEntries());
                layers.commit(deltas);
            }
            case KEPT -> {
                layers.commit(deltas);
                layers.passed();
            }
            case ABSORBED -> {
                layers.passed();
                due = 0;
            }
            case ALL_ABSORBED -> {
                layers.passed();
                due = 0;
                damaged = damagedNow;
                damagedNow = Map.of();
            }
        }
    }

    Deltas deltas() {
        return layers.deltas();
    }

    Deltas uncommitted() {
        return layers.uncommitted();
    }
}
