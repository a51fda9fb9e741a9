package dev.oriel.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/// Marks come out as ranges of whole units, for each frame separately.
final class PageMarksTest {
    private static final int UNIT = Page.BYTES / 1024;

    private static BitSet marked(PageMarks marks, int frame) {
        BitSet units = new BitSet();
        int at = marks.next(frame, 0);
        while (at < Page.BYTES) {
            int end = marks.end(frame, at);
            assertTrue(end > at && at % UNIT == 0 && end % UNIT == 0, () -> "a range to " + end);
            units.set(at / UNIT, end / UNIT);
            at = marks.next(frame, end);
        }
        return units;
    }

    @Test
    void rangesAreWhatWasMarked() {
        Gen gen = new Gen(Seed.of("PageMarksTest", 1));
        PageMarks marks = new PageMarks();
        for (int transaction = 0; transaction < 200; transaction++) {
            marks.clear();
            int[] frames = new int[1 + gen.below(100)];
            BitSet[] expected = new BitSet[frames.length];
            Arrays.setAll(expected, i -> new BitSet());
            for (int i = 0; i < frames.length; i++) {
                frames[i] = transaction * 7 + i * 3;
                marks.begin(frames[i]);
                assertTrue(marks.isWhole(frames[i]));
                marks.setNone(frames[i]);
            }
            for (int i = 0; i < 300; i++) {
                int page = gen.below(frames.length);
                int from = gen.below(Page.BYTES);
                int to = from + gen.below(gen.chance(90) ? 200 : Page.BYTES - from);
                to = Math.min(to, Page.BYTES);
                marks.add(frames[page], from, to);
                if (to > from) {
                    expected[page].set(from / UNIT, (to - 1) / UNIT + 1);
                }
            }
            for (int i = 0; i < frames.length; i++) {
                assertFalse(marks.isWhole(frames[i]));
                assertEquals(expected[i], marked(marks, frames[i]));
            }
        }
    }

    @Test
    void edgesOfAPageAreMarked() {
        PageMarks marks = new PageMarks();
        marks.begin(5);
        marks.setNone(5);
        assertEquals(Page.BYTES, marks.next(5, 0));
        marks.add(5, 0, 1);
        marks.add(5, Page.BYTES - 1, Page.BYTES);
        marks.add(5, 100, 100);
        assertEquals(UNIT, marks.end(5, 0));
        assertEquals(Page.BYTES - UNIT, marks.next(5, UNIT));
        assertEquals(Page.BYTES, marks.end(5, Page.BYTES - UNIT));
        assertEquals(Page.BYTES, marks.next(5, Page.BYTES));
        marks.setWhole(5);
        assertTrue(marks.isWhole(5));
    }
}
