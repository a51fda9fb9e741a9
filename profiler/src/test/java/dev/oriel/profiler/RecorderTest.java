package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The recorder by itself, driven by made-up times.
class RecorderTest {
    private static final Probe A = Probe.named("t", "a");
    private static final Probe B = Probe.named("t", "b");
    private static final Probe C = Probe.named("t", "c");
    private static final Probe SHORT = Probe.named("t", "short");

    private final Recorder recorder = Session.unregistered(TreeOptions.USUAL);

    @Test
    void everyStretchOfTimeGoesToTheInnermostCall() {
        long a = recorder.enter(A, 0);
        long b = recorder.enter(B, 10);
        recorder.exit(b, false, 40);
        b = recorder.enter(B, 45);
        recorder.exit(b, false, 70);
        recorder.exit(a, false, 80);

        CallNode nodeB = new CallNode("t.b", 2, 55, 55, 25, 30, List.of());
        assertEquals(List.of(new CallNode("t.a", 1, 80, 25, 80, 80, List.of(nodeB))), tree(80));
    }

    @Test
    void timeBetweenRootCallsBelongsToNobody() {
        recorder.exit(recorder.enter(A, 100), false, 110);
        recorder.exit(recorder.enter(A, 500), false, 530);

        assertEquals(List.of(new CallNode("t.a", 2, 40, 40, 10, 30, List.of())), tree(900));
    }

    @Test
    void directRecursionIsOneNodeWhoseTotalCountsTheOutermostCall() {
        long outer = recorder.enter(A, 0);
        long middle = recorder.enter(A, 10);
        long inner = recorder.enter(A, 20);
        recorder.exit(inner, false, 30);
        recorder.exit(middle, false, 60);
        recorder.exit(outer, false, 100);

        assertEquals(List.of(new CallNode("t.a", 3, 100, 100, 10, 100, List.of())), tree(100));
    }

    @Test
    void recursionByWayOfAnotherIsAPath() {
        long a = recorder.enter(A, 0);
        long b = recorder.enter(B, 1);
        long a2 = recorder.enter(A, 3);
        recorder.exit(a2, false, 7);
        recorder.exit(b, false, 8);
        recorder.exit(a, false, 10);

        CallNode innerA = new CallNode("t.a", 1, 4, 4, 4, 4, List.of());
        CallNode nodeB = new CallNode("t.b", 1, 7, 3, 7, 7, List.of(innerA));
        assertEquals(List.of(new CallNode("t.a", 1, 10, 3, 10, 10, List.of(nodeB))), tree(10));
        assertEquals(
                List.of(
                        new MethodCost("t.a", 2, 7, 10, 4, 10),
                        new MethodCost("t.b", 1, 3, 7, 7, 7)),
                plainCosts(MethodCosts.of(tree(10), ProbeCost.NONE)));
    }

    @Test
    void anOuterExitEndsTheCallsWhoseExitsWereForgotten() {
        long a = recorder.enter(A, 0);
        recorder.enter(B, 10);
        recorder.enter(C, 20);
        recorder.exit(a, false, 30);

        assertEquals(0, recorder.depth());
        CallNode nodeC = new CallNode("t.c", 1, 10, 10, 10, 10, List.of());
        CallNode nodeB = new CallNode("t.b", 1, 20, 10, 20, 20, List.of(nodeC));
        assertEquals(List.of(new CallNode("t.a", 1, 30, 10, 30, 30, List.of(nodeB))), tree(30));
    }

    @Test
    void exitsThatComeTwiceOrFromElsewhereDoNothing() {
        long a = recorder.enter(A, 0);
        long b = recorder.enter(B, 10);
        recorder.exit(b, false, 20);
        long second = recorder.enter(B, 30);
        assertFalse(recorder.exit(b, false, 35));
        assertFalse(recorder.exit(12345, false, 36));
        recorder.exit(second, false, 40);
        assertTrue(recorder.exit(a, false, 50));
        assertFalse(recorder.exit(a, false, 60));

        CallNode nodeB = new CallNode("t.b", 2, 20, 20, 10, 10, List.of());
        assertEquals(List.of(new CallNode("t.a", 1, 50, 30, 50, 50, List.of(nodeB))), tree(90));
    }

    @Test
    void openCallsCountUpToTheEnd() {
        recorder.enter(A, 0);
        recorder.enter(B, 10);

        CallNode nodeB = new CallNode("t.b", 1, 90, 90, 0, 0, List.of());
        assertEquals(List.of(new CallNode("t.a", 1, 100, 10, 0, 0, List.of(nodeB))), tree(100));
    }

    @Test
    void stackOfTenThousandCallsIsOnePathCutAtTheGreatestDepth() {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            tokens.add(recorder.enter(i % 2 == 0 ? A : B, i));
        }
        assertEquals(10_000, recorder.depth());
        for (int i = 9_999; i >= 0; i--) {
            recorder.exit(tokens.get(i), false, 20_000 - i);
        }

        assertEquals(0, recorder.depth());
        CallNode node = tree(20_000).getFirst();
        assertEquals(20_000, node.totalNanos());
        assertEquals(10_000, calls(node));
        assertEquals(20_000, self(node));
        int levels = 1;
        while (!node.children().isEmpty()) {
            node = node.children().getFirst();
            levels++;
        }
        assertEquals(513, levels);
        assertEquals("(other)", node.name());
        assertEquals(10_000 - 512, node.calls());
    }

    @Test
    void pathsPastTheGreatestNumberOfNodesAreCountedTogether() {
        Recorder small = Session.unregistered(TreeOptions.USUAL.withBounds(100, 3));
        long a = small.enter(A, 0);
        for (int i = 0; i < 20; i++) {
            small.exit(small.enter(Probe.named("p", "m" + i), 10L * i), false, 10L * i + 5);
        }
        small.exit(a, false, 200);

        TreeMerge merge = new TreeMerge();
        merge.add(small, 200);
        CallNode root = merge.nodes().getFirst();
        assertEquals(List.of("(other)", "p.m0", "p.m1"), names(root.children()));
        assertEquals(18, root.children().getFirst().calls());
        assertEquals(200, self(root));
    }

    @Test
    void manyChildrenAreEachFoundAgain() {
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            probes.add(Probe.named("p", "m" + i));
        }
        long now = 0;
        for (int round = 0; round < 3; round++) {
            for (Probe probe : probes) {
                recorder.exit(recorder.enter(probe, now), false, now + 1);
                now += 2;
            }
        }
        List<CallNode> roots = tree(now);
        assertEquals(1_000, roots.size());
        for (CallNode root : roots) {
            assertEquals(3, root.calls());
            assertEquals(3, root.totalNanos());
        }
    }

    @Test
    void randomCallsAgreeWithSumsOverAllCalls() {
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? 7 : Long.parseLong(given);
        System.out.println("RecorderTest -Dseed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Probe> probes = List.of(A, B, C);
        List<Long> open = new ArrayList<>();
        long now = 0;
        long entries = 0;
        long covered = 0;
        for (int i = 0; i < 20_000; i++) {
            int step = random.nextInt(5);
            now += step;
            covered += open.isEmpty() ? 0 : step;
            boolean enter = open.isEmpty() || (open.size() < 40 && random.nextInt(2) == 0);
            if (enter) {
                open.add(recorder.enter(probes.get(random.nextInt(3)), now));
                entries++;
            } else {
                int to =
                        open.size()
                                - 1
                                - (random.nextInt(20) == 0 ? random.nextInt(open.size()) : 0);
                recorder.exit(open.get(to), false, now);
                open.subList(to, open.size()).clear();
            }
            assertEquals(open.size(), recorder.depth());
        }
        long total = 0;
        long calls = 0;
        long self = 0;
        for (CallNode root : tree(now)) {
            total += root.totalNanos();
            calls += calls(root);
            self += self(root);
        }
        assertEquals(covered, total);
        assertEquals(covered, self);
        assertEquals(entries, calls);
    }

    @Test
    void exceptionsAndRecursionAreCounted() {
        long outer = recorder.enter(A, 0);
        long inner = recorder.enter(A, 10);
        recorder.exit(inner, true, 20);
        recorder.exit(outer, false, 30);

        CallDetail detail = whole(30).getFirst().detail();
        assertEquals(1, detail.errors());
        assertEquals(1, detail.recursiveCalls());
        assertEquals(0, detail.untimedCalls());
        assertEquals(2, detail.latencies().count());
    }

    @Test
    void recursionIsExpandedWhereItIsAskedFor() {
        Recorder expanding = Session.unregistered(TreeOptions.USUAL.withExpandRecursion(true));
        long outer = expanding.enter(A, 0);
        long inner = expanding.enter(A, 10);
        expanding.exit(inner, false, 20);
        expanding.exit(outer, false, 30);

        TreeMerge merge = new TreeMerge();
        merge.add(expanding, 30);
        CallNode node = plain(merge.nodes()).getFirst();
        CallNode level = new CallNode("t.a", 1, 10, 10, 10, 10, List.of());
        assertEquals(new CallNode("t.a", 1, 30, 20, 30, 30, List.of(level)), node);
    }

    @Test
    void forgottenExitsAreToldOf() {
        long a = recorder.enter(A, 0);
        recorder.enter(B, 10);
        recorder.enter(C, 20);
        recorder.exit(a, false, 30);
        assertEquals(2, recorder.forgotten());
    }

    @Test
    void callsThatAreTooManyAndTooShortAreCountedFromThenOn() {
        long entered = recorder.enter(A, 0);
        long now = 0;
        int calls = 1 << 18;
        for (int i = 0; i < calls; i++) {
            now += 50;
            long token = i < 1 << 17 ? recorder.enter(B, now) : recorder.enter(B);
            now += 50;
            if (i < 1 << 17) {
                recorder.exit(token, false, now);
            } else {
                recorder.exit(token, false);
            }
        }
        recorder.exit(entered, false, now);

        CallNode root = whole(now).getFirst();
        CallNode counted = root.children().getFirst();
        assertEquals(calls, counted.calls());
        assertEquals(calls / 2, counted.detail().untimedCalls());
        assertEquals(calls / 2, counted.timedCalls());
        assertEquals(50L * calls / 2, counted.selfNanos());
        assertEquals(now, root.totalNanos());
    }

    @Test
    void countedCallsKeepTheirChildrenAndTheirErrors() {
        long entered = recorder.enter(A, 0);
        long now = 0;
        for (int i = 0; i < 1 << 17; i++) {
            now += 100;
            long b = recorder.enter(B, now);
            if (i == 0) {
                recorder.exit(recorder.enter(C, now), false, now);
            }
            recorder.exit(b, false, now + 50);
        }
        long start = System.nanoTime();
        recorder.exit(entered, false, now);
        long again = recorder.enter(A, start);
        long counted = recorder.enter(B);
        long child = recorder.enter(C, start + 100);
        recorder.exit(child, false, start + 400);
        assertFalse(recorder.exit(counted, true));
        recorder.exit(again, false, start + 1_000);

        CallNode b = whole(start + 1_000).getFirst().children().getFirst();
        assertEquals("t.b", b.name());
        assertEquals(1, b.detail().untimedCalls());
        assertEquals(1, b.detail().errors());
        assertEquals(300, b.children().getFirst().totalNanos());
        assertEquals(0, recorder.depth());
    }

    @Test
    void errorsOfCountedLeavesAreCountedToo() {
        recorder.enter(A, 0);
        long now = 0;
        for (int i = 0; i < 1 << 17; i++) {
            now += 100;
            recorder.exit(recorder.enter(B, now), false, now + 50);
        }
        assertEquals(Probe.COUNTED, recorder.enter(B));
        assertFalse(recorder.exit(Probe.COUNTED, true));

        CallDetail b = whole(now).getFirst().children().getFirst().detail();
        assertEquals(1, b.untimedCalls());
        assertEquals(1, b.errors());
        assertEquals(1, recorder.depth());
    }

    @Test
    void growthTellsConstantNumbersFromThoseThatGrow() {
        long now = 0;
        for (int i = 0; i < 400; i++) {
            long a = recorder.enter(A, now++);
            for (int j = 0; j < i; j++) {
                recorder.exit(recorder.enter(B, now++), false, now++);
            }
            for (int j = 0; j < 50; j++) {
                recorder.exit(recorder.enter(C, now++), false, now++);
            }
            recorder.exit(a, false, now++);
        }
        for (CallNode child : whole(now).getFirst().children()) {
            double growth = child.detail().growth();
            assertEquals(child.name().equals("t.b") ? 2 : 1, growth, 0.1, child.name());
        }
    }

    @Test
    void allocationGoesToTheCallThatAllocates() {
        Recorder measuring = Session.unregistered(TreeOptions.USUAL.withAllocation(true));
        measuring.begin(System.nanoTime(), Thread.currentThread());
        long a = measuring.enter(A);
        long b = measuring.enter(B);
        kept = new byte[1 << 20];
        measuring.exit(b, false);
        kept = new byte[1 << 16];
        measuring.exit(a, false);

        TreeMerge merge = new TreeMerge();
        merge.add(measuring, System.nanoTime());
        CallNode outer = merge.nodes().getFirst();
        CallNode inner = outer.children().getFirst();
        assertEquals(1 << 20, (double) inner.detail().allocatedBytes(), 4_096);
        assertEquals(1 << 16, (double) outer.detail().allocatedBytes(), 4_096);
        assertEquals((1 << 20) + (1 << 16), (double) outer.totalAllocatedBytes(), 8_192);
    }

    /// Also of calls that are counted without a time, so that their caller is not blamed.
    @Test
    void allocationOfCountedCallsIsTheirs() {
        Recorder measuring = Session.unregistered(TreeOptions.USUAL.withAllocation(true));
        measuring.begin(System.nanoTime(), Thread.currentThread());
        long a = measuring.enter(A, 0);
        for (int i = 0; i < 1 << 17; i++) {
            measuring.exit(measuring.enter(B, 10L * i), false, 10L * i + 5);
        }
        for (int i = 0; i < 100; i++) {
            long b = measuring.enter(B);
            kept = new byte[1_000_000];
            measuring.exit(b, i == 7);
        }
        kept = new byte[2_000_000];
        measuring.exit(a, false);

        TreeMerge merge = new TreeMerge();
        merge.add(measuring, System.nanoTime());
        CallNode outer = merge.nodes().getFirst();
        CallNode inner = outer.children().getFirst();
        assertEquals(100, inner.detail().untimedCalls());
        assertEquals(1, inner.detail().errors());
        assertEquals(100_000_000, (double) inner.detail().allocatedBytes(), 1_000_000);
        assertEquals(2_000_000, (double) outer.detail().allocatedBytes(), 1_000_000);
    }

    /// A call computes and another sleeps; what is too short to ask for is its caller's.
    @Test
    void processorTimeGoesToTheCallThatUsesIt() throws InterruptedException {
        Recorder measuring = Session.unregistered(TreeOptions.USUAL.withCpu(true));
        measuring.begin(System.nanoTime(), Thread.currentThread());
        long a = measuring.enter(A);
        long b = measuring.enter(B);
        long used = burn(50_000_000);
        measuring.exit(b, false);
        long c = measuring.enter(C);
        Thread.sleep(50);
        measuring.exit(c, false);
        long before = ThreadCpu.currentNanos();
        for (int i = 0; i < 1_000; i++) {
            measuring.exit(measuring.enter(SHORT), false);
        }
        long rest = ThreadCpu.currentNanos() - before;
        measuring.exit(a, false);

        TreeMerge merge = new TreeMerge();
        merge.add(measuring, System.nanoTime());
        CallNode outer = merge.nodes().getFirst();
        CallDetail computing = detail(outer, "t.b");
        assertEquals(1, computing.cpuCalls());
        assertTrue(computing.cpuNanos() >= used, computing::toString);
        assertTrue(computing.cpuNanos() < used + 40_000_000, computing::toString);
        CallDetail sleeping = detail(outer, "t.c");
        assertEquals(1, sleeping.cpuCalls());
        assertTrue(sleeping.cpuNanos() < 40_000_000, sleeping::toString);
        CallDetail quick = detail(outer, "t.short");
        assertTrue(quick.cpuCalls() < 1_000, quick::toString);
        assertTrue(outer.detail().cpuNanos() + quick.cpuNanos() >= rest / 2, outer::toString);
    }

    @Test
    void forgottenExitsAndRecursionKeepProcessorTimeTogether() {
        Recorder measuring = Session.unregistered(TreeOptions.USUAL.withCpu(true));
        measuring.begin(System.nanoTime(), Thread.currentThread());
        long a = measuring.enter(A);
        measuring.enter(B);
        measuring.enter(B);
        long used = burn(5_000_000);
        measuring.exit(a, false);

        TreeMerge merge = new TreeMerge();
        merge.add(measuring, System.nanoTime());
        CallNode outer = merge.nodes().getFirst();
        assertEquals(1, outer.detail().cpuCalls());
        CallDetail inner = detail(outer, "t.b");
        assertEquals(2, inner.cpuCalls());
        assertTrue(inner.cpuNanos() >= used, inner::toString);
    }

    private static CallDetail detail(CallNode caller, String name) {
        return caller.children().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow()
                .detail();
    }

    /// Computes until the thread has had the processor for that long; how long it had it.
    private static long burn(long nanos) {
        long before = ThreadCpu.currentNanos();
        long now = before;
        while (now - before < nanos) {
            for (int i = 0; i < 1_000; i++) {
                kept = i % 500 == 0 ? new byte[8] : kept;
            }
            now = ThreadCpu.currentNanos();
        }
        return now - before;
    }

    /// So that the JVM has to make what was made.
    static volatile byte[] kept = {};

    private List<CallNode> whole(long now) {
        TreeMerge merge = new TreeMerge();
        merge.add(recorder, now);
        return merge.nodes();
    }

    private List<CallNode> tree(long now) {
        TreeMerge merge = new TreeMerge();
        merge.add(recorder, now);
        return plain(merge.nodes());
    }

    /// The nodes with their times alone.
    private static List<CallNode> plain(List<CallNode> nodes) {
        return nodes.stream()
                .map(node ->
                        new CallNode(
                                node.name(),
                                node.calls(),
                                node.totalNanos(),
                                node.selfNanos(),
                                node.minNanos(),
                                node.maxNanos(),
                                plain(node.children())))
                .toList();
    }

    private static List<MethodCost> plainCosts(List<MethodCost> costs) {
        return costs.stream()
                .map(cost ->
                        new MethodCost(
                                cost.name(),
                                cost.calls(),
                                cost.selfNanos(),
                                cost.totalNanos(),
                                cost.minNanos(),
                                cost.maxNanos()))
                .toList();
    }

    private static List<String> names(List<CallNode> nodes) {
        return nodes.stream().map(CallNode::name).sorted().toList();
    }

    static long calls(CallNode node) {
        return node.calls() + node.children().stream().mapToLong(RecorderTest::calls).sum();
    }

    static long self(CallNode node) {
        return node.selfNanos() + node.children().stream().mapToLong(RecorderTest::self).sum();
    }
}
