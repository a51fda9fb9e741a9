package dev.oriel.bench.faces;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import java.io.IOException;
import java.util.Locale;

/// Transactions of one row, one edge and one entry, one after the other. Peers in JVMs of their own use this class
/// too, so it names no engine.
final class FacesWork {
    static final String TRANSACT = "transact/";

    private FacesWork() {}

    static String caseName(Durability durability) {
        return "faces/" + scenario(durability);
    }

    static String scenario(Durability durability) {
        return TRANSACT + durability.name().toLowerCase(Locale.ROOT);
    }

    /// Runs the scenario `name`.
    static void run(String name, FacesOpening opening, FacesPace pace, Run run) throws IOException {
        Durability durability =
                Durability.valueOf(name.substring(TRANSACT.length()).toUpperCase(Locale.ROOT));
        run.phase("opening");
        long[] next = {0};
        try (FacesStore store = opening.open(run.folder().resolve("faces"), durability)) {
            run.phase("warming up");
            pace.warmUp().repeat(() -> writes(store, next, 50));
            run.phase("measuring");
            Meter meter = Meter.start();
            long writes = 0;
            do {
                writes += writes(store, next, 20);
            } while (meter.elapsed() < pace.measured().toNanos());
            run.rate(caseName(durability), meter.stop(writes), durability, 0);
            Latencies latencies = new Latencies();
            long begin = System.nanoTime();
            long before = begin;
            while (before - begin < pace.measured().toNanos() / 2) {
                before = System.nanoTime();
                store.write(next[0]++);
                latencies.add(System.nanoTime() - before);
            }
            run.latencies(caseName(durability), latencies, durability);
            if (store.count() != 3 * next[0]) {
                throw new IllegalStateException(
                        next[0] + " writes, but of rows, edges and entries " + store.count());
            }
        }
    }

    private static long writes(FacesStore store, long[] next, int count) {
        for (int i = 0; i < count; i++) {
            store.write(next[0]++);
        }
        return count;
    }
}
