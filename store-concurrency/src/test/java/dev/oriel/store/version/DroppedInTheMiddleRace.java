package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A reader of snapshot 1 walks down a chain whose middle is dropped, and whose entries are used
/// again for other pages (invariant 4 of the table: `turn`).
@JCStressTest
@Outcome(id = "10", expect = ACCEPTABLE, desc = "the version of its snapshot")
@Outcome(expect = FORBIDDEN, desc = "it was led astray")
@State
public class DroppedInTheMiddleRace {
    private static final int NEWEST = 5;

    private final PageTable table = new PageTable(new FramePool());
    private final PageTable.View view;

    public DroppedInTheMiddleRace() {
        table.add(1, 1, 10);
        for (int txid = 2; txid <= NEWEST; txid++) {
            table.add(1, txid, 10 * txid);
        }
        view = table.view();
    }

    @Actor
    public void writer() {
        table.reclaim(new long[] {1, NEWEST}, 2);
        for (int page = 2; page < NEWEST; page++) {
            table.add(page, NEWEST + 1, 90 + page);
        }
    }

    @Actor
    public void reader(I_Result result) {
        result.r1 = view.find(1, 1);
    }
}
