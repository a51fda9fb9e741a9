package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Whole profiles, on the real clock and real threads.
class ProfileTest {
    private static final Probe OUTER = Probe.of(ProfileTest.class, "outer");
    private static final Probe INNER = Probe.of(ProfileTest.class, "inner");
    private static final Probe FAILING = Probe.of(ProfileTest.class, "failing");

    @Test
    void nothingIsRecordedWhileNoProfileRuns() {
        assertEquals(0, OUTER.enter());
        OUTER.exit(0);
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        assertEquals(List.of(), profile.stop().roots());
    }

    @Test
    void secondProfileIsRefusedWhileTheFirstRuns() {
        try (Profile first = Profile.start(ProfileOptions.exactOnly())) {
            IllegalStateException refused =
                    assertThrows(
                            IllegalStateException.class,
                            () -> Profile.start(ProfileOptions.exactOnly()));
            assertTrue(refused.toString().contains("stop it before"), refused.toString());
            assertSame(first.stop(), first.stop());
        }
        Profile.start(ProfileOptions.exactOnly()).close();
    }

    @Test
    void exceptionsAreNormalExits() {
        ProfileResult result =
                profiled(() -> assertThrows(IllegalStateException.class, () -> outer(true)));

        CallNode outer = result.roots().getFirst();
        assertEquals(1, outer.calls());
        assertEquals(
                List.of("failing", "inner"),
                outer.children().stream().map(CallNode::method).sorted().toList());
        assertEquals(0, result.openCalls());
        assertSumsAgree(result);
    }

    @Test
    void profileThatStartsOrStopsInBetweenDoesNoHarm() {
        long before = OUTER.enter();
        Profile first = Profile.start(ProfileOptions.exactOnly());
        long during = INNER.enter();
        ProfileResult result = first.stop();
        Profile second = Profile.start(ProfileOptions.exactOnly());
        outer(false);
        INNER.exit(during);
        OUTER.exit(before);
        outer(false);
        ProfileResult next = second.stop();

        assertEquals(1, result.openCalls());
        assertEquals(List.of("inner"), result.roots().stream().map(CallNode::method).toList());
        assertEquals(0, next.openCalls());
        assertEquals(List.of("outer"), next.roots().stream().map(CallNode::method).toList());
        assertEquals(2, next.roots().getFirst().calls());
        assertSumsAgree(next);
    }

    @Test
    void callsOfAllThreadsAreAddedUp() throws Exception {
        try (ExecutorService platform = Executors.newFixedThreadPool(4)) {
            assertCallsOf(platform, 8, 1_000);
        }
    }

    @Test
    void platformThreadsThatEndGiveTheirRecordersToOthers() throws Exception {
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        for (int i = 0; i < 300; i++) {
            Thread thread = new Thread(() -> outer(false));
            thread.start();
            thread.join();
        }
        ProfileResult result = profile.stop();
        assertEquals(300, result.roots().getFirst().calls());
        assertSumsAgree(result);
    }

    @Test
    void manyShortVirtualThreadsAreAddedUp() throws Exception {
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            assertCallsOf(virtual, 20_000, 1);
        }
    }

    /// Many more threads than the table has places by which a thread finds its recorder.
    @Test
    void threadsThatShareAPlaceInTheTableKeepTheirOwnRecorders() throws Exception {
        int threads = 3_000;
        CountDownLatch open = new CountDownLatch(threads);
        CountDownLatch goOn = new CountDownLatch(1);
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                virtual.execute(() -> {
                    long entered = OUTER.enter();
                    open.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    for (int call = 0; call < 10; call++) {
                        INNER.exit(INNER.enter());
                    }
                    OUTER.exit(entered);
                });
            }
            open.await();
            goOn.countDown();
        }
        ProfileResult result = profile.stop();

        assertEquals(1, result.roots().size());
        CallNode outer = result.roots().getFirst();
        assertEquals(threads, outer.calls());
        assertEquals(1, outer.children().size());
        assertEquals(10L * threads, outer.children().getFirst().calls());
        assertEquals(0, result.openCalls());
        assertEquals(List.of(), result.notes());
        assertSumsAgree(result);
    }

    @Test
    void virtualThreadsThatWaitInsideACallKeepTheirOwnPaths() throws Exception {
        int threads = 500;
        CountDownLatch inside = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                Probe probe = i % 2 == 0 ? OUTER : INNER;
                virtual.execute(() -> {
                    long entered = probe.enter();
                    inside.countDown();
                    awaitQuietly(go);
                    failing(false);
                    probe.exit(entered);
                });
            }
            inside.await();
            go.countDown();
        }
        ProfileResult result = profile.stop();
        assertEquals(2, result.roots().size());
        for (CallNode root : result.roots()) {
            assertEquals(threads / 2, root.calls());
            assertEquals(threads / 2, root.children().getFirst().calls());
        }
        assertSumsAgree(result);
    }

    @Test
    void stoppingWhileThreadsRunLeavesSumsThatAgree() throws Exception {
        for (int round = 0; round < 20; round++) {
            Profile profile = Profile.start(ProfileOptions.exactOnly());
            CountDownLatch started = new CountDownLatch(2);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Thread thread =
                        new Thread(() -> {
                            for (int n = 0; n < 20_000; n++) {
                                outer(false);
                                if (n == 1_000) {
                                    started.countDown();
                                }
                            }
                        });
                thread.start();
                threads.add(thread);
            }
            started.await();
            ProfileResult result = profile.stop();
            for (Thread thread : threads) {
                thread.join();
            }
            assertSumsAgree(result);
            assertTrue(result.roots().getFirst().calls() >= 2_000);
        }
    }

    @Test
    void stackOfTenThousandRecursiveCallsIsRecorded() throws Exception {
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        Thread thread = new Thread(null, () -> recurse(10_000), "deep", 64 << 20);
        thread.start();
        thread.join();
        ProfileResult result = profile.stop();
        assertEquals(10_000, result.calls());
        assertEquals(1, result.roots().size());
        assertSumsAgree(result);
    }

    @Test
    void overflowOfTheStackIsSurvived() {
        ProfileResult result =
                profiled(() -> {
                    assertThrows(StackOverflowError.class, () -> recurse(Integer.MAX_VALUE));
                    long inner = INNER.enter();
                    INNER.exit(inner);
                });
        assertEquals(0, result.openCalls());
        assertEquals(
                List.of("inner", "outer"),
                result.roots().stream().map(CallNode::method).sorted().toList());
        assertSumsAgree(result);
    }

    @Test
    void whatIsCalledTooOftenIsNamedInTheNotes() {
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        profile.operations(7);
        long outer = OUTER.enter();
        for (int i = 0; i < 3_000_000; i++) {
            INNER.exit(INNER.enter());
        }
        OUTER.exit(outer);
        ProfileResult result = profile.stop();
        CallNode inner = result.roots().getFirst().children().getFirst();
        assertEquals(3_000_000, inner.calls());
        assertEquals(7, result.totals().operations());
        assertSumsAgree(result);
        // On a machine that is slow or busy, a probe takes longer than what is tuned away.
        if (inner.detail().untimedCalls() > 0) {
            String note = result.notes().getFirst();
            assertTrue(note.contains(inner.name()) && note.contains("counted only"), note);
        } else {
            assertTrue(result.probePairNanos() + inner.meanNanos() > 100, inner.toString());
        }
    }

    @Test
    void costOfRecordingIsTakenOffInAColumnOfItsOwn() {
        CallNode child = new CallNode("t.b", 10, 1_000, 1_000, 100, 100, List.of());
        CallNode node = new CallNode("t.a", 1, 3_000, 2_000, 3_000, 3_000, List.of(child));
        ProbeCost cost = new ProbeCost(20, 30);
        assertEquals(2_000 - 20 - 10 * 30, node.netNanos(cost));
        assertEquals(1_000 - 10 * 20, child.netNanos(cost));
        assertEquals(0, child.netNanos(new ProbeCost(200, 0)));
    }

    @Test
    void callsAsShortAsTheProbeAreMarked() {
        ProfileResult result =
                new ProfileResult(Instant.EPOCH, 0, 50, 0, List.of(), List.of(), List.of());
        assertTrue(result.tooShort(1, 149));
        assertFalse(result.tooShort(1, 150));
        assertTrue(Profile.start(ProfileOptions.exactOnly()).stop().probePairNanos() > 0);
    }

    private static void assertCallsOf(ExecutorService executor, int tasks, int rounds)
            throws InterruptedException, ExecutionException {
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            futures.add(
                    executor.submit(() -> {
                        for (int n = 0; n < rounds; n++) {
                            outer(false);
                        }
                    }));
        }
        for (Future<?> future : futures) {
            future.get();
        }
        ProfileResult result = profile.stop();
        CallNode outer = result.roots().getFirst();
        assertEquals((long) tasks * rounds, outer.calls());
        assertEquals(3L * tasks * rounds, result.calls());
        assertEquals(0, result.openCalls());
        assertSumsAgree(result);
    }

    private static ProfileResult profiled(Runnable action) {
        Profile profile = Profile.start(ProfileOptions.exactOnly());
        try {
            action.run();
        } finally {
            profile.stop();
        }
        return profile.stop();
    }

    private static void assertSumsAgree(ProfileResult result) {
        long self = 0;
        for (CallNode root : result.roots()) {
            self += checked(root);
        }
        assertEquals(result.totalNanos(), self);
        assertEquals(self, result.methods().stream().mapToLong(MethodCost::selfNanos).sum());
        assertEquals(self, result.inverted().stream().mapToLong(CallNode::totalNanos).sum());
    }

    private static long checked(CallNode node) {
        assertTrue(node.selfNanos() >= 0, node.name());
        assertTrue(node.minNanos() <= node.maxNanos(), node.name());
        long sum = node.selfNanos();
        for (CallNode child : node.children()) {
            sum += checked(child);
        }
        assertEquals(node.totalNanos(), sum, node.name());
        return sum;
    }

    private static void outer(boolean fails) {
        long entered = OUTER.enter();
        try {
            long inner = INNER.enter();
            INNER.exit(inner);
            failing(fails);
        } finally {
            OUTER.exit(entered);
        }
    }

    private static void failing(boolean fails) {
        long entered = FAILING.enter();
        try {
            if (fails) {
                throw new IllegalStateException("meant");
            }
        } finally {
            FAILING.exit(entered);
        }
    }

    private static void recurse(int times) {
        long entered = OUTER.enter();
        try {
            if (times > 1) {
                recurse(times - 1);
            }
        } finally {
            OUTER.exit(entered);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
