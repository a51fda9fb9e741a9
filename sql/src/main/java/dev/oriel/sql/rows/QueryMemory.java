package dev.oriel.sql.rows;

import dev.oriel.store.LimitException;
import dev.oriel.store.TemporaryFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory budget of one statement, in bytes, for the rows that its operators keep. An operator that keeps rows
/// has a [Share] of it, counts each row there once, and spills rows when it is told to.
///
/// Each operator may exceed the budget by one sixteenth of it: an operator that holds less is not asked to spill,
/// since files full of tiny runs would not help.
///
/// Tracks all files of the statement, and deletes the remaining ones at its end, so that none survives a cancel or
/// an error. Belongs to the thread that runs the statement.
public final class QueryMemory {
    /// Divisor of the budget: an operator that holds a smaller part does not spill.
    public static final int PARTS = 16;

    /// Unlimited budget, for statements that read no tables and keep nothing worth counting.
    public static final Source UNBOUNDED =
            new Source() {
                @Override
                public long bytesMax() {
                    return Long.MAX_VALUE;
                }

                @Override
                public @Nullable TemporaryFile file() {
                    return null;
                }
            };

    /// Minimum size limit of one value in bytes, however small the budget is.
    private static final long VALUE_BYTES_LEAST = 1 << 20;

    private static final int BLOCK_BYTES_MIN = 4 << 10;
    private static final int BLOCK_BYTES_MAX = 64 << 10;
    private static final int FAN_MIN = 4;
    private static final int FAN_MAX = 64;

    private final Source source;
    private final List<SpillFile> files = new ArrayList<>();
    private @Nullable TemporaryFile spare;
    private long bytesMax;
    private long used;
    private long most;
    private long putAside;

    public QueryMemory(Source source) {
        this.source = source;
        begin();
    }

    /// Source of the budget and of temporary files.
    public interface Source {
        /// The budget of a statement that begins now.
        long bytesMax();

        /// A new file; null if files are not available.
        @Nullable TemporaryFile file();
    }

    /// Starts a run.
    public void begin() {
        bytesMax = source.bytesMax();
        used = 0;
        most = 0;
        putAside = 0;
    }

    /// A share for one operator.
    public Share share() {
        return new Share(this);
    }

    public long bytesMax() {
        return bytesMax;
    }

    /// Bytes held now.
    public long used() {
        return used;
    }

    /// Maximum number of bytes held in this run.
    public long most() {
        return most;
    }

    /// Bytes that this run has written to files.
    public long putAside() {
        return putAside;
    }

    /// Counts `more` bytes; returns whether the budget is exceeded now.
    boolean add(long more) {
        used += more;
        if (used > most) {
            most = used;
        }
        return used > bytesMax;
    }

    void take(long less) {
        used -= less;
    }

    private void checkValue(long bytes) {
        if (bytes > Math.max(bytesMax, VALUE_BYTES_LEAST)) {
            throw new LimitException(
                    "An aggregate builds a value that alone needs more memory than the"
                            + " budget of its statement; aggregate less, or raise query_bytes_max",
                    "query_bytes_max=" + bytesMax);
        }
    }

    void wrote(long bytes) {
        putAside += bytes;
    }

    /// Makes sure that rows can be spilled.
    ///
    /// @throws LimitException if they cannot
    void checkFiles() {
        if (spare == null) {
            try {
                spare = source.file();
            } catch (LimitException e) {
                throw SpillFile.refused(e);
            }
        }
        if (spare == null) {
            throw new LimitException(
                    "The statement needs more memory than its budget, and a database in memory, or"
                            + " opened for reading only, has no files to put rows aside; raise"
                            + " query_bytes_max",
                    "query_bytes_max=" + bytesMax);
        }
    }

    /// A new file for rows.
    ///
    /// @throws LimitException if there is none
    public SpillFile file() {
        checkFiles();
        TemporaryFile next = spare;
        spare = null;
        if (next == null) {
            throw new IllegalStateException("no file was made");
        }
        SpillFile made = new SpillFile(this, next);
        files.add(made);
        return made;
    }

    /// Forgets a deleted file. The spare file is deleted with the last one, so that an idle statement has no file
    /// left.
    void forget(SpillFile file) {
        files.remove(file);
        if (files.isEmpty()) {
            deleteSpare();
        }
    }

    private void deleteSpare() {
        if (spare != null) {
            spare.delete();
            spare = null;
        }
    }

    /// Size of a write in bytes.
    public int blockBytes() {
        return Math.clamp(bytesMax / (2 * PARTS), BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
    }

    /// Number of runs that are merged at a time.
    int fan() {
        return Math.clamp(bytesMax / 4 / BLOCK_BYTES_MIN, FAN_MIN, FAN_MAX);
    }

    /// Size in bytes of the read buffer of each of `readers`.
    public int windowBytes(int readers) {
        return Math.clamp(bytesMax / 4 / readers, BLOCK_BYTES_MIN, 2 * BLOCK_BYTES_MAX);
    }

    /// Ends the run, also after an error.
    public void end() {
        for (SpillFile file : List.copyOf(files)) {
            file.delete();
        }
        deleteSpare();
        used = 0;
    }

    /// The memory held by one operator. Several structures may have one share together.
    public static final class Share {
        private final QueryMemory memory;
        private long bytes;
        private long most;
        private long putAside;
        private boolean mayPutAside = true;
        private boolean pressed;

        private Share(QueryMemory memory) {
            this.memory = memory;
        }

        public QueryMemory memory() {
            return memory;
        }

        /// Starts a run.
        public void begin() {
            bytes = 0;
            most = 0;
            putAside = 0;
            pressed = false;
        }

        /// Counts `more` bytes; returns whether the calling structure, which holds `own` bytes, must spill now.
        public boolean add(long more, long own) {
            bytes += more;
            return memory.add(more) && beyond(own);
        }

        /// Counts `more` bytes of a value under construction, which no file can hold.
        ///
        /// @param whole size of the value, `more` included
        /// @throws LimitException if the value alone exceeds the budget
        public void addToValue(long more, long whole) {
            add(more, 0);
            memory.checkValue(whole);
        }

        private boolean beyond(long own) {
            memory.checkFiles();
            if (!mayPutAside) {
                pressed = true;
                return false;
            }
            return own >= memory.bytesMax / PARTS;
        }

        /// Sets whether structures may spill by themselves; otherwise they set [#pressed].
        public void mayPutAside(boolean may) {
            mayPutAside = may;
        }

        /// Whether the budget was exceeded while nothing could be spilled.
        public boolean pressed() {
            return pressed;
        }

        public void take(long less) {
            most = Math.max(most, bytes);
            bytes -= less;
            memory.take(less);
        }

        public void wrote(long more) {
            putAside += more;
        }

        /// Bytes held now.
        public long held() {
            return bytes;
        }

        /// Maximum number of bytes held in this run.
        public long most() {
            return Math.max(most, bytes);
        }

        /// Bytes of rows spilled in this run.
        public long putAside() {
            return putAside;
        }
    }
}
