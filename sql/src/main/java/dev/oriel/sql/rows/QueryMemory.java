package dev.oriel.sql.rows;

import dev.oriel.store.LimitException;
import dev.oriel.store.TemporaryFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory of one statement: the rows that all of its operators keep, in bytes, held against a budget.
/// Who keeps rows has a [Share] of it, counts each row there once, and puts rows aside when it is told to.
///
/// Beyond the budget there may be one sixteenth more for each operator: one that holds less than that is
/// not asked, since files full of tiny runs would help nobody.
///
/// Knows all files that the statement has made, and deletes at its end those that are left, so that none
/// survives a cancel or an error. Belongs to the thread that runs the statement.
public final class QueryMemory {
    /// An operator that holds a smaller part than one in so many keeps it.
    public static final int PARTS = 16;

    /// Of what reads no tables, and keeps nothing worth counting.
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

    /// A value may be as large as this, however small the budget is.
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

    /// Where budget and files come from.
    public interface Source {
        /// The budget of a statement that begins now.
        long bytesMax();

        /// A new file; null where there are none.
        @Nullable TemporaryFile file();
    }

    /// A run begins.
    public void begin() {
        bytesMax = source.bytesMax();
        used = 0;
        most = 0;
        putAside = 0;
    }

    /// A share of it for one operator.
    public Share share() {
        return new Share(this);
    }

    public long bytesMax() {
        return bytesMax;
    }

    /// What is held at this moment.
    public long used() {
        return used;
    }

    /// The most that was held in this run.
    public long most() {
        return most;
    }

    /// Bytes that this run has written to files.
    public long putAside() {
        return putAside;
    }

    /// Counts `more` bytes; whether what is held is more than the budget now.
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
                    "An aggregate puts together a value that alone needs more memory than the"
                            + " budget of its statement; aggregate less, or raise query_bytes_max",
                    "query_bytes_max=" + bytesMax);
        }
    }

    void wrote(long bytes) {
        putAside += bytes;
    }

    /// Makes sure that rows can be put aside.
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

    /// It has been deleted. With the last one goes the spare one, so that nobody who keeps this has a file left.
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

    /// Bytes that are written at a time.
    public int blockBytes() {
        return Math.clamp(bytesMax / (2 * PARTS), BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
    }

    /// How many runs are merged at a time.
    int fan() {
        return Math.clamp(bytesMax / 4 / BLOCK_BYTES_MIN, FAN_MIN, FAN_MAX);
    }

    /// Bytes that each of `readers` reads at a time.
    public int windowBytes(int readers) {
        return Math.clamp(bytesMax / 4 / readers, BLOCK_BYTES_MIN, 2 * BLOCK_BYTES_MAX);
    }

    /// The run is over, however it came to that.
    public void end() {
        for (SpillFile file : List.copyOf(files)) {
            file.delete();
        }
        deleteSpare();
        used = 0;
    }

    /// What one operator holds. Several structures may have one together.
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

        /// A run begins.
        public void begin() {
            bytes = 0;
            most = 0;
            putAside = 0;
            pressed = false;
        }

        /// Counts `more` bytes; whether the structure that asks, which holds `own`, is to put them aside
        /// now.
        public boolean add(long more, long own) {
            bytes += more;
            return memory.add(more) && beyond(own);
        }

        /// Counts `more` bytes of a value that is being put together, which no file can hold.
        ///
        /// @param whole bytes of the value with them
        /// @throws LimitException if the value alone has more than the budget
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

        /// Whether structures may put aside what they hold by themselves; else they make it
        /// [#pressed].
        public void mayPutAside(boolean may) {
            mayPutAside = may;
        }

        /// Whether more was needed than there was, and nothing could be put aside.
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

        /// What it holds at this moment.
        public long held() {
            return bytes;
        }

        /// The most that it has held in this run.
        public long most() {
            return Math.max(most, bytes);
        }

        /// Bytes of rows that it has put aside in this run.
        public long putAside() {
            return putAside;
        }
    }
}
