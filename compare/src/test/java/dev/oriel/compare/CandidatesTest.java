package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.Sample.StackFrame;
import dev.oriel.profiler.SampleKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Methods that are found in made-up samples.
final class CandidatesTest {
    private static final String MAIN = "a.A.main";
    private static final String VISIT = "a.A.visit a.A.main";

    private final Candidates candidates = new Candidates();

    @Test
    void onlyMethodsThatCanHaveAProbeAreCandidates() {
        candidates.add(
                run(
                        cpu("dev.oriel.profiler.Probe.enter a.A.serve", 10),
                        cpu("java.util.List.of a.A$$Lambda.run a.A.serve", 10)));
        assertEquals("a.A::serve", candidates.patterns());
    }

    @Test
    void programRunsUntilItsSamplesAreEnough() throws Exception {
        assertEquals(1, runs(60));
        assertEquals(1, runs(1_000));
        assertEquals(2, runs(59));
        assertEquals(2, runs(30));
        assertEquals(3, runs(29));
    }

    @Test
    void programThatHardlyComputesRunsThreeTimes() throws Exception {
        assertEquals(3, runs(1));
        assertEquals(3, runs(0));
    }

    @Test
    void numberOfSamplesIsThatOfAllRuns() throws Exception {
        assertEquals(75, candidates.add(() -> run(cpu(MAIN, 25))));
    }

    /// Other samples tell nothing about a method that computes.
    @Test
    void onlySamplesOfProcessorTimeAreCounted() throws Exception {
        Sample bytes = sample(SampleKind.ALLOCATION, MAIN, 1_000);
        assertEquals(75, candidates.add(() -> run(cpu(MAIN, 25), bytes)));
    }

    /// The first run shows none of its calls.
    @Test
    void methodIsFoundInLaterRun() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        long samples =
                candidates.add(() ->
                        runs.getAndIncrement() == 0
                                ? run(cpu(MAIN, 20))
                                : run(cpu(MAIN, 36), cpu(VISIT, 4)));
        assertEquals(60, samples);
        assertEquals("a.A::main,a.A::visit", candidates.patterns());
    }

    /// Languages other than Java allow commas in names.
    @Test
    void nameWithCommaIsOnePattern() {
        candidates.add(run(cpu("a.A.one,two a.A.main", 10)));
        assertEquals("a.A::one*two,a.A::main", candidates.patterns());
    }

    /// A read of another server is a wait that may change, whatever thread makes it; a wait for requests is none.
    @Test
    void readsOfServersAreCandidatesAndWaitsForRequestsAreNot() {
        Sample fetch = read("a.A.fetch a.A.work", "localhost:5432");
        Sample request = read("a.B.next a.B.serve", "localhost:51234");
        candidates.add(List.of(run(fetch, request).getFirst().withFact("listens", "8080")));
        assertEquals("a.A::fetch,a.A::work", candidates.patterns());
    }

    private static Sample read(String stack, String peer) {
        List<StackFrame> frames = Arrays.stream(stack.split(" ")).map(StackFrame::parse).toList();
        return new Sample(SampleKind.SOCKET_READ, 0, "worker-1", frames, 1_000_000, 1, peer);
    }

    private static int runs(int samples) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        new Candidates()
                .add(() -> {
                    runs.incrementAndGet();
                    return run(cpu(MAIN, samples));
                });
        return runs.get();
    }

    private static Sample cpu(String stack, int count) {
        return sample(SampleKind.CPU, stack, count);
    }

    private static Sample sample(SampleKind kind, String stack, int count) {
        List<StackFrame> frames = Arrays.stream(stack.split(" ")).map(StackFrame::parse).toList();
        return new Sample(kind, 0, "main", frames, count, count, "");
    }

    private static List<ProfileResult> run(Sample... samples) {
        return List.of(
                new ProfileResult(Instant.EPOCH, 1, 0, 0, List.of(), List.of(samples), List.of()));
    }
}
