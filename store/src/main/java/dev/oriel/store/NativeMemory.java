package dev.oriel.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Memory beside the heap that grows with what is written. Given back when nothing refers to it any more; the
/// JVM's limit for direct memory holds for it.
final class NativeMemory {
    /// Is given the bytes of each allocation before it, so that a test can have it fail.
    static volatile @Nullable LongConsumer before;

    private NativeMemory() {}

    /// @throws OutOfMemoryError if there is none
    static MemorySegment allocate(long bytes, long alignment) {
        LongConsumer step = before;
        if (step != null) {
            step.accept(bytes);
        }
        return Arena.ofAuto().allocate(bytes, alignment);
    }
}
