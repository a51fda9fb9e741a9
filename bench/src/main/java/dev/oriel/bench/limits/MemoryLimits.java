package dev.oriel.bench.limits;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/// The limits of memory and processor, one thread.
///
/// `limits/memcpy` counts each byte copied once; both sides are larger than any cache. `limits/load` is the time
/// of a load from an address that the load before it gave, over lines of 64 bytes in random order. It is measured
/// in 32 KB, and in memory that no cache holds, so that it includes the translation of the page's address.
/// `limits/crc32c` sums pages of 8 KB that lie in a cache.
final class MemoryLimits {
    private static final String COPY = "limits/memcpy";
    private static final String LOAD_CACHE = "limits/load/cache";
    private static final String LOAD_MEMORY = "limits/load/memory";
    private static final String CRC = "limits/crc32c";
    private static final String CLOCK = "limits/clock";
    static final List<String> CASES = List.of(COPY, LOAD_CACHE, LOAD_MEMORY, CRC, CLOCK);

    private static final int LINE = 64;
    private static final int PAGE = 8192;
    private static final long WARM_NANOS = 200_000_000L;

    private final Run run;
    private final long caseNanos;

    /// Takes results, so that the compiler does not remove their computation.
    private volatile long sink;

    MemoryLimits(Run run) {
        this.run = run;
        this.caseNanos = run.scale() == Scale.QUICK ? 800_000_000L : 2_000_000_000L;
    }

    void measure() {
        if (run.wants(COPY)) {
            copy();
        }
        if (run.wants(LOAD_CACHE)) {
            load(LOAD_CACHE, 32 << 10);
        }
        if (run.wants(LOAD_MEMORY)) {
            load(LOAD_MEMORY, run.scale() == Scale.QUICK ? 256L << 20 : 1L << 30);
        }
        if (run.wants(CRC)) {
            sum();
        }
        if (run.wants(CLOCK)) {
            double nanos = nanosPerStep(1 << 16, this::readClock);
            run.figure(CLOCK, "time", "ns/op", nanos, Durability.MEMORY);
        }
    }

    /// Time of a step of `batch` in nanoseconds, measured after a warm-up.
    private double nanosPerStep(long steps, LongConsumer batch) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < WARM_NANOS) {
            batch.accept(steps);
        }
        long done = 0;
        begun = System.nanoTime();
        long now;
        do {
            batch.accept(steps);
            done += steps;
            now = System.nanoTime();
        } while (now - begun < caseNanos);
        return (double) (now - begun) / done;
    }

    private void copy() {
        run.phase("copying memory");
        long bytes = 256L << 20;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(bytes, PAGE).fill((byte) 1);
            MemorySegment to = arena.allocate(bytes, PAGE);
            double nanos = nanosPerStep(bytes, steps -> MemorySegment.copy(from, 0, to, 0, steps));
            run.figure(COPY, "rate", "bytes/s", 1e9 / nanos, Durability.MEMORY);
        }
    }

    private void load(String caseName, long bytes) {
        run.phase("loading from " + bytes + " bytes");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment chain = arena.allocate(bytes, PAGE);
            link(chain, new SplittableRandom(run.seed()));
            double nanos = nanosPerStep(1 << 16, steps -> sink = follow(chain, sink, steps));
            run.figure(caseName, "time", "ns/op", nanos, Durability.MEMORY);
        }
        sink = 0;
    }

    /// Links each line to another one, so that all of them form one ring in random order: Sattolo's shuffle.
    static void link(MemorySegment chain, SplittableRandom random) {
        int lines = Math.toIntExact(chain.byteSize() / LINE);
        int[] next = new int[lines];
        for (int i = 0; i < lines; i++) {
            next[i] = i;
        }
        for (int i = lines - 1; i > 0; i--) {
            int other = random.nextInt(i);
            int line = next[i];
            next[i] = next[other];
            next[other] = line;
        }
        for (int i = 0; i < lines; i++) {
            chain.set(ValueLayout.JAVA_LONG, (long) i * LINE, (long) next[i] * LINE);
        }
    }

    /// The address `steps` lines after `at`.
    static long follow(MemorySegment chain, long at, long steps) {
        long now = at;
        for (long i = 0; i < steps; i++) {
            now = chain.get(ValueLayout.JAVA_LONG, now);
        }
        return now;
    }

    private void sum() {
        run.phase("summing bytes");
        ByteBuffer pages = ByteBuffer.allocateDirect(32 * PAGE);
        CRC32C crc = new CRC32C();
        double nanos =
                nanosPerStep(
                        pages.capacity(),
                        bytes -> {
                            for (int at = 0; at < bytes; at += PAGE) {
                                crc.reset();
                                crc.update(pages.limit(at + PAGE).position(at));
                                sink = crc.getValue();
                            }
                            pages.clear();
                        });
        run.figure(CRC, "rate", "bytes/s", 1e9 / nanos, Durability.MEMORY);
    }

    private void readClock(long steps) {
        long sum = 0;
        for (long i = 0; i < steps; i++) {
            sum += System.nanoTime();
        }
        sink = sum;
    }
}
