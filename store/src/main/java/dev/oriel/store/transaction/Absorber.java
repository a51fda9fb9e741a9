package dev.oriel.store.transaction;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.checkpoint.CheckpointAim;
import dev.oriel.store.data.Core;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.tree.RunMerge;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.version.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings the entries that lie above the pages into pages ([DeltaLayers]). Each step is a commit of its own, which
/// changes no entry.
///
/// An entry whose page is damaged stays above: it moves from the older layer to the newest, so that the older layer and
/// the log behind it can go. Its tree takes no more changes. The next layer tries it again.
public final class Absorber {
    /// Number of entries that go into pages in one step if all have to.
    private static final int SETTLED_ENTRIES = 1024;

    /// Number of layers that come up meanwhile before all entries go into pages at once, or no more do.
    private static final int TURNS_MAX = 8;

    private static final long ROLE_NANOS_MAX = 20_000_000;

    /// The same if the store closes: then a step or a checkpoint of another thread is waited for.
    private static final long CLOSING_ROLE_NANOS_MAX = 10_000_000_000L;

    /// Number of checkpoints that are waited for in a store that closes and has no memory for more pages.
    private static final int CLOSING_CHECKPOINTS_MAX = 64;

    /// Most entries of a tree that are kept above its pages in one step.
    private static final int KEPT_ENTRIES_MAX = 1024;

    private final Committer committer;
    private final Core core;
    private final WriteGate writeGate;
    private final CommitQueue queue;
    private final Gathering gathering;
    private final @Nullable CommitLog log;
    private final @Nullable Checkpoint checkpoint;

    /// Number of entries to be kept above the pages if the next one cannot go there: more each time, as all entries of
    /// a tree may need one damaged page.
    private int keptNext = 1;

    /// Made by the first step.
    private @Nullable RunMerge merge;

    Absorber(
            Committer committer,
            Core core,
            WriteGate writeGate,
            CommitQueue queue,
            Gathering gathering,
            @Nullable CommitLog log,
            @Nullable Checkpoint checkpoint) {
        this.committer = committer;
        this.core = core;
        this.writeGate = writeGate;
        this.queue = queue;
        this.gathering = gathering;
        this.log = log;
        this.checkpoint = checkpoint;
    }

    /// Puts entries into the pages of the open commit one by one.
    private record Singly(TreeEditor editor) implements DeltaLayers.Target {
        @Override
        public void put(long root, Slice key, Slice value) {
            editor.put(root, key, value, true);
        }

        @Override
        public void delete(long root, Slice key) {
            editor.delete(root, key);
        }
    }

    /// Merges entries into the pages of the open commit. Ends by [RunMerge#flush].
    private record Merging(RunMerge merge) implements DeltaLayers.Target {
        @Override
        public void put(long root, Slice key, Slice value) {
            merge.put(root, key, value);
        }

        @Override
        public void delete(long root, Slice key) {
            merge.delete(root, key);
        }
    }

    /// Brings all entries into pages, in steps between which others commit, as far as that is possible soon and there
    /// is memory for these pages. Not for the holder of the role.
    ///
    /// @return whether all entries are in pages that can go there
    public boolean settleInSteps() {
        return settleInSteps(ROLE_NANOS_MAX);
    }

    /// Brings all entries that can go there into pages of a store with files, before it closes. It waits for other
    /// threads and, if memory is short, for checkpoints.
    public void settleToClose(Checkpoint last) {
        last.awaitRunning();
        int checkpoints = 0;
        while (!settleInSteps(CLOSING_ROLE_NANOS_MAX)
                && writeGate.isWritable()
                && !hasMemory()
                && checkpoints++ < CLOSING_CHECKPOINTS_MAX) {
            last.beginWhereDue();
            last.awaitRunning();
        }
    }

    private boolean settleInSteps(long roleNanosMax) {
        for (int turns = 0; turns < TURNS_MAX && !core.state().deltas().isEmpty(); ) {
            if (!hasMemory() || !writeGate.isWritable() || !queue.tryTakeRole(roleNanosMax)) {
                return false;
            }
            try {
                if (gathering.isEmpty() || (turns > 0 && gathering.isSettled())) {
                    return true; // another thread may have brought them there
                }
                turns += gathering.hasOlder() ? 0 : 1;
                settleStep();
                if (gathering.isSmall()) {
                    settle();
                }
            } finally {
                queue.giveRole();
            }
        }
        return core.state().deltas().isEmpty();
    }

    private boolean hasMemory() {
        return checkpoint == null || checkpoint.hasMemory();
    }

    /// A transaction begins. If it has to look at entries above the pages, and many before it had to since the last
    /// commit, it brings some into pages. In memory only: of a store with files these would need room on the disk.
    void absorbIfQuiet() {
        if (log != null
                || core.state().deltas().isEmpty()
                || !gathering.isQuiet(core.changedTxid())
                || !writeGate.isWritable()
                || !queue.tryTakeRole(0)) {
            return;
        }
        try {
            if (!gathering.isEmpty()) {
                settleStep();
            }
        } catch (OutOfMemoryError scarce) { // the transaction itself needs none
            gathering.unquiet();
        } finally {
            queue.giveRole();
        }
    }

    /// Runs `then` on a state with all entries in pages.
    void settled(Runnable then) {
        writeGate.checkUnfailed();
        queue.takeRole();
        try {
            if (core.options().readOnly()) {
                settleInMemory();
            } else {
                settleAll();
            }
            then.run();
        } finally {
            queue.giveRole();
        }
    }

    /// Brings all entries into pages of a read-only store, in memory alone.
    private void settleInMemory() {
        if (gathering.isEmpty()) {
            return;
        }
        State before = core.state();
        committer.pages().begin(before);
        committer.editor().begin();
        boolean done = false;
        try {
            gathering.layers().absorbAll(new Singly(committer.editor()));
            core.publish(committer.pages().committed(before.lsn(), Deltas.NONE));
            gathering.layers().clear();
            done = true;
        } finally {
            if (!done) {
                committer.undoPages();
            }
        }
    }

    /// Brings all entries into pages.
    ///
    /// @throws DatabaseException if the page of one is damaged
    void settleAll() {
        settle();
        gathering.checkEmpty();
    }

    /// Brings all entries into pages, except those whose pages are damaged: page changes must not meet entries above
    /// them.
    void settle() {
        while (!gathering.isSettled()) {
            settleStep();
            if (checkpoint != null && !checkpoint.hasMemory()) {
                checkpoint.run(CheckpointAim.MEMORY);
            }
        }
    }

    private void settleStep() {
        if (!gathering.hasOlder()) {
            turn();
        }
        absorb(SETTLED_ENTRIES);
    }

    void turn() {
        gathering.turn();
        if (log != null) {
            log.turned();
        }
    }

    /// Brings the next entries of the older layer into pages, or keeps one above them if its page is damaged.
    void absorb(int most) {
        try {
            absorbNext(most, true);
        } catch (CorruptionException | StorageException _) {
            writeGate.checkUnfailed();
            absorbSingly(most); // tells which entry's page is damaged
        }
    }

    private void absorbSingly(int most) {
        try {
            absorbNext(most, false);
        } catch (CorruptionException | StorageException damage) {
            writeGate.checkUnfailed();
            if (gathering.passedEntries() > 0) {
                absorbSingly(gathering.passedEntries());
            } else {
                keepNext(damage);
            }
        }
    }

    private void absorbNext(int most, boolean merges) {
        committer.beginPages();
        boolean written = false;
        try {
            boolean last =
                    merges ? merge(most) : gathering.absorb(new Singly(committer.editor()), most);
            State _ =
                    committer.publishAs(
                            last ? CommitContent.ALL_ABSORBED : CommitContent.ABSORBED, List.of());
            written = true;
            keptNext = 1;
        } finally {
            if (!written) {
                committer.undoPages();
            }
        }
    }

    private boolean merge(int most) {
        RunMerge merge = this.merge;
        if (merge == null) {
            merge = new RunMerge(committer.editor());
            this.merge = merge;
        }
        merge.clear();
        boolean last = gathering.absorb(new Merging(merge), most);
        merge.flush();
        return last;
    }

    private void keepNext(DatabaseException damage) {
        boolean written = false;
        try {
            committer.beginEntries();
            gathering.keep(damage, keptNext);
            State _ = committer.publishAs(CommitContent.KEPT, List.of());
            written = true;
            keptNext = Math.min(2 * keptNext, KEPT_ENTRIES_MAX);
        } finally {
            if (!written) {
                gathering.rollback();
            }
        }
    }
}
