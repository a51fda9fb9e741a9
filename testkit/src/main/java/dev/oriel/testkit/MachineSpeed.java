package dev.oriel.testkit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// Slowness of this machine at this moment, compared with the one on which the bounds of tests were set. A test
/// multiplies its bound of a cost by this factor before it fails. A slower processor, and one whose caches and time
/// other processes use, slow the yardstick as well; a regression does not.
///
/// The yardstick does a little of everything that a database does: it makes text, finds it in maps of some
/// megabytes, reads numbers from it, and keeps and sorts them.
public final class MachineSpeed {
    /// Nanoseconds of a round on that machine, the least of many.
    private static final double USUAL_NANOS = 8_000_000;

    private static final int ENTRIES = 20_000;

    /// Number of rounds; the first ones warm up the compiler.
    private static final int ROUNDS = 60;

    private MachineSpeed() {}

    /// Ratio of the least time of some rounds to the usual time; never below 1, so that no bound becomes tighter
    /// than it is written.
    ///
    /// @param clock nanoseconds; of the thread's processor time if the test measures that
    public static double slowness(LongSupplier clock) {
        long least = Long.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begun = clock.getAsLong();
            sum += round(new SplittableRandom(round));
            least = Math.min(least, clock.getAsLong() - begun);
        }
        if (sum == 0) {
            throw new AssertionError("the yardstick did nothing");
        }
        double slowness = Math.max(1, least / USUAL_NANOS);
        System.out.printf(
                Locale.ROOT, "yardstick: %d us a round, slowness %.2f%n", least / 1_000, slowness);
        return slowness;
    }

    private static long round(SplittableRandom random) {
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            texts.put("key " + i, Long.toString(random.nextLong(), 36));
        }
        TreeMap<Long, Integer> sorted = new TreeMap<>();
        long[] numbers = new long[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            String text = texts.getOrDefault("key " + random.nextInt(ENTRIES), "0");
            numbers[i] = Long.parseLong(text, 36);
            sorted.merge(numbers[i], 1, Integer::sum);
        }
        Arrays.sort(numbers);
        long sum = numbers[0] ^ numbers[ENTRIES - 1];
        for (Map.Entry<Long, Integer> entry : sorted.entrySet()) {
            sum = sum * 31 + entry.getKey() * entry.getValue();
        }
        return sum;
    }
}
