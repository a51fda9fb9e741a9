package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is left out so that recording stays within its share, by made-up times.
class ProbeBudgetTest {
    private static final long CALL_NANOS = 50;
    private static final int LOOK_EVERY = 1 << 14;

    private final TreeNode root = new TreeNode(null, 0);

    /// No node is called a million times a second, but all of them together are.
    @Test
    void manyNodesTogetherAreTooMuch() {
        List<TreeNode> nodes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            nodes.add(called("m" + i, 160, 210));
        }
        ProbeBudget budget = begun();
        long busy = 100 * 160 * 210;
        budget.look(root, 100, LOOK_EVERY, busy);
        long left = nodes.stream().filter(node -> !node.counted).count();
        // 819,200 ns of recording, of which 672,000 may stay: 19 nodes give more than the rest.
        assertEquals(81, left);
        assertEquals(19, budget.counted().size());
    }

    @Test
    void hottestAndShortestGoFirstAndLongCallsStay() {
        TreeNode hot = called("hot", 12_000, 60);
        TreeNode warm = called("warm", 4_000, 60);
        TreeNode lengthy = called("long", 400, 100_000);
        ProbeBudget budget = begun();
        budget.look(root, 3, LOOK_EVERY, 2_000_000);
        assertTrue(hot.counted);
        assertFalse(warm.counted);
        assertFalse(lengthy.counted);
        assertEquals(List.of("t.hot"), budget.counted());
    }

    @Test
    void nothingIsLeftOutWithinTheBudget() {
        TreeNode hot = called("hot", 16_384, 60);
        ProbeBudget budget = begun();
        assertEquals(LOOK_EVERY, budget.look(root, 1, LOOK_EVERY, 5_000_000));
        assertFalse(hot.counted);
        assertEquals(4 * 100_000, budget.look(root, 100_000, LOOK_EVERY, 10_000_000));
    }

    /// Between root calls the thread was not busy with calls.
    @Test
    void timeBetweenRootCallsDoesNotCount() {
        TreeNode hot = called("hot", 16_384, 60);
        ProbeBudget budget = begun();
        root.selfNanos = 4_000_000;
        budget.look(root, 1, LOOK_EVERY, 5_000_000);
        assertTrue(hot.counted);
    }

    @Test
    void recorderKeepsToIt() {
        Recorder recorder =
                Session.unregistered(TreeOptions.USUAL, new ProbeBudget(0.2, CALL_NANOS));
        Probe outer = Probe.named("t", "outer");
        Probe inner = Probe.named("t", "inner");
        long now = 0;
        for (int i = 0; i < 100_000; i++) {
            long a = recorder.enter(outer, now);
            for (int j = 0; j < 4; j++) {
                long token = recorder.enter(inner, now + 10);
                now += 20;
                if (token == Probe.COUNTED) {
                    recorder.exit(token, false);
                } else {
                    recorder.exit(token, false, now);
                }
            }
            now += 1_000;
            recorder.exit(a, false, now);
        }
        TreeMerge merge = new TreeMerge();
        merge.add(recorder, now);
        CallNode root = merge.nodes().getFirst();
        CallNode called = root.children().getFirst();
        assertEquals(400_000, called.calls());
        assertTrue(called.detail().untimedCalls() > 380_000, called::toString);
        assertEquals(List.of("t.inner"), recorder.leftUntimed());
        assertEquals(now, root.totalNanos());
    }

    /// At the start the recorder was interpreted, and recording seemed to cost a hundred times as much.
    @Test
    void costIsMeasuredAgainBeforeCallsAreOnlyCounted() {
        TreeNode longer = called("longer", 16_384, 20_000);
        ProbeBudget budget = new ProbeBudget(0.2, 100 * CALL_NANOS, () -> CALL_NANOS);
        budget.begin(0, 0);
        budget.look(root, 1, LOOK_EVERY, LOOK_EVERY * 20_000L);
        assertFalse(longer.counted);
    }

    /// The loop that makes the calls has not ended, so it seems to take no time.
    @Test
    void callThatHasNotEndedIsTimed() {
        TreeNode loop = called("loop", 1, 0);
        TreeNode hot = called("hot", 16_384, 60);
        begun().look(root, 2, LOOK_EVERY, LOOK_EVERY * 70L);
        assertTrue(hot.counted);
        assertFalse(loop.counted);
    }

    private static ProbeBudget begun() {
        ProbeBudget budget = new ProbeBudget(0.2, CALL_NANOS);
        budget.begin(0, 0);
        return budget;
    }

    private TreeNode called(String name, long calls, long nanos) {
        TreeNode node = root.add(Probe.named("t", name));
        node.calls = calls;
        node.endedNanos = calls * nanos;
        return node;
    }
}
