package dev.oriel.graph.attack;

import dev.oriel.testkit.Gen;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One thread of an episode. Each step draws from a generator of its own, so the thread's program is a function of
/// the seed, independent of the results of its calls.
final class Actor implements Runnable {
    private static final int STEPS = 100_000;

    private final World world;
    private final long seed;
    private final AtomicBoolean over;
    private final SqlCalls sql;
    private final BucketCalls buckets;
    private final GraphCalls graph;
    private final OperatorCalls operators;

    /// Current call, with its step; null between calls.
    private volatile @Nullable String call;

    private volatile long calledNanos;
    private volatile int steps;

    Actor(World world, int number, long seed, AtomicBoolean over) {
        this.world = world;
        this.seed = seed;
        this.over = over;
        this.sql = new SqlCalls(world, number);
        this.buckets = new BucketCalls(world, number);
        this.graph = new GraphCalls(world, number);
        this.operators = new OperatorCalls(world, number);
    }

    @Override
    public void run() {
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int step = 0; step < STEPS && !over.get(); step++) {
            Gen gen = new Gen(new SplittableRandom(seeds.nextLong()));
            step(step, gen);
            steps = step;
        }
        call = null;
        for (AutoCloseable calls : new AutoCloseable[] {sql, graph}) {
            attempt("end", calls::close);
        }
        boolean _ = Thread.interrupted();
    }

    private void step(int step, Gen gen) {
        int face = gen.weighted(12, 8, 8, 1);
        int kind = gen.below(100);
        String name = "step " + step + " " + FACES[face] + " " + kind;
        attempt(
                name,
                () -> {
                    switch (face) {
                        case 0 -> sql.call(kind, gen);
                        case 1 -> buckets.call(kind, gen);
                        case 2 -> graph.call(kind, gen);
                        default -> operators.call(kind, gen);
                    }
                });
    }

    private static final String[] FACES = {"sql", "bucket", "graph", "operator"};

    private interface Call {
        void run() throws Exception;
    }

    private void attempt(String name, Call made) {
        calledNanos = System.nanoTime();
        call = name;
        try {
            made.run();
        } catch (Throwable thrown) { // all of them are judged
            world.findings.judge(Thread.currentThread().getName() + " " + name, thrown);
        } finally {
            call = null;
        }
    }

    /// A sentence if a call has run for longer than `nanos`, else null.
    @Nullable String hang(long nanos) {
        String now = call;
        return now != null && System.nanoTime() - calledNanos > nanos ? now + " hangs" : null;
    }

    int steps() {
        return steps;
    }
}
