package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// Key words and entries are copied, the first to a larger array, while a reader uses the ones
/// before.
@JCStressTest
@Outcome(id = "1, 3, -1, 3", expect = ACCEPTABLE, desc = "before the commit")
@Outcome(id = "2, 103, 150, 3", expect = ACCEPTABLE, desc = "after it")
@Outcome(expect = FORBIDDEN, desc = "a version that is not of the snapshot")
@State
public class RehashRace {
    /// One more and the array of key words is full; that of entries has room for what follows.
    private static final int PAGES = 47;

    private final PageTable table = new PageTable(new FramePool());
    private final PublishedRace.Published before;
    private volatile PublishedRace.Published published;

    public RehashRace() {
        for (int page = 0; page < PAGES; page++) {
            table.add(page, 1, page);
        }
        before = new PublishedRace.Published(1, table.view());
        published = before;
    }

    @Actor
    public void writer() {
        for (int page = PAGES; page < PAGES + 8; page++) {
            table.add(page, 2, 100 + page);
        }
        for (int page = 0; page < 5; page++) {
            table.add(page, 2, 100 + page);
        }
        published = new PublishedRace.Published(2, table.view());
    }

    @Actor
    public void reader(IIII_Result result) {
        PublishedRace.Published state = published;
        result.r1 = state.snapshot();
        result.r2 = state.view().find(3, state.snapshot());
        result.r3 = state.view().find(50, state.snapshot());
        result.r4 = before.view().find(3, before.snapshot());
    }
}
