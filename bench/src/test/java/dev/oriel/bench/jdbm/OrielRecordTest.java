package dev.oriel.bench.jdbm;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.oriel.bench.Durability;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrielRecordTest {
    private static final List<RecordSubject> SUBJECTS =
            List.of(OrielRecordSubject.ofTree(), OrielRecordSubject.ofRecords());
    private static final int RECORDS = 3_000;
    private static final int WARM_UP_GETS = 100_000;
    private static final int GETS = 20_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"ASYNC", "WRITTEN", "SYNC"})
    void holdsWhatWasInserted(Durability durability) throws IOException {
        for (RecordSubject subject : SUBJECTS) {
            Path own = Files.createDirectory(folder.resolve(subject.name()));
            new JdbmModel(subject, durability, own, Seed.of("OrielRecordTest", 4)).check();
        }
    }

    @Test
    void getsAllocateNothing() throws IOException {
        for (RecordSubject subject : SUBJECTS) {
            getsAllocateNothing(subject, Files.createDirectory(folder.resolve(subject.name())));
        }
    }

    private static void getsAllocateNothing(RecordSubject subject, Path folder) throws IOException {
        JdbmData data = new JdbmData(!subject.takesAnyId(), 150, 3);
        try (RecordStore store = subject.open(folder, Durability.WRITTEN, RECORDS);
                RecordStore.Session session = store.session()) {
            byte[] value = data.newValue();
            session.begin();
            for (int i = 0; i < RECORDS; i++) {
                data.fill(data.id(i), value);
                session.insert(data.id(i), value);
            }
            session.commit();
            session.beginRead();
            long sum = get(session, data, WARM_UP_GETS);
            long least = Long.MAX_VALUE;
            long end =
                    System.nanoTime() + PATIENCE_NANOS; // the JVM's compiler comes when it has time
            while (least >= GETS / 8 && System.nanoTime() < end) {
                long before = allocated();
                sum += get(session, data, GETS);
                least = Math.min(least, allocated() - before);
            }
            session.endRead();
            long bytes = least;
            assertNotEquals(0, sum);
            assertTrue(bytes < GETS / 8, () -> GETS + " gets allocated " + bytes + " bytes");
        }
    }

    private static long get(RecordStore.Session session, JdbmData data, int gets) {
        long sum = 0;
        for (int i = 0; i < gets; i++) {
            sum += session.get(data.id(i % RECORDS));
        }
        return sum;
    }

    private static long allocated() {
        return ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                .getCurrentThreadAllocatedBytes();
    }
}
