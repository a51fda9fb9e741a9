package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// What is left out so that recording stays within its share, by made-up times.
class ProbeBudgetTest {
    private static final long CALL_NANOS = 50;
    private static final int LOOK_EVERY = 1 << 14;
    private static final long MEASURING_NANOS = 10_000_000;
    private static final Probe OUTER = Probe.named("t", "outer");
    private static final Probe INNER = Probe.named("t", "inner");

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
        AtomicLong clock = new AtomicLong();
        Recorder recorder = recorder(new ProbeBudget(0.2, CALL_NANOS), clock);
        for (int i = 0; i < 100_000; i++) {
            long a = recorder.enter(OUTER, clock.get());
            for (int j = 0; j < 4; j++) {
                long token = recorder.enter(INNER, clock.addAndGet(10));
                long now = clock.addAndGet(10);
                if (token == Probe.COUNTED) {
                    recorder.exit(token, false);
                } else {
                    recorder.exit(token, false, now);
                }
            }
            recorder.exit(a, false, clock.addAndGet(1_000));
        }
        long now = clock.get();
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

    /// It falls on no call: neither on the one that is entered then nor on those that are open.
    @Test
    void timeOfMeasuringAgainIsIdle() {
        AtomicLong clock = new AtomicLong();
        LongSupplier measuring =
                () -> {
                    clock.addAndGet(MEASURING_NANOS);
                    return CALL_NANOS;
                };
        Recorder recorder = recorder(new ProbeBudget(0.2, 100 * CALL_NANOS, measuring), clock);
        long a = recorder.enter(OUTER, clock.get());
        for (int i = 0; i < LOOK_EVERY; i++) {
            long token = recorder.enter(INNER, clock.get());
            recorder.exit(token, false, clock.addAndGet(1_000));
        }
        recorder.exit(a, false, clock.get());
        assertEquals(LOOK_EVERY * 1_000L + MEASURING_NANOS, clock.get());
        assertEquals(MEASURING_NANOS, recorder.idleNanos());
        TreeMerge merge = new TreeMerge();
        merge.add(recorder, clock.get());
        CallNode outer = merge.nodes().getFirst();
        CallNode inner = outer.children().getFirst();
        assertEquals(LOOK_EVERY * 1_000L, outer.totalNanos());
        assertEquals(LOOK_EVERY * 1_000L, outer.maxNanos());
        assertEquals(LOOK_EVERY * 1_000L, inner.totalNanos());
        assertEquals(1_000, inner.maxNanos());
        assertEquals(0, inner.detail().untimedCalls());
    }

    /// The outer calls of a recursion are long, and its own time is short.
    @Test
    void callsOfARecursionAreCountedByTheirOwnTime() {
        TreeNode recursive = called("fold", 16_384, 10_000);
        recursive.selfNanos = 16_384 * 60L;
        begun().look(root, 1, LOOK_EVERY, LOOK_EVERY * 70L);
        assertTrue(recursive.counted);
    }

    @Test
    void methodsAreLeftOutIfCountingThemCostsTooMuch() {
        TreeNode hot = called("hot", 0, 0);
        TreeNode warm = called("warm", 0, 0);
        hot.countOnly();
        warm.countOnly();
        hot.calls = 120_000;
        warm.calls = 11_072;
        Session session = Session.unregistered(TreeOptions.USUAL).session;
        ProbeBudget budget = new ProbeBudget(0.2, CALL_NANOS).leaving(20, session::leaveOut);
        budget.begin(1, 0);
        int counted = ProbeBudget.COUNTED_LOOK_EVERY;
        assertEquals(counted, budget.lookCounted(root, 2, counted, 1 + 20_000_000));
        assertEquals(Set.of(), session.left()); // 2.6 ms of 20
        hot.calls += 120_000;
        warm.calls += 11_072;
        assertEquals(4_000_000, budget.lookCounted(root, 1_000_000, counted, 1 + 22_000_000));
        assertEquals(List.of("t.hot"), budget.leftOut()); // 2.6 ms of 2
        Probe probe = session.left().iterator().next();
        assertEquals(hot.probe, probe);
        assertTrue(probe.leftOut);
        assertEquals(0, probe.enter());
        session.bringBack();
        assertFalse(probe.leftOut);
        session.leaveOut(probe); // by a thread that was late
        assertFalse(probe.leftOut);
    }

    /// Without methods to leave out there is nothing to look for, and the budget without a bound is shared.
    @Test
    void countedCallsAreNotCheckedIfNoneIsLeftOut() {
        ProbeBudget budget = new ProbeBudget(0.2, CALL_NANOS);
        assertEquals(Integer.MAX_VALUE, budget.firstCounted());
        TreeNode hot = called("hot", 0, 0);
        hot.countOnly();
        hot.calls = 1_000;
        assertEquals(Integer.MAX_VALUE, budget.lookCounted(root, 1, 1_000, 1));
        assertEquals(0, hot.lookedCounted);
        ProbeBudget.NONE.begin(1, 0);
        assertEquals(Integer.MAX_VALUE, ProbeBudget.NONE.look(root, 1, 1_000, 2));
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

    private static Recorder recorder(ProbeBudget budget, AtomicLong clock) {
        return Session.unregistered(TreeOptions.USUAL, budget, clock::get);
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
