package dev.oriel.store.delta;

/// Tells of most keys that a [DeltaLayer] does not have them, with one access to memory: a Bloom filter with the bits
/// of a key in one word.
///
/// Bits are set and never cleared. So a reader finds all keys of its commit while the writer adds more.
final class KeyFilter {
    static final int WORDS_MIN = 32;

    /// Maximum of keys for a word. With so many, one absent key in a hundred passes the filter; with more, too many
    /// would.
    private static final int KEYS_PER_WORD = 4;

    private KeyFilter() {}

    /// Whether there are too many keys for a filter of so many words.
    static boolean isFull(int words, long keys) {
        return keys > (long) words * KEYS_PER_WORD;
    }

    static void add(long[] words, long hash) {
        words[index(words, hash)] |= bits(hash);
    }

    /// False if no key with the hash was added.
    static boolean mayHave(long[] words, long hash) {
        long bits = bits(hash);
        return (words[index(words, hash)] & bits) == bits;
    }

    private static int index(long[] words, long hash) {
        return (int) (hash >>> 32) & words.length - 1;
    }

    private static long bits(long hash) {
        return 1L << hash | 1L << (hash >>> 6) | 1L << (hash >>> 12);
    }
}
