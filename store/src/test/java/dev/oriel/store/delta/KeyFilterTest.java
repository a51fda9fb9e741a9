package dev.oriel.store.delta;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.model.Model;
import dev.oriel.store.page.KeyHash;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A filter never misses a key, and seldom takes another one for a key.
final class KeyFilterTest {
    private static final int WORDS = 1024;
    private static final int KEYS = 4 * WORDS;
    private static final int OTHERS = 100_000;

    private static long hash(int tree, int key) {
        return KeyHash.of(tree, Model.slice("key" + key));
    }

    @Test
    void keysAreFoundAndFewOthers() {
        long[] words = new long[WORDS];
        IntStream.range(0, KEYS).forEach(key -> KeyFilter.add(words, hash(1, key)));
        assertTrue(
                IntStream.range(0, KEYS).allMatch(key -> KeyFilter.mayHave(words, hash(1, key))));
        long others =
                IntStream.range(KEYS, KEYS + OTHERS)
                        .filter(key -> KeyFilter.mayHave(words, hash(1, key)))
                        .count();
        assertTrue(others < OTHERS * 3 / 100, () -> others + " of " + OTHERS);
        long ofOtherTree =
                IntStream.range(0, KEYS)
                        .filter(key -> KeyFilter.mayHave(words, hash(2, key)))
                        .count();
        assertTrue(ofOtherTree < KEYS * 3 / 100, () -> ofOtherTree + " of " + KEYS);
    }

    @Test
    void aFilterIsFullWithSixteenBitsAKey() {
        assertFalse(KeyFilter.isFull(WORDS, KEYS));
        assertTrue(KeyFilter.isFull(WORDS, KEYS + 1));
    }
}
