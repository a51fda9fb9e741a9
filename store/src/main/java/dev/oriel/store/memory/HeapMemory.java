package dev.oriel.store.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Longer copies of heap arrays, for structures that need several consistent ones: the caller makes all copies
/// before it changes anything.
public final class HeapMemory {
    /// Runs before each copy, so that a test can make it fail.
    public static volatile @Nullable Runnable before;

    private HeapMemory() {}

    /// Copies the beginning of `array` into a new one of `length` elements.
    ///
    /// @throws OutOfMemoryError if there is no memory
    public static long[] copy(long[] array, int length) {
        step();
        return Arrays.copyOf(array, length);
    }

    /// Copies the beginning of `array` into a new one of `length` elements.
    ///
    /// @throws OutOfMemoryError if there is no memory
    public static int[] copy(int[] array, int length) {
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
