package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.profiler.Probe;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Seed;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Processes are killed (`kill -9`) in a chosen call of a phase: opening with recovery, commit, checkpoint,
/// closing checkpoint, compaction, backup, restore. The process stops before, after or in the middle of the call
/// ([PausingDirectory]) and reports it; then it is killed. The next one goes on in the same folder, so that
/// recoveries of recoveries are killed too. After each kill every acknowledged commit is there, and no commit is
/// there in part. The check finds no fault, and the next opening finds the same state.
///
/// Each process reports the calls of its completed phases, from which later kill points are drawn.
/// `-Dkill.rounds=` sets the number of rounds, a kill each (`scripts/kill-test targeted` runs 1,000). `-Dseed=`
/// replays the kill points, as far as threads allow.
final class TargetedKillTest {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 12);
    private static final long MILLIS_MAX = 600_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    private final SplittableRandom random = Seed.of("TargetedKillTest", 20_261_123);
    private final Map<KillPhase, Map<String, Integer>> calls = new EnumMap<>(KillPhase.class);
    private final Map<String, Integer> kills = new TreeMap<>();
    private int missed;
    private int complete;
    private int cutOff;
    private int empty;

    /// A folder and the reports of its processes.
    private static final class Victim {
        final Path path;
        final Durability durability;

        /// Numbers of commits for each writer: acknowledged, acknowledged beyond the reach of a kill, and found
        /// by the last check.
        final long[] acknowledged = new long[KillTarget.WRITERS];

        final long[] solid = new long[KillTarget.WRITERS];
        final long[] found = new long[KillTarget.WRITERS];

        Victim(Path path, Durability durability) {
            this.path = path;
            this.durability = durability;
            Arrays.fill(found, -1);
        }
    }

    @Test
    void everyAcknowledgedCommitSurvivesAKillInEachPhase() throws Exception {
        long began = System.nanoTime();
        List<Victim> victims = new ArrayList<>();
        for (Durability durability : Durability.values()) {
            victims.add(victim(durability, 0));
        }
        for (int round = 1; round <= ROUNDS; round++) {
            KillPhase phase = phase(round);
            int chosen = random.nextInt(victims.size());
            if (phase == KillPhase.CREATION) {
                victims.set(chosen, victim(victims.get(chosen).durability, round));
            }
            Victim victim = victims.get(chosen);
            KillPoint point = point(phase);
            String at = live(victim, point);
            if (at.isEmpty()) {
                missed++;
            } else {
                kills.merge(
                        at + " " + point.way().name().toLowerCase(Locale.ROOT), 1, Integer::sum);
            }
            try {
                checkCopies(victim);
                check(victim, random.nextInt(4) != 0);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "round %d, %s, killed at %s, %s"
                                .formatted(round, victim.durability, at, point),
                        e);
            }
        }
        report((System.nanoTime() - began) / 1_000_000_000);
    }

    private Victim victim(Durability durability, int round) throws IOException {
        Path path = folder.resolve(durability + "-" + round);
        return new Victim(Files.createDirectories(path).resolve("db"), durability);
    }

    /// Returns every phase in turn; every third round is a recovery after the kills before.
    private static KillPhase phase(int round) {
        KillPhase[] phases = KillPhase.values();
        return round % 3 == 0 ? KillPhase.OPENING : phases[(round - round / 3) % phases.length];
    }

    /// Draws a kill point: a step of the phase and one of its calls, or one of the first calls of a phase not
    /// seen yet.
    private KillPoint point(KillPhase phase) {
        Map<String, Integer> steps = calls.getOrDefault(phase, Map.of());
        KillPoint.Way[] ways = KillPoint.Way.values();
        KillPoint.Way way = ways[random.nextInt(ways.length)];
        if (steps.isEmpty()) {
            return new KillPoint(phase, "*", 1 + random.nextInt(40), way);
        }
        List<String> names = List.copyOf(steps.keySet());
        String step = names.get(random.nextInt(names.size()));
        int seen = steps.getOrDefault(step, 1);
        int count = 1 + random.nextInt(seen); // the first ones more often: all runs have them
        return new KillPoint(phase, step, 1 + random.nextInt(count), way);
    }

    /// Runs one process until it is killed at the kill point. Returns the phase and step that it reports; empty
    /// if it missed them.
    private String live(Victim victim, KillPoint point) throws Exception {
        Path errors = folder.resolve("errors");
        Process process = start(victim, point, errors);
        Thread guard = Thread.ofPlatform().start(() -> endIfHanging(process));
        String at = "";
        boolean missedIt = false;
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 3);
                switch (words[0]) {
                    case "opened" -> opened(victim, number(words[1]), Long.parseLong(words[2]));
                    case "commit" ->
                            victim.acknowledged[number(words[1])] = Long.parseLong(words[2]);
                    case "solid" -> solid(victim, number(words[1]), Long.parseLong(words[2]));
                    case "calls" -> learn(words[2], number(words[1]));
                    case "missed" -> missedIt = true;
                    default -> {
                        at = line.substring(line.indexOf(' ') + 1);
                        LockSupport.parkNanos(random.nextLong(3_000_000)); // others go on meanwhile
                        process.toHandle().destroyForcibly(); // leaves the pipe with its content
                    }
                }
            }
        }
        process.waitFor();
        guard.join();
        if (at.isEmpty() && !missedIt) {
            throw new AssertionError(point + " failed or hangs: " + Files.readString(errors));
        }
        return at;
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    /// The next process finds the state that the check has found, or that it has closed itself.
    private static void opened(Victim victim, int writer, long number) {
        assertEquals(victim.solid[writer], number, () -> "writer " + writer + " of " + victim.path);
    }

    private static void solid(Victim victim, int writer, long number) {
        victim.acknowledged[writer] = Math.max(number, victim.acknowledged[writer]);
        victim.solid[writer] = Math.max(number, victim.solid[writer]);
    }

    private void learn(String phaseAndStep, int count) {
        String[] words = phaseAndStep.split(" ", 2);
        calls.computeIfAbsent(KillPhase.valueOf(words[0]), phase -> new TreeMap<>())
                .merge(words[1], count, (old, now) -> (old + now + 1) / 2);
    }

    private static void endIfHanging(Process process) {
        try {
            if (!process.waitFor(MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                new ProcessBuilder("kill", "-QUIT", "" + process.pid()).start().waitFor();
                boolean _ = process.waitFor(5, TimeUnit.SECONDS);
                process.toHandle().destroyForcibly();
            }
        } catch (InterruptedException | IOException e) {
            process.toHandle().destroyForcibly();
        }
    }

    private static Process start(Victim victim, KillPoint point, Path errors) throws IOException {
        Set<String> classPath = new LinkedHashSet<>();
        for (Class<?> type : List.of(KillTarget.class, Store.class, Directory.class, Probe.class)) {
            classPath.add(root(type));
        }
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        String.join(File.pathSeparator, classPath),
                        KillTarget.class.getName(),
                        victim.path.toString(),
                        victim.durability.name(),
                        point.phase().name(),
                        point.step(),
                        Integer.toString(point.occurrence()),
                        point.way().name())
                .redirectError(errors.toFile())
                .start();
    }

    /// Returns the root from which `type` was loaded.
    private static String root(Class<?> type) {
        String file = type.getResource(type.getSimpleName() + ".class").toString();
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String place = file.substring(0, file.length() - name.length());
        String url = place.startsWith("jar:") ? place.substring(4, place.length() - 1) : place;
        return Path.of(URI.create(url)).toString();
    }

    /// Checks the folder. After a read-only check, the next process recovers the remains of the kill.
    private void check(Victim victim, boolean readOnly) throws IOException {
        if (!Files.exists(victim.path)) {
            return;
        }
        boolean reads = readOnly && victim.found[0] >= 0;
        try (Store store = open(victim.path, reads)) {
            assertEquals(List.of(), store.check());
            for (int writer = 0; writer < KillTarget.WRITERS; writer++) {
                CountedTree tree = new CountedTree("w" + writer);
                long found = tree.count(store);
                long least = victim.solid[writer];
                long most = Math.max(victim.acknowledged[writer], victim.found[writer]) + 1;
                assertTrue(
                        found <= most && Math.max(0, found) >= least,
                        "writer %d: %d found, %d to %d expected"
                                .formatted(writer, found, least, most));
                if (found >= 0) {
                    assertEquals("", tree.difference(store, found));
                }
                victim.found[writer] = found;
                victim.acknowledged[writer] = Math.max(0, found);
                victim.solid[writer] = Math.max(0, found);
            }
        }
    }

    private static Store open(Path path, boolean readOnly) throws IOException {
        return Store.open(DiskDirectory.open(path), StoreOptions.defaults().withReadOnly(readOnly));
    }

    /// Copies are complete and consistent, or do not open.
    private void checkCopies(Victim victim) throws IOException {
        for (Path copy : list(Objects.requireNonNull(victim.path.getParent()))) {
            if (copy.equals(victim.path)) {
                continue;
            }
            if (list(copy).stream().allMatch(file -> file.endsWith("lock"))) {
                empty++;
            } else {
                checkCopy(copy, victim);
            }
            for (Path file : list(copy)) {
                Files.delete(file);
            }
            Files.delete(copy);
        }
    }

    private void checkCopy(Path copy, Victim victim) throws IOException {
        try (Store store = open(copy, true)) {
            assertEquals(List.of(), store.check());
            for (int writer = 0; writer < KillTarget.WRITERS; writer++) {
                CountedTree tree = new CountedTree("w" + writer);
                long found = tree.count(store);
                assertTrue(found <= victim.acknowledged[writer] + 1, () -> "a copy has " + found);
                assertEquals("", tree.difference(store, found));
            }
            complete++;
        } catch (UsageException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("cut off"), e::toString);
            cutOff++;
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private void report(long seconds) {
        Map<String, Integer> phases = new TreeMap<>();
        kills.forEach((at, count) -> phases.merge(at.split(" ", 2)[0], count, Integer::sum));
        kills.forEach((at, count) -> System.out.println(at + ": " + count));
        System.out.printf(
                "TargetedKillTest: %d kills at %d points, by phase %s, %d missed, copies: %d complete, %d cut off,"
                        + " %d not begun, %d s%n",
                ROUNDS - missed, kills.size(), phases, missed, complete, cutOff, empty, seconds);
        assertTrue(missed <= 1 + ROUNDS / 2, "more than half of the kill points were missed");
    }
}
