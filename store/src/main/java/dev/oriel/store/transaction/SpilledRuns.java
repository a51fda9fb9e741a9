package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.ScratchFile;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Node;
import dev.oriel.store.tree.TreeReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The spilled part of a [WriteSet]: runs from the newest to the oldest, of which the newest counts. [#FAN] runs
/// of one level are merged into one of the next, so that there are few.
public final class SpilledRuns {
    /// Number of runs of one level that are merged.
    static final int FAN = 8;

    private final Slice absent = Node.unbounded();
    private final Slice key = new Slice();

    /// The runs, oldest first.
    private final List<SpilledRun> runs = new ArrayList<>(0);

    private long entries;

    boolean isEmpty() {
        return runs.isEmpty();
    }

    int count() {
        return runs.size();
    }

    /// Number of entries of all runs; a key in several runs counts in each.
    long entries() {
        return entries;
    }

    /// Returns layer `number`, counted from the newest.
    WriteSetLayer layer(int number) {
        return runs.get(runs.size() - 1 - number).layer();
    }

    /// Writes `layer` as a new run.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room; nothing has changed then
    void add(TemporaryFiles files, WriteSetLayer layer) {
        add(merged(files, new WriteSetLayer[] {layer}, 0));
    }

    private void add(SpilledRun run) {
        runs.add(run);
        entries += run.entries();
    }

    /// Merges runs if one level has many. If there is no room for the result, the runs stay as they are.
    void merge(TemporaryFiles files) {
        while (runs.size() >= FAN && runs.get(runs.size() - FAN).level() == newestLevel()) {
            WriteSetLayer[] parts = new WriteSetLayer[FAN];
            Arrays.setAll(parts, this::layer);
            SpilledRun one = merged(files, parts, newestLevel() + 1);
            for (int i = 0; i < FAN; i++) {
                SpilledRun part = runs.removeLast();
                entries -= part.entries();
                part.file().delete();
            }
            add(one);
        }
    }

    private int newestLevel() {
        return runs.getLast().level();
    }

    private SpilledRun merged(TemporaryFiles files, WriteSetLayer[] parts, int level) {
        ScratchFile file = files.create();
        boolean made = false;
        try {
            SpilledRun.Builder builder = new SpilledRun.Builder(files, file);
            Slice value = new Slice();
            OwnCursor cursor = new OwnCursor();
            for (long root : roots(parts)) {
                builder.begin(root);
                cursor.reset(Reader.ONLY, parts, root);
                for (boolean more = cursor.edge(true); more; more = cursor.step(true)) {
                    cursor.key(key);
                    if (cursor.isAbsent()) {
                        builder.add(key, absent);
                    } else {
                        cursor.value(value);
                        builder.add(key, value);
                    }
                }
            }
            SpilledRun run = builder.finish(level);
            made = true;
            return run;
        } finally {
            if (!made) {
                file.delete();
            }
        }
    }

    /// Returns the roots of the real trees for which any of `parts` has entries, ascending.
    static long[] roots(WriteSetLayer[] parts) {
        return Arrays.stream(parts)
                .flatMapToLong(
                        part -> LongStream.range(0, part.trees()).map(i -> part.root((int) i)))
                .sorted()
                .distinct()
                .toArray();
    }

    /// Deletes all runs.
    void clear() {
        runs.forEach(run -> run.file().delete());
        runs.clear();
        entries = 0;
    }

    /// Cursor owner for reading the layers for the write set itself.
    public static final class Reader extends CursorOwner {
        static final Reader ONLY = new Reader();

        @Override
        public void checkOpen() {}

        @Override
        public Pages pages() {
            throw new IllegalStateException("it has no snapshot");
        }

        @Override
        TreeReader reader() {
            throw new IllegalStateException("it has no snapshot");
        }

        @Override
        Deltas deltas() {
            return Deltas.NONE;
        }

        @Override
        @Nullable WriteSet writeSet() {
            return null;
        }

        @Override
        void register(MergedCursor cursor) {}

        @Override
        void forget(MergedCursor cursor) {}
    }
}
