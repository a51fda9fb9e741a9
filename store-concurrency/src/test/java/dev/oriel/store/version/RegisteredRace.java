package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A reader registers while a state is published and the oldest snapshot is looked for: the oldest is
/// never beyond the reader (the first of the races in docs/mvcc.md). Another reader has the first slot, so that this
/// one takes a slot which nobody has had before, and has to say so.
@JCStressTest
@Outcome(
        id = {"1, 1", "2, 2"},
        expect = ACCEPTABLE,
        desc = "the oldest is the reader's")
@Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "its slot was still being set")
@Outcome(expect = FORBIDDEN, desc = "the reader was passed over")
@State
public class RegisteredRace {
    private final Readers readers = new Readers();
    private volatile int published = 1;

    public RegisteredRace() {
        int _ = readers.claim(0, Integer.MAX_VALUE);
    }

    @Actor
    public void reader(II_Result result) {
        int newest = published;
        int slot = readers.claim(0, newest);
        int snapshot;
        do {
            snapshot = newest;
            readers.set(slot, snapshot);
            newest = published;
        } while (newest != snapshot);
        result.r1 = snapshot;
    }

    @Actor
    public void checkpoint(II_Result result) {
        published = 2;
        int newest = published;
        result.r2 = (int) readers.oldest(newest);
    }
}
