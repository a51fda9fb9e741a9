package dev.oriel.store.version;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// All together: a reader registers, finds its version and reads its frame, while the writer commits,
/// frees what no snapshot needs, and writes over the frames that have become free.
@JCStressTest
@Outcome(
        id = {"2, 2", "3, 3", "4, 4"},
        expect = ACCEPTABLE,
        desc = "what its snapshot holds")
@Outcome(expect = FORBIDDEN, desc = "a frame was used again under the reader")
@State
public class FrameUsedAgainRace {
    private static final int FRAMES = 4;

    private final FramePool scratch = new FramePool();
    private final PageTable table = new PageTable(scratch);
    private final Readers readers = new Readers();
    private final int[] frames = new int[FRAMES];
    private volatile PublishedRace.Published published;

    public FrameUsedAgainRace() {
        for (int frame = 0; frame < FRAMES; frame++) {
            scratch.free(frame); // so that it allots no memory
        }
        write(1);
        write(2);
        published = new PublishedRace.Published(2, table.view());
    }

    private void write(int txid) {
        int frame = scratch.allocate();
        frames[frame] = txid;
        table.add(1, txid, frame);
    }

    @Actor
    public void writer() {
        for (int txid = 3; txid <= 4; txid++) {
            long[] snapshots = readers.snapshots(published.snapshot());
            table.reclaim(snapshots, readers.snapshotCount());
            write(txid);
            published = new PublishedRace.Published(txid, table.view());
        }
    }

    @Actor
    @SuppressWarnings("ReferenceEquality") // the very state that is published, as in the code
    public void reader(II_Result result) {
        PublishedRace.Published newest = published;
        int slot = readers.claim(0, newest.snapshot());
        PublishedRace.Published state;
        do {
            state = newest;
            readers.set(slot, state.snapshot());
            newest = published;
        } while (newest != state);
        int frame = state.view().find(1, state.snapshot());
        result.r1 = state.snapshot();
        result.r2 = frame == PageTable.NONE ? -1 : frames[frame];
        readers.release(slot);
    }
}
