package dev.oriel.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Longer copies of arrays on the heap, where several stand side by side or somebody relies on one: whoever
/// needs them has all of them before anything is changed.
final class HeapMemory {
    /// Runs before each copy, so that a test can have it fail.
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
