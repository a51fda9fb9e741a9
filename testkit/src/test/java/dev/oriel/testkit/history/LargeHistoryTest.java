package dev.oriel.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Many operations, for the arrays and for the time they take; `-Dhistory.transactions=` for more.
final class LargeHistoryTest {
    private static final int TRANSACTIONS = Integer.getInteger("history.transactions", 100_000);
    private static final int REGISTERS = 50_000;
    private static final int LIST_LENGTH = 12;

    private final SplittableRandom random = Seed.of("LargeHistoryTest", 91);
    private final long[] registers = new long[REGISTERS];
    private final long[] list = new long[LIST_LENGTH];
    private int listLength;
    private long listKey = REGISTERS;
    private long value;

    private List<Recorder> record(int clients) {
        Arrays.fill(registers, History.NOTHING);
        List<Recorder> recorders = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            recorders.add(new Recorder());
        }
        for (int t = 0; t < TRANSACTIONS; t++) {
            Recorder recorder = recorders.get(random.nextInt(clients));
            recorder.begin(4L * t);
            int changed = random.nextInt(REGISTERS);
            int read = random.nextInt(REGISTERS);
            recorder.read(changed, registers[changed]);
            recorder.write(changed, ++value);
            registers[changed] = value;
            recorder.read(read, registers[read]);
            recorder.readList(listKey, list, listLength);
            recorder.append(listKey, ++value);
            list[listLength++] = value;
            if (listLength == LIST_LENGTH) {
                listKey++;
                listLength = 0;
            }
            recorder.end(Outcome.COMMITTED, 4L * t + 5); // into the next, and no further
        }
        return recorders;
    }

    @Test
    void manyOperationsAreChecked() {
        List<Recorder> recorders = record(8);
        long begun = System.nanoTime();
        History history = History.of(recorders);
        assertEquals(5L * TRANSACTIONS, history.operationCount());
        assertEquals(List.of(), Checker.checkStrict(history, Level.SNAPSHOT));
        long snapshot = System.nanoTime();
        assertEquals(List.of(), Checker.checkStrict(history, Level.SERIALIZABLE));
        System.out.printf(
                "%d operations: SNAPSHOT %d ms, SERIALIZABLE %d ms%n",
                history.operationCount(),
                (snapshot - begun) / 1_000_000,
                (System.nanoTime() - snapshot) / 1_000_000);
    }

    @Test
    void oneStaleReadAmongThemIsFound() {
        List<Recorder> recorders = record(3);
        Recorder last = recorders.getFirst();
        last.begin(4L * TRANSACTIONS + 10);
        last.readList(listKey, list, listLength);
        last.readList(listKey - 1, list, 0);
        last.end(Outcome.COMMITTED, 4L * TRANSACTIONS + 11);
        List<Anomaly> found = Checker.checkStrict(History.of(recorders), Level.SNAPSHOT);
        assertTrue(!found.isEmpty() && found.size() < 5, found.toString());
        assertTrue(
                found.stream()
                        .map(Anomaly::kind)
                        .collect(Collectors.toSet())
                        .contains(Kind.STALE_READ));
    }
}
