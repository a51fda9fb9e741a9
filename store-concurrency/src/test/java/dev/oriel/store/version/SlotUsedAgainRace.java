package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A reader searches past a slot whose page goes to the file, and which another page takes then
/// (invariant 7 of the table). Searches for all these pages begin at one slot.
@JCStressTest
@Outcome(id = "10, 11", expect = ACCEPTABLE, desc = "before the first page is in the file")
@Outcome(id = "-1, 11", expect = ACCEPTABLE, desc = "after that")
@Outcome(expect = FORBIDDEN, desc = "a page behind the slot was missed, or another one found")
@State
public class SlotUsedAgainRace {
    private static final long[] PAGES = alike(4);

    private final PageTable table = new PageTable(new FramePool());
    private final PageTable.View view;

    public SlotUsedAgainRace() {
        for (int i = 0; i < 3; i++) {
            table.add(PAGES[i], 1, 10 + i);
        }
        view = table.view();
    }

    /// Pages that a new table puts into one slot and those behind it.
    private static long[] alike(int count) {
        long[] found = new long[count];
        int slot = 0;
        int next = 0;
        for (long page = 1; next < count; page++) {
            PageTable table = new PageTable(new FramePool());
            table.add(page, 1, 1);
            long[] slots = table.view().slots();
            int at = 0;
            while (slots[at] == 0) {
                at++;
            }
            slot = next == 0 ? at : slot;
            if (at == slot) {
                found[next++] = page;
            }
        }
        return found;
    }

    @Actor
    public void writer() {
        table.written(PAGES[0], 1, 2);
        table.written(PAGES[2], 1, 2); // which has none behind it
        table.add(PAGES[3], 2, 20);
        table.add(PAGES[0], 2, 21);
    }

    @Actor
    public void reader(II_Result result) {
        result.r1 = view.find(PAGES[0], 1);
        result.r2 = view.find(PAGES[1], 1);
    }
}
