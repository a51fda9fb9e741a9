package dev.oriel.bench.voron;

/// The key of a page that counts what a map asks of it, for all keys together. For one thread, and
/// for scenarios that time nothing.
final class CountedKey {
    private static long hashed;
    private static long compared;

    private final long page;

    CountedKey(long page) {
        this.page = page;
    }

    /// Begins anew.
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
