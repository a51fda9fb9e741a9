package dev.oriel.sql.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Rows that are present, by number and by place, against a list of them.
class NonNullBitmapTest {
    private final SplittableRandom random = Seed.of("NonNullBitmapTest", 20_261_123);
    private final QueryMemory memory = new QueryMemory(QueryMemory.UNBOUNDED);
    private final NonNullBitmap rows = new NonNullBitmap(memory.share());

    /// Adds `count` rows, of which about one in `oneIn` is present, and checks all answers after some of them.
    private void fillAndCheck(int count, int oneIn) {
        List<Integer> present = new ArrayList<>();
        int checked = random.nextInt(1, 100);
        for (int i = 0; i < count; i++) {
            boolean isPresent = random.nextInt(oneIn) == 0;
            rows.add(isPresent);
            if (isPresent) {
                present.add(i);
            }
            if (i % checked == 0 || i == count - 1) {
                check(present, i + 1);
            }
        }
    }

    private void check(List<Integer> present, int known) {
        assertEquals(known, rows.known());
        assertEquals(present.size(), rows.count());
        int before = 0;
        for (int i = 0; i <= known; i++) {
            assertEquals(before, rows.before(i));
            if (before < present.size() && present.get(before) == i) {
                assertEquals(i, rows.row(before));
                before++;
            }
        }
    }

    @Test
    void rowsAreFoundByNumberAndByPlace() {
        for (int count : new int[] {1, 63, 64, 65, 128, 700, 0, 3, 257}) {
            for (int oneIn : new int[] {1, 2, 100, Integer.MAX_VALUE}) {
                fillAndCheck(count, oneIn);
                rows.clear();
                assertEquals(0, memory.used());
            }
        }
    }

    @Test
    void aRowTakesTwoBits() {
        for (int i = 0; i < 1 << 20; i++) {
            rows.add(false);
        }
        assertEquals(12L << 14, memory.used());
    }
}
