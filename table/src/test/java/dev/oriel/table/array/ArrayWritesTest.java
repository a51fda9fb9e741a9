package dev.oriel.table.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a transaction has made of an ARRAY index, over what others have committed meanwhile.
final class ArrayWritesTest {
    private static final int BYTES = 3;

    private final SortedArray base = with(SortedArray.EMPTY, 1);
    private final SortedArray other = with(base, 9);
    private final ArrayWrites own = with(with(ArrayWrites.on(base), 2), 3);

    private static byte[] entry(int number) {
        return new byte[] {(byte) (number >> 8), (byte) number, 7};
    }

    private static SortedArray with(SortedArray array, int number) {
        return array.with(entry(number), BYTES, BYTES - 1);
    }

    private static ArrayWrites with(ArrayWrites writes, int number) {
        return writes.with(entry(number), BYTES, BYTES - 1);
    }

    private static ArrayWrites without(ArrayWrites writes, int number) {
        return writes.without(entry(number), BYTES);
    }

    private static List<Integer> numbers(SortedArray array) {
        List<Integer> numbers = new ArrayList<>();
        for (long at = array.begin(); at < array.end(); at = array.after(at)) {
            SortedBlock block = array.block(at);
            int start = block.start((int) at);
            numbers.add((block.bytes()[start] & 0xFF) << 8 | (block.bytes()[start + 1] & 0xFF));
        }
        return numbers;
    }

    @Test
    void stepsThatWereTakenAreNotTakenAgain() {
        ArrayWrites over = own.over(other, null);
        assertEquals(List.of(1, 2, 3, 9), numbers(over.now()));
        assertSame(over.now(), own.over(other, over).now());
        ArrayWrites more = without(with(own, 4), 3);
        assertEquals(List.of(1, 2, 4, 9), numbers(more.over(other, over).now()));
        assertEquals(List.of(1, 2, 4), numbers(more.now()));
    }

    @Test
    void fromAnotherBeginningAllAreTaken() {
        ArrayWrites over = own.over(other, null);
        SortedArray third = with(other, 10);
        assertEquals(List.of(1, 2, 3, 9, 10), numbers(own.over(third, over).now()));
        ArrayWrites further = over.over(third, own);
        assertEquals(List.of(1, 2, 3, 9, 10), numbers(further.now()));
    }

    @Test
    void whatWasUndoneIsNotGoneOnFrom() {
        ArrayWrites undone = with(with(own, 4), 5).over(other, null);
        assertEquals(List.of(1, 2, 3, 9), numbers(own.over(other, undone).now()));
        assertEquals(List.of(1, 2, 3, 6, 9), numbers(with(own, 6).over(other, undone).now()));
    }
}
