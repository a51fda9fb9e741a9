package dev.oriel.store;

import dev.oriel.store.memory.MachineMemory;

/// How pages of the data file are read.
///
/// A map of the file needs no copies, and the system's cache is the only one. Not every file system shows writes
/// to the file in a map; each opening checks that. Positional reads work on all of them: pages are copied into a
/// cache of known size in the store. They cost some microseconds for each uncached page. If the file does not fit
/// in memory, they are many times faster. A map's miss makes the system read much around the place, and drop as
/// much for it.
///
/// @param way choice between a map and positional reads
/// @param cacheBytesMax maximum memory for cached pages, used only by positional reads; at least 1 MB. Readers
///     may keep some more alive for a while
public record PageReads(Way way, long cacheBytesMax) {
    private static final long CACHE_BYTES_MIN = 1L << 20;

    /// Size up to which a file always counts as fitting, so that opening it does not wait for an answer.
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
        StoreOptions.check("pageCacheBytesMax", cacheBytesMax, CACHE_BYTES_MIN);
    }

    /// The default: by size, with a cache of a quarter of the JVM's maximum heap. The system property
    /// `oriel.reads` forces one way: `map`, or `pread` for positional reads.
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

    /// Whether a file of `fileBytes` bytes is read by positional reads.
    public boolean isPositional(long fileBytes) {
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

    /// Whether a file fits in `memoryBytes` together with a heap.
    public static boolean fits(long fileBytes, long memoryBytes, long heapBytes) {
        return fileBytes <= memoryBytes - Math.min(heapBytes, memoryBytes / 2);
    }
}
