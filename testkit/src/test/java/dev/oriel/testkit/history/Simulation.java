package dev.oriel.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// A database in a few maps, and clients who work on it by turns: it shows what a database of each
/// kind does, and leaves a history that can be changed before it is checked. Even keys are lists, odd
/// ones registers.
final class Simulation {
    /// How the simulated database keeps transactions apart.
    enum Mode {
        /// One after the other.
        SERIAL,
        /// Each reads its snapshot; the first to commit a key wins.
        SNAPSHOT,
        /// Each read is of what is committed by then; who writes a key that another has written must end.
        READ_COMMITTED
    }

    /// One operation; `values` is what was read, or the one value that was written.
    static final class Op {
        final boolean write;
        final long key;
        List<Long> values;

        Op(boolean write, long key, List<Long> values) {
            this.write = write;
            this.key = key;
            this.values = values;
        }

        boolean isList() {
            return key % 2 == 0;
        }
    }

    /// One transaction.
    static final class Client {
        final List<Op> ops = new ArrayList<>();
        final Map<Long, List<Long>> own = new HashMap<>();
        long begin;
        long end;
        long snapshot;
        Outcome outcome = Outcome.ABORTED;

        boolean isCommitted() {
            return outcome == Outcome.COMMITTED;
        }

        /// Whether it wrote the key before the operation.
        boolean wroteBefore(Op op) {
            return ops.subList(0, ops.indexOf(op)).stream()
                    .anyMatch(before -> before.write && before.key == op.key);
        }
    }

    private record Version(long commit, List<Long> values) {}

    private final SplittableRandom random;
    private final Mode mode;
    private final int keysAtATime;
    private final Map<Long, List<Version>> store = new HashMap<>();
    private final Map<Long, Client> writers = new HashMap<>();
    private final Map<Long, Integer> writes = new HashMap<>();
    private final List<Client> ended = new ArrayList<>();
    private long time;
    private long commits;
    private long lastValue;
    private long firstKey;

    Simulation(SplittableRandom random, Mode mode, int keysAtATime) {
        this.random = random;
        this.mode = mode;
        this.keysAtATime = keysAtATime;
    }

    /// Runs so many transactions and returns them in the order of their ends.
    List<Client> run(int transactions) {
        int clients = mode == Mode.SERIAL ? 1 : 6;
        List<Client> open = new ArrayList<>();
        while (ended.size() < transactions) {
            if (open.size() < clients) {
                open.add(begin());
                continue;
            }
            Client client = open.get(random.nextInt(open.size()));
            boolean goesOn = random.nextInt(5) > 0 && step(client);
            if (!goesOn) {
                end(client);
                open.remove(client);
            }
        }
        return ended;
    }

    static History history(List<Client> clients) {
        Recorder recorder = new Recorder();
        for (Client client : clients) {
            recorder.begin(client.begin);
            for (Op op : client.ops) {
                long[] values = op.values.stream().mapToLong(v -> v).toArray();
                if (op.isList()) {
                    if (op.write) {
                        recorder.append(op.key, values[0]);
                    } else {
                        recorder.readList(op.key, values, values.length);
                    }
                } else if (op.write) {
                    recorder.write(op.key, values[0]);
                } else {
                    recorder.read(op.key, values.length == 0 ? History.NOTHING : values[0]);
                }
            }
            recorder.end(client.outcome, client.end);
        }
        return History.of(List.of(recorder));
    }

    private Client begin() {
        Client client = new Client();
        client.begin = ++time;
        client.snapshot = commits;
        return client;
    }

    /// False where the transaction has to end without its writes.
    private boolean step(Client client) {
        long key = firstKey + random.nextInt(keysAtATime);
        boolean list = key % 2 == 0;
        boolean write = random.nextBoolean();
        // Registers tell their order by what was read before; a few do not.
        if (!write || (!list && random.nextInt(20) > 0)) {
            client.ops.add(new Op(false, key, read(client, key)));
        }
        return !write || write(client, key, list);
    }

    private List<Long> read(Client client, long key) {
        List<Long> own = client.own.getOrDefault(key, List.of());
        if (key % 2 == 1 && !own.isEmpty()) {
            return List.copyOf(own);
        }
        long until = mode == Mode.SNAPSHOT ? client.snapshot : commits;
        List<Long> values = new ArrayList<>();
        for (Version version : store.getOrDefault(key, List.of()).reversed()) {
            if (version.commit() <= until) {
                values.addAll(version.values());
                break;
            }
        }
        values.addAll(own);
        return values;
    }

    private boolean write(Client client, long key, boolean list) {
        Client writer = writers.putIfAbsent(key, client);
        if (mode == Mode.READ_COMMITTED && writer != null && writer != client) {
            client.outcome = Outcome.ABORTED;
            client.snapshot = Long.MIN_VALUE; // gives up
            return false;
        }
        long value = ++lastValue;
        client.ops.add(new Op(true, key, List.of(value)));
        List<Long> own = client.own.computeIfAbsent(key, k -> new ArrayList<>());
        if (!list) {
            own.clear();
        }
        own.add(value);
        if (writes.merge(key, 1, Integer::sum) > 40 && key == firstKey) {
            firstKey++; // no list gets long
        }
        return true;
    }

    private void end(Client client) {
        boolean commits = random.nextInt(15) > 0 && mayCommit(client);
        if (commits) {
            commit(client);
        }
        client.outcome = commits ? Outcome.COMMITTED : Outcome.ABORTED;
        if (random.nextInt(30) == 0) {
            client.outcome = Outcome.UNKNOWN;
        }
        client.end = ++time;
        writers.values().removeIf(writer -> writer == client);
        ended.add(client);
    }

    private boolean mayCommit(Client client) {
        if (client.snapshot == Long.MIN_VALUE) {
            return false;
        }
        Set<Long> changed = new HashSet<>();
        for (long key : client.own.keySet()) {
            List<Version> versions = store.getOrDefault(key, List.of());
            if (!versions.isEmpty() && versions.getLast().commit() > client.snapshot) {
                changed.add(key);
            }
        }
        return mode != Mode.SNAPSHOT || changed.isEmpty();
    }

    private void commit(Client client) {
        commits++;
        client.own.forEach((key, own) -> {
            List<Version> versions = store.computeIfAbsent(key, k -> new ArrayList<>());
            List<Long> values = new ArrayList<>();
            if (key % 2 == 0 && !versions.isEmpty()) {
                values.addAll(versions.getLast().values());
            }
            values.addAll(own);
            versions.add(new Version(commits, values));
        });
    }
}
