package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two readers want the last free slot of the only bank: each gets one of its own, and both are seen.
@JCStressTest
@Outcome(
        id = {"63, 64, 7", "64, 63, 7"},
        expect = ACCEPTABLE,
        desc = "one in the first bank, one in the next")
@Outcome(expect = FORBIDDEN, desc = "a slot for two, or one that is not seen")
@State
public class SlotsRace {
    private static final int TAKEN = 63;

    private final Readers readers = new Readers();

    public SlotsRace() {
        for (int i = 0; i < TAKEN; i++) {
            readers.claim(i, 100);
        }
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = readers.claim(0, 7);
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = readers.claim(TAKEN, 8);
    }

    @Arbiter
    public void seen(III_Result result) {
        boolean all = readers.open() == TAKEN + 2;
        result.r3 = all ? (int) readers.oldest(100) : -1;
    }
}
