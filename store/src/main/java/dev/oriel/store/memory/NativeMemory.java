package dev.oriel.store.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Off-heap memory that grows with the data written. It is freed once it is unreachable; the JVM's limit for direct
/// memory applies.
public final class NativeMemory {
    /// Gets the bytes of each allocation before it, so that a test can make it fail.
    public static volatile @Nullable LongConsumer before;

    private NativeMemory() {}

    /// Allocates memory beside the heap, full of zeros, until it is unreachable.
    ///
    /// @throws OutOfMemoryError if there is none
    public static MemorySegment allocate(long bytes, long alignment) {
        LongConsumer step = before;
        if (step != null) {
            step.accept(bytes);
        }
        return Arena.ofAuto().allocate(bytes, alignment);
    }
}
