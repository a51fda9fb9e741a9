package dev.oriel.store.delta;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RetiredNodesTest {
    /// Each commit copies a node that a short reader sees until the next commit. An old reader stays.
    @Test
    void oneOldSnapshotKeepsTheNodesOfItsOwnStateAlone() {
        RetiredNodes retired = new RetiredNodes();
        int freed = 0;
        int commits = 10_000;
        for (int commit = 3; commit < commits; commit++) {
            retired.add(commit, commit - 1, commit);
            int[] free = new int[commits];
            freed += retired.sweep(new long[] {1, commit - 1}, 2, free, 0);
            int waiting = commit - 2 - freed;
            assertTrue(waiting < 200, () -> waiting + " nodes wait");
        }
    }
}
