package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Entries are copied to larger arrays while a reader uses the ones before: what is added afterwards
/// must not show in the heads that it looks at.
@JCStressTest
@Outcome(id = "2, 207, 207", expect = ACCEPTABLE, desc = "before the commit")
@Outcome(id = "3, 307, 207", expect = ACCEPTABLE, desc = "after it")
@Outcome(expect = FORBIDDEN, desc = "a version that is not of the snapshot")
@State
public class GrownRace {
    /// Two versions of each nearly fill the arrays of entries.
    private static final int PAGES = 30;

    private final PageTable table = new PageTable(new FramePool());
    private final PublishedRace.Published before;
    private volatile PublishedRace.Published published;

    public GrownRace() {
        for (int txid = 1; txid <= 2; txid++) {
            for (int page = 0; page < PAGES; page++) {
                table.add(page, txid, 100 * txid + page);
            }
        }
        before = new PublishedRace.Published(2, table.view());
        published = before;
    }

    @Actor
    public void writer() {
        for (int page = 0; page < 10; page++) {
            table.add(page, 3, 300 + page);
        }
        published = new PublishedRace.Published(3, table.view());
    }

    @Actor
    public void reader(III_Result result) {
        PublishedRace.Published state = published;
        result.r1 = state.snapshot();
        result.r2 = state.view().find(7, state.snapshot());
        result.r3 = before.view().find(7, before.snapshot());
    }
}
