package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import dev.oriel.bench.peers.PeerRecordSubjects;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every peer must hold what it is given before it is compared with.
class PeerRecordTest {
    @TempDir private Path folder;

    static List<Arguments> subjects() {
        List<Arguments> all = new ArrayList<>();
        for (Subject subject : new PeerRecordSubjects().subjects()) {
            RecordSubject records = (RecordSubject) subject;
            for (Durability durability : records.durabilities()) {
                all.add(Arguments.of(records.name(), durability, records));
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("subjects")
    void holdsWhatWasInserted(String name, Durability durability, RecordSubject subject)
            throws IOException {
        new JdbmModel(subject, durability, folder, new SplittableRandom(4)).check();
    }
}
