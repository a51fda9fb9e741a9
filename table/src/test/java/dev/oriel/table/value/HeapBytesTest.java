package dev.oriel.table.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Slice;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class HeapBytesTest {
    private static final int LENGTHS = 200;

    @Test
    void bytesOfEveryLengthComeAsTheyAre() {
        byte[] bytes = new byte[LENGTHS + 3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 37 + 11);
        }
        Slice slice = Slice.copyOf(bytes);
        for (int length = 0; length <= LENGTHS; length++) {
            byte[] copied = new byte[length + 1];
            copied[length] = 5;
            HeapBytes.copy(slice.segment(), 3, copied, length);
            byte[] expected = Arrays.copyOf(Arrays.copyOfRange(bytes, 3, 3 + length), length + 1);
            expected[length] = 5; // nothing behind them is written
            assertArrayEquals(expected, copied, "length " + length);
        }
    }

    @Test
    void textsOfEveryLengthReadBackWhereverTheirOnlyOtherCharacterStands() {
        for (String other : new String[] {"", "\0", "\u007f", "\u00e9", "\u20ac", "\ud83d\ude00"}) {
            for (int length = 0; length < LENGTHS; length++) {
                for (int at = 0; at <= length; at += Math.max(1, length / 16)) {
                    String text = "x".repeat(at) + other + "y".repeat(length - at);
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    Slice slice = Slice.copyOf(bytes);
                    String read = HeapBytes.text(slice.segment(), 0, new byte[512], bytes.length);
                    assertEquals(text, read);
                }
            }
        }
    }

    @Test
    void bytesThatAreNoTextAreReadAsTheJdkReadsThem() {
        for (int length = 1; length < LENGTHS; length++) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) 'a');
            bytes[length / 2] = (byte) 0xFF;
            Slice slice = Slice.copyOf(bytes);
            assertEquals(
                    new String(bytes, StandardCharsets.UTF_8),
                    HeapBytes.text(slice.segment(), 0, new byte[length], length));
        }
    }
}
