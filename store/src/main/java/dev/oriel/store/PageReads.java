package dev.oriel.store;

/// How pages of the data file are read.
///
/// Through a map of the file nothing is copied, and the system's cache is the only one. Not each file system shows
/// in a map what was written to the file; each opening looks whether this one does. Positional reads are right on
/// all of them: pages are copied into a cache of the store's own, which has a size that is known. They cost some
/// microseconds for each page that is not there. Where the file does not fit in memory, they are many times
/// faster: the system reads much around a place of a map that is not in its cache, and drops as much for it.
///
/// @param way whether there is a map
/// @param cacheBytesMax how much memory pages that were read may take, for positional reads alone; at least
///     1 MB. Readers may keep some more alive for a while
public record PageReads(Way way, long cacheBytesMax) {
    private static final long CACHE_BYTES_MIN = 1L << 20;

    /// A file up to this size fits, wherever it is: who opens one does not wait for an answer.
    private static final long SMALL_BYTES = 64L << 20;

    /// Whether pages are read through a map.
    public enum Way {
        /// Always, if the file system can.
        MAPPED,
        /// Never.
        POSITIONAL,
        /// If the file, when it is opened, is no larger than the memory that the system has, or the process may
        /// use, less the JVM's heap.
        BY_SIZE
    }

    public PageReads {
        if (cacheBytesMax < CACHE_BYTES_MIN) {
            throw new UsageException(
                    "The cache of pages has 1 MB at least", "cacheBytesMax=" + cacheBytesMax);
        }
    }

    /// By size, with a cache of a quarter of what the JVM may use for its heap. The system property `oriel.reads`
    /// has it always one way: `map`, or `pread` for positional reads.
    public static PageReads usual() {
        long cache = Math.max(CACHE_BYTES_MIN, Runtime.getRuntime().maxMemory() / 4);
        Way way =
                switch (System.getProperty("oriel.reads", "")) {
                    case "map" -> Way.MAPPED;
                    case "pread" -> Way.POSITIONAL;
                    default -> Way.BY_SIZE;
                };
        return new PageReads(way, cache);
    }

    /// Whether a file of so many bytes is read by positional reads.
    boolean isPositional(long fileBytes) {
        return switch (way) {
            case MAPPED -> false;
            case POSITIONAL -> true;
            case BY_SIZE ->
                    fileBytes > SMALL_BYTES
                            && !fits(
                                    fileBytes,
                                    MachineMemory.bytes(),
                                    Runtime.getRuntime().maxMemory());
        };
    }

    /// Whether a file fits in `memoryBytes` beside a heap.
    static boolean fits(long fileBytes, long memoryBytes, long heapBytes) {
        return fileBytes <= memoryBytes - Math.min(heapBytes, memoryBytes / 2);
    }
}
