package dev.oriel.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Longer copies of heap arrays, for structures that need several consistent ones: the caller makes all copies
/// before it changes anything.
final class HeapMemory {
    /// Runs before each copy, so that a test can make it fail.
    static volatile @Nullable Runnable before;

    private HeapMemory() {}

    /// @throws OutOfMemoryError if there is none
    static long[] copy(long[] array, int length) {
        step();
        return Arrays.copyOf(array, length);
    }

    /// @throws OutOfMemoryError if there is none
    static int[] copy(int[] array, int length) {
        step();
        return Arrays.copyOf(array, length);
    }

    private static void step() {
        Runnable step = before;
        if (step != null) {
            step.run();
        }
    }
}
