package dev.oriel.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// What the database must hold after commit number `n`, worked out from a seed and `n` alone: so the
/// process that writes it and the one that checks it need not tell each other anything.
///
/// Each commit adds a batch of entries whose amounts sum to zero, takes away the batch of
/// [#KEPT_BATCHES] commits ago, and now and then revises one in between. Most batches are small, a
/// few are too large for one page of the log, and some notes are too long for one page of a tree.
final class Ledger {
    static final int KEPT_BATCHES = 150;
    static final int ACCOUNTS = 50;

    /// Ids of a batch: from its commit's number times this, on.
    static final long BATCH_IDS = 4096;

    private final long seed;
    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private long commit;

    Ledger(long seed) {
        this.seed = seed;
    }

    record Entry(long id, int account, long amount, String note) {}

    /// What commit `number` does.
    ///
    /// @param removed the commit whose batch goes; 0 for none
    /// @param revised the commit whose batch gets another account and note; 0 for none
    /// @param reindexed whether both indexes are dropped and made again
    record Change(
            long number,
            List<Entry> added,
            long removed,
            long revised,
            int account,
            String note,
            boolean reindexed) {}

    /// The change that leads from commit `number - 1` to commit `number`.
    static Change change(long seed, long number) {
        SplittableRandom random = new SplittableRandom(seed + number * 0x9E3779B97F4A7C15L);
        int size = random.nextInt(60) == 0 ? 500 + random.nextInt(1500) : 2 + random.nextInt(12);
        List<Entry> added = new ArrayList<>(size);
        long sum = 0;
        for (int i = 0; i < size; i++) {
            long amount = i == size - 1 ? -sum : random.nextLong(-1_000_000, 1_000_000);
            sum += amount;
            int account = random.nextInt(ACCOUNTS);
            added.add(new Entry(number * BATCH_IDS + i, account, amount, note(random, size)));
        }
        boolean revises = number > 1 && random.nextInt(3) == 0;
        long back = random.nextLong(1, KEPT_BATCHES);
        return new Change(
                number,
                added,
                Math.max(0, number - KEPT_BATCHES),
                revises ? Math.max(0, number - back) : 0,
                random.nextInt(ACCOUNTS),
                "revised by " + number + note(random, 200),
                random.nextInt(50) == 0);
    }

    private static String note(SplittableRandom random, int batchSize) {
        boolean isLong = random.nextInt(40 + batchSize) == 0;
        int length = isLong ? 2_000 + random.nextInt(18_000) : random.nextInt(60);
        StringBuilder note = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            note.append((char) ('a' + random.nextInt(26)));
        }
        return note.toString();
    }

    /// Goes on to commit `number`.
    void advance(long number) {
        while (commit < number) {
            apply(change(seed, commit + 1));
        }
    }

    private void apply(Change change) {
        for (Entry entry : change.added) {
            entries.put(entry.id, entry);
        }
        batch(change.removed).clear();
        batch(change.revised)
                .replaceAll((id, old) -> new Entry(id, change.account, old.amount, change.note));
        commit = change.number;
    }

    private NavigableMap<Long, Entry> batch(long number) {
        return entries.subMap(number * BATCH_IDS, true, (number + 1) * BATCH_IDS, false);
    }

    long commit() {
        return commit;
    }

    /// The entries as of that commit, by id.
    NavigableMap<Long, Entry> entries() {
        return entries;
    }
}
