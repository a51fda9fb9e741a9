package dev.oriel.bench.voron;

/// The key of a page that counts the map's calls of its methods, for all keys together. Used by one thread, and
/// for scenarios without timing.
final class CountedKey {
    private static long hashed;
    private static long compared;

    private final long page;

    CountedKey(long page) {
        this.page = page;
    }

    /// Resets the counters.
    static void reset() {
        hashed = 0;
        compared = 0;
    }

    /// Calls of `hashCode`.
    static long hashed() {
        return hashed;
    }

    /// Calls of `equals`.
    static long compared() {
        return compared;
    }

    @Override
    public int hashCode() {
        hashed++;
        return Long.hashCode(page);
    }

    @Override
    public boolean equals(Object other) {
        compared++;
        return other instanceof CountedKey key && key.page == page;
    }
}
