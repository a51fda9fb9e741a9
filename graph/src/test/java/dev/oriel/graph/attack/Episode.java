package dev.oriel.graph.attack;

import dev.oriel.Database;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.testkit.Gen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Some seconds of random calls in one setting, then a check of the database: before a close, after a reopening,
/// or after a crash.
final class Episode {
    private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(90);
    private static final long LOOK_MILLIS = 20;

    private final long seed;
    private final Gen gen;
    private final Setting setting;
    private final Ground ground;
    private final Findings findings;
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Actor> actors = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Episode(long seed, Path folder) {
        this.seed = seed;
        this.gen = new Gen(new SplittableRandom(seed));
        this.setting = Setting.draw(gen);
        this.findings = new Findings(setting.shared());
        this.ground = new Ground(setting, folder);
    }

    /// Runs the episode; returns the finding, or null.
    @Nullable String run(long millis) throws Exception {
        World world = new World(setting, ground, findings);
        start(world);
        boolean ended = await(millis);
        if (ended) {
            lookAtWhatIsLeft(world);
        }
        return findings.isEmpty() ? null : this + "\n" + findings;
    }

    private void start(World world) {
        for (int i = 0; i < setting.threads(); i++) {
            Actor actor = new Actor(world, i, gen.random().nextLong(), over);
            actors.add(actor);
            Thread.Builder builder =
                    setting.virtual() ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            threads.add(builder.name("actor-" + i).start(actor));
        }
    }

    /// False if a call hangs.
    private boolean await(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Gen interrupts = new Gen(gen.random().split());
        for (Thread thread : threads) {
            while (!thread.join(java.time.Duration.ofMillis(LOOK_MILLIS))) {
                over.set(over.get() || System.nanoTime() > end || !findings.isEmpty());
                if (setting.interrupts() && interrupts.chance(30)) {
                    threads.get(interrupts.below(threads.size())).interrupt();
                }
                for (Actor actor : actors) {
                    String hang = actor.hang(HANG_NANOS);
                    if (hang != null) {
                        findings.add(hang + stacks());
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
            text.append("\n").append(one.getKey());
            for (StackTraceElement frame : one.getValue()) {
                text.append("\n    ").append(frame);
            }
        }
        return text.toString();
    }

    private void lookAtWhatIsLeft(World world) throws Exception {
        if (setting.place() == Setting.Place.MEMORY) {
            boolean _ = closeLeft(world);
            if (!isClosed(world)) {
                look(world, world.database);
            }
            boolean _ = close(world);
            return;
        }
        if (setting.crash()) {
            ground.crash(gen);
        }
        boolean closed = close(world);
        if (setting.place() == Setting.Place.SIMULATED && !setting.crash()) {
            ground.heal();
        }
        boolean whole = closed && !setting.crash() && !setting.faults();
        if (setting.store().durability() == Durability.ASYNC && !whole) {
            forget(world);
        }
        for (int i = 0; i < 2; i++) { // recovered, and after a clean close
            try (Database reopened = ground.reopen()) {
                look(world, reopened);
            }
        }
    }

    private static void forget(World world) {
        world.rows.forEach(PrivateKeys::forget);
        world.entries.forEach(PrivateKeys::forget);
        world.vertices.forEach(PrivateKeys::forget);
        for (int i = 0; i < World.COUNTERS; i++) {
            world.counted[i].set(0);
        }
    }

    private static boolean isClosed(World world) {
        try {
            Object _ = world.database.stats();
            return false;
        } catch (DatabaseException e) {
            return true;
        }
    }

    private void look(World world, Database database) {
        try {
            Invariants.check(database, findings);
            Invariants.checkModel(world, database);
        } catch (Exception e) {
            findings.addThrown("the look at what is left", e);
        }
    }

    /// Closes all; false if anything did not close.
    private boolean close(World world) {
        boolean all = closeLeft(world);
        all &= closed(world.graph);
        all &= closed(world.database);
        return all;
    }

    /// Closes connections and transactions that threads have left open.
    private boolean closeLeft(World world) {
        boolean all = true;
        for (AutoCloseable open : world.opened) {
            all &= closed(open);
        }
        return all;
    }

    private boolean closed(AutoCloseable open) {
        try {
            open.close();
            return true;
        } catch (Exception e) {
            findings.judge("close", e);
            return false;
        }
    }

    @Override
    public String toString() {
        long steps = actors.stream().mapToLong(Actor::steps).sum();
        return "-Dattack.episode=%d, %d steps, %s".formatted(seed, steps, setting);
    }
}
