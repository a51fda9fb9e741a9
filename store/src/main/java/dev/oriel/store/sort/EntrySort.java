package dev.oriel.store.sort;

import dev.oriel.store.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An external merge sort of the entries of one tree in bounded memory. They are kept in a buffer, which becomes a
/// sorted run on the disk whenever it is full; in the end all runs are merged.
///
/// The last entry with a key counts, unless [Duplicates] throws.
public final class EntrySort {
    /// Longest and shortest piece of a run that is read at a time.
    private static final long READ_BYTES_MAX = 256 << 10;

    private static final long READ_BYTES_MIN = 4 << 10;

    private final EntryBuffer buffer;
    private final List<Run> runs = new ArrayList<>();
    private final Duplicates duplicates;
    private long entries;
    private long entryBytes;

    /// Is told of each duplicate key, and may throw.
    @FunctionalInterface
    public interface Duplicates {
        /// Lets the last entry win.
        Duplicates LAST_COUNTS = key -> {};

        void found(Slice key);
    }

    /// A sorted run in the file.
    private record Run(long position, long end) {}

    public EntrySort(Duplicates duplicates, int chunksMax) {
        this.duplicates = duplicates;
        this.buffer = new EntryBuffer(chunksMax);
    }

    public void add(Slice key, Slice value) {
        buffer.add(key, value);
        entries++;
        entryBytes += EntryBuffer.sizeOf(key, value);
    }

    /// Reports that the tree has `key` already.
    public void foundTwice(Slice key) {
        duplicates.found(key);
    }

    public boolean takes(Slice key, Slice value) {
        return buffer.takes(EntryBuffer.sizeOf(key, value));
    }

    /// Number of entries added, and their bytes.
    public long entries() {
        return entries;
    }

    public long entryBytes() {
        return entryBytes;
    }

    int runs() {
        return runs.size();
    }

    public long memoryBytes() {
        return buffer.memoryBytes();
    }

    /// Writes the buffer to `file` as a run.
    public void spill(RunFile file) {
        if (buffer.isEmpty()) {
            return;
        }
        long begin = file.position();
        Sorted sorted = new Sorted(buffer, 0, duplicates);
        while (sorted.next()) {
            file.append(buffer.bytesOf(sorted.index()));
        }
        file.flush();
        runs.add(new Run(begin, file.position()));
        buffer.clear();
    }

    /// All entries, sorted by key.
    ///
    /// @param older entries that the tree has; null if it has none
    /// @param memoryBytes memory for reading runs
    public EntryMerge merged(
            @Nullable RunFile file, EntryMerge.@Nullable Source older, long memoryBytes) {
        List<EntryMerge.Source> sources = new ArrayList<>();
        if (older != null) {
            sources.add(older);
        }
        long piece =
                Math.clamp(memoryBytes / Math.max(1, runs.size()), READ_BYTES_MIN, READ_BYTES_MAX);
        int age = 1;
        for (Run run : runs) {
            RunFile of = Objects.requireNonNull(file, "runs without a file");
            sources.add(new RunReader(of, run.position(), run.end(), age++, piece));
        }
        if (!buffer.isEmpty()) {
            sources.add(new Sorted(buffer, age, duplicates));
        }
        return new EntryMerge(sources, duplicates);
    }

    /// The entries of a buffer, each key once.
    private static final class Sorted extends EntryMerge.Source {
        private static final int TOUCHED = 64;

        private final EntryBuffer buffer;
        private final Duplicates duplicates;
        private final int[] order;
        private int at = -1;

        /// Result of the read-ahead, kept so that the compiler does not remove it.
        @SuppressWarnings("UnusedVariable") // as said
        private long touched;

        Sorted(EntryBuffer buffer, int age, Duplicates duplicates) {
            super(age);
            this.buffer = buffer;
            this.duplicates = duplicates;
            this.order = buffer.order();
        }

        int index() {
            return order[at];
        }

        @Override
        public boolean next() {
            at++;
            if (at >= order.length) {
                return false;
            }
            if (at % TOUCHED == 0) {
                touched += buffer.touch(order, at, Math.min(at + TOUCHED, order.length));
            }
            buffer.get(order[at], key, value);
            while (at + 1 < order.length && buffer.compare(order[at], order[at + 1]) == 0) {
                duplicates.found(key);
                at++;
                buffer.get(order[at], key, value);
            }
            return true;
        }
    }
}
