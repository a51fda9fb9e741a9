package dev.oriel.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SumsTest {
    private static final int LENGTH_MAX = 70;
    private static final int OFFSET_MAX = 9;

    private final byte[] bytes = new byte[LENGTH_MAX + OFFSET_MAX];
    private final MemorySegment segment = Arena.ofAuto().allocate(bytes.length);

    SumsTest() {
        new SplittableRandom(7).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    @Test
    void allFormsOfTheSameBytesHaveTheSameSum() {
        for (int offset = 0; offset <= OFFSET_MAX; offset++) {
            for (int length = 0; length <= LENGTH_MAX; length++) {
                long sum = Sums.of(bytes, offset, length);
                ByteBuffer buffer =
                        ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
                ByteBuffer direct =
                        segment.asSlice(offset, length)
                                .asByteBuffer()
                                .order(ByteOrder.LITTLE_ENDIAN);
                assertEquals(sum, Sums.of(segment, offset, length));
                assertEquals(sum, Sums.of(buffer));
                assertEquals(sum, Sums.of(direct));
                assertEquals(offset, buffer.position());
            }
        }
    }

    @Test
    void everyByteCounts() {
        for (int length = 1; length <= LENGTH_MAX; length++) {
            long sum = Sums.of(bytes, 0, length);
            for (int i = 0; i < length; i++) {
                byte before = bytes[i];
                bytes[i] ^= 1;
                assertNotEquals(sum, Sums.of(bytes, 0, length));
                bytes[i] = before;
            }
        }
    }
}
