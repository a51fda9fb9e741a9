package dev.oriel.store;

/// How pages of the data file are read.
///
/// Through a map of the file, if nothing is said against it: nothing is copied, and the system's cache is the
/// only one. Not each file system shows in a map what was written to the file; each opening looks whether
/// this one does. Positional reads are right on all of them: pages are copied into a cache of the store's own, which
/// has a size that is known. They cost some microseconds for each page that is not there.
///
/// @param positional whether maps are not even tried
/// @param cacheBytesMax how much memory pages that were read may take, for positional reads alone; at least
///     1 MB. Readers may keep some more alive for a while
public record PageReads(boolean positional, long cacheBytesMax) {
    private static final long CACHE_BYTES_MIN = 1L << 20;

    public PageReads {
        if (cacheBytesMax < CACHE_BYTES_MIN) {
            throw new UsageException(
                    "The cache of pages has 1 MB at least", "cacheBytesMax=" + cacheBytesMax);
        }
    }

    /// Maps where they can be trusted, else a cache of a quarter of what the JVM may use for its heap. With the
    /// system property `oriel.reads=pread`, positional reads.
    public static PageReads usual() {
        long cache = Math.max(CACHE_BYTES_MIN, Runtime.getRuntime().maxMemory() / 4);
        return new PageReads("pread".equals(System.getProperty("oriel.reads")), cache);
    }
}
