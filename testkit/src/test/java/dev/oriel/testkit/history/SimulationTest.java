package dev.oriel.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly.Kind;
import dev.oriel.testkit.history.Simulation.Client;
import dev.oriel.testkit.history.Simulation.Mode;
import dev.oriel.testkit.history.Simulation.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random histories of databases that are right, which must be found right; and the same with one
/// thing changed, which must be found.
final class SimulationTest {
    private static final int ROUNDS = 40;
    private static final int TRANSACTIONS = 300;

    private static List<Client> run(SplittableRandom random, Mode mode) {
        return new Simulation(random, mode, 8).run(TRANSACTIONS);
    }

    private static Set<Kind> kinds(List<Anomaly> anomalies) {
        return anomalies.stream().map(Anomaly::kind).collect(Collectors.toSet());
    }

    @Test
    void serialDatabaseIsStrictlySerializable() {
        SplittableRandom random = Seed.of("SimulationTest", 81);
        for (int i = 0; i < ROUNDS; i++) {
            History history = Simulation.history(run(random, Mode.SERIAL));
            assertEquals(List.of(), Checker.checkStrict(history, Level.SERIALIZABLE));
        }
    }

    @Test
    void snapshotDatabaseShowsWriteSkewAndNothingElse() {
        SplittableRandom random = Seed.of("SimulationTest", 82);
        int skews = 0;
        for (int i = 0; i < ROUNDS; i++) {
            History history = Simulation.history(run(random, Mode.SNAPSHOT));
            assertEquals(List.of(), Checker.checkStrict(history, Level.SNAPSHOT));
            Set<Kind> found = kinds(Checker.check(history, Level.SERIALIZABLE));
            assertTrue(Set.of(Kind.WRITE_SKEW).containsAll(found), found.toString());
            skews += found.size();
        }
        assertTrue(skews > ROUNDS / 2, "write skew in " + skews + " histories");
    }

    @Test
    void readCommittedDatabaseIsThatAndHasNoSnapshots() {
        SplittableRandom random = Seed.of("SimulationTest", 83);
        Set<Kind> found = EnumSet.noneOf(Kind.class);
        for (int i = 0; i < ROUNDS; i++) {
            History history = Simulation.history(run(random, Mode.READ_COMMITTED));
            assertEquals(List.of(), Checker.checkStrict(history, Level.READ_COMMITTED));
            Set<Kind> here = kinds(Checker.check(history, Level.SNAPSHOT));
            assertFalse(here.isEmpty());
            found.addAll(here);
        }
        Set<Kind> usual = Set.of(Kind.NON_REPEATABLE_READ, Kind.LOST_UPDATE, Kind.READ_SKEW);
        assertTrue(found.containsAll(usual), found.toString());
        assertFalse(found.contains(Kind.WRITE_SKEW));
    }

    /// Changes a history; false where it has no place for that.
    @FunctionalInterface
    private interface Mutation {
        boolean apply(List<Client> clients, SplittableRandom random);
    }

    /// That one of `kinds` is found in every history that was changed.
    private static void assertFound(long seed, Level level, Set<Kind> kinds, Mutation mutation) {
        SplittableRandom random = Seed.of("SimulationTest", seed);
        int mutated = 0;
        for (int i = 0; i < ROUNDS; i++) {
            List<Client> clients = run(random, Mode.SERIAL);
            if (mutation.apply(clients, random)) {
                mutated++;
                List<Anomaly> found = Checker.checkStrict(Simulation.history(clients), level);
                assertFalse(Collections.disjoint(kinds, kinds(found)), found.toString());
            }
        }
        assertTrue(mutated > ROUNDS / 2, "only " + mutated + " mutated");
    }

    /// Reads by committed transactions of what others wrote, in a random order.
    private static List<Map.Entry<Client, Op>> reads(
            List<Client> clients, SplittableRandom random) {
        List<Map.Entry<Client, Op>> reads = new ArrayList<>();
        for (Client client : clients) {
            for (Op op : client.ops) {
                if (client.isCommitted()
                        && !op.write
                        && !op.values.isEmpty()
                        && !client.wroteBefore(op)) {
                    reads.add(random.nextInt(reads.size() + 1), Map.entry(client, op));
                }
            }
        }
        return reads;
    }

    private static Map<Long, Client> writers(List<Client> clients) {
        Map<Long, Client> writers = new HashMap<>();
        for (Client client : clients) {
            for (Op op : client.ops) {
                if (op.write) {
                    writers.put(op.values.getFirst(), client);
                }
            }
        }
        return writers;
    }

    @Test
    void writerThatIsSaidToHaveAbortedIsFound() {
        assertFound(
                84,
                Level.READ_COMMITTED,
                Set.of(Kind.ABORTED_READ),
                (clients, random) -> {
                    Map<Long, Client> writers = writers(clients);
                    for (Map.Entry<Client, Op> read : reads(clients, random)) {
                        Client writer = writers.get(read.getValue().values.getLast());
                        if (writer != null && writer != read.getKey()) {
                            writer.outcome = Outcome.ABORTED;
                            return true;
                        }
                    }
                    return false;
                });
    }

    @Test
    void elementsThatChangePlacesAreFound() {
        assertFound(
                85,
                Level.READ_COMMITTED,
                Set.of(Kind.INCOMPATIBLE_READS),
                (clients, random) -> {
                    List<Map.Entry<Client, Op>> reads = reads(clients, random);
                    for (Map.Entry<Client, Op> read : reads) {
                        Op op = read.getValue();
                        if (op.isList()
                                && op.values.size() > 1
                                && reads.stream()
                                        .map(Map.Entry::getValue)
                                        .anyMatch(other ->
                                                other != op
                                                        && other.key == op.key
                                                        && other.values.size()
                                                                >= op.values.size())) {
                            List<Long> swapped = new ArrayList<>(op.values);
                            int at = random.nextInt(swapped.size() - 1);
                            swapped.set(at, op.values.get(at + 1));
                            swapped.set(at + 1, op.values.get(at));
                            op.values = swapped;
                            return true;
                        }
                    }
                    return false;
                });
    }

    @Test
    void updateOfAnOlderVersionIsFound() {
        assertFound(
                86,
                Level.SNAPSHOT,
                Set.of(Kind.LOST_UPDATE),
                (clients, random) -> {
                    Map<Long, Client> writers = writers(clients);
                    for (Map.Entry<Client, Op> read : reads(clients, random)) {
                        Op op = read.getValue();
                        Client client = read.getKey();
                        Client before = writers.get(op.values.getFirst());
                        if (op.isList() || before == null || !before.isCommitted()) {
                            continue;
                        }
                        List<Long> older = readBeforeWriting(before, op.key);
                        if (older != null && readBeforeWriting(client, op.key) != null) {
                            client.ops.stream()
                                    .filter(o -> o.key == op.key && !o.write)
                                    .filter(o -> !client.wroteBefore(o))
                                    .forEach(o -> o.values = older);
                            return true;
                        }
                    }
                    return false;
                });
    }

    /// What a transaction read from a register that it wrote afterwards, else null.
    private static @Nullable List<Long> readBeforeWriting(Client client, long key) {
        List<Op> ops = client.ops.stream().filter(op -> op.key == key).toList();
        boolean writes = ops.stream().anyMatch(op -> op.write);
        return !writes || ops.getFirst().write ? null : ops.getFirst().values;
    }

    @Test
    void appendThatIsLostIsFound() {
        assertFound(
                87,
                Level.SNAPSHOT,
                Set.of(Kind.STALE_READ, Kind.READ_SKEW, Kind.LOST_UPDATE, Kind.DIRTY_WRITE),
                (clients, random) -> {
                    Map<Long, Client> writers = writers(clients);
                    for (Map.Entry<Client, Op> read : reads(clients, random)) {
                        Op op = read.getValue();
                        Long lost = op.values.getLast();
                        Client writer = writers.get(lost);
                        if (op.isList()
                                && writer != null
                                && writer.isCommitted()
                                && writer != read.getKey()
                                && writesOnce(writer, op.key)) {
                            for (Client client : clients) {
                                client.ops.stream()
                                        .filter(o -> !o.write && o.key == op.key)
                                        .forEach(o -> o.values = without(o.values, lost));
                            }
                            return true;
                        }
                    }
                    return false;
                });
    }

    private static boolean writesOnce(Client client, long key) {
        return client.ops.stream().filter(op -> op.write && op.key == key).count() == 1;
    }

    private static List<Long> without(List<Long> values, Long lost) {
        return values.stream().filter(value -> !value.equals(lost)).toList();
    }

    @Test
    void snapshotThatIsTakenInTwoPiecesIsFound() {
        SplittableRandom random = Seed.of("SimulationTest", 88);
        int mutated = 0;
        for (int i = 0; i < ROUNDS; i++) {
            List<Client> clients = run(random, Mode.SNAPSHOT);
            if (forget(clients, random)) {
                mutated++;
                List<Anomaly> found = Checker.check(Simulation.history(clients), Level.SNAPSHOT);
                assertFalse(found.isEmpty());
            }
        }
        assertTrue(mutated > ROUNDS / 2, "only " + mutated + " mutated");
    }

    /// Has a transaction read one list without the last element, whose writer's writes it sees
    /// elsewhere.
    private static boolean forget(List<Client> clients, SplittableRandom random) {
        Map<Long, Client> writers = writers(clients);
        for (Map.Entry<Client, Op> read : reads(clients, random)) {
            Op op = read.getValue();
            Client reader = read.getKey();
            Client writer = writers.get(op.values.getLast());
            boolean seenElsewhere =
                    reader.ops.stream()
                            .filter(o -> !o.write && o.key != op.key && !o.values.isEmpty())
                            .anyMatch(o -> writers.get(o.values.getLast()) == writer);
            if (op.isList()
                    && writer != null
                    && writer != reader
                    && seenElsewhere
                    && writesOnce(writer, op.key)) {
                op.values = without(op.values, op.values.getLast());
                return true;
            }
        }
        return false;
    }
}
