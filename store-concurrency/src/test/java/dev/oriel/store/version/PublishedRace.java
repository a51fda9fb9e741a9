package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The writer changes a page that has a version and one that has none, and publishes; a reader looks
/// both up in the state that it finds, and the first once more in the state before.
@JCStressTest
@Outcome(id = "1, 10, -1, 10", expect = ACCEPTABLE, desc = "before the commit")
@Outcome(id = "2, 20, 21, 10", expect = ACCEPTABLE, desc = "after it")
@Outcome(expect = FORBIDDEN, desc = "a version that is not of the snapshot")
@State
public class PublishedRace {
    private final PageTable table = new PageTable(new FramePool());
    private final Published before;
    private volatile Published published;

    record Published(int snapshot, PageTable.View view) {}

    public PublishedRace() {
        table.add(1, 1, 10);
        before = new Published(1, table.view());
        published = before;
    }

    @Actor
    public void writer() {
        table.add(1, 2, 20);
        table.add(2, 2, 21);
        published = new Published(2, table.view());
    }

    @Actor
    public void reader(IIII_Result result) {
        Published state = published;
        result.r1 = state.snapshot;
        result.r2 = state.view.find(1, state.snapshot);
        result.r3 = state.view.find(2, state.snapshot);
        result.r4 = before.view.find(1, before.snapshot);
    }
}
