package dev.oriel.bench.voron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.Subject;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every design against sorted maps, over random histories.
class VersionMapTest {
    private static final int PAGES = 300;

    static List<VersionSubject> designs() {
        List<VersionSubject> designs = new ArrayList<>();
        for (Subject subject : new VoronSubjects().subjects()) {
            designs.add((VersionSubject) subject);
        }
        return designs;
    }

    /// What every map must know, and what it may.
    private static final class Model {
        private final Map<Long, TreeMap<Long, Long>> versions = new HashMap<>();
        private long removed;

        void set(long txid, long[] pages, long[] positions) {
            for (int i = 0; i < pages.length; i++) {
                versions.computeIfAbsent(pages[i], page -> new TreeMap<>()).put(txid, positions[i]);
            }
        }

        void check(VersionMap map, long page, long snapshot, long newest) {
            Map.Entry<Long, Long> version =
                    versions.getOrDefault(page, new TreeMap<>()).floorEntry(snapshot);
            long found = map.get(page, snapshot);
            String what = "page " + page + " at " + snapshot + ", removed " + removed;
            if (version == null) {
                assertEquals(VersionMap.MISSING, found, what);
            } else if (version.getKey() > removed) {
                assertEquals(version.getValue(), found, what);
            } else if (snapshot == newest) {
                assertEquals(VersionMap.MISSING, found, what + ": the newest must go");
            } else {
                assertTrue(found == VersionMap.MISSING || found == version.getValue(), what);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("designs")
    void aMapFindsWhatTheModelFinds(VersionSubject design) {
        SplittableRandom random = Seed.of("VersionMapTest", 20161128);
        for (int history = 0; history < 40; history++) {
            follow(design.open(Long::valueOf), random.split());
        }
    }

    private static void follow(VersionMap map, SplittableRandom random) {
        Model model = new Model();
        int range = 1 + random.nextInt(PAGES);
        int cadence = 1 + random.nextInt(20);
        long position = 0;
        for (long txid = 1; txid <= 200; txid++) {
            long[] pages = random.longs(random.nextInt(1, 40), 0, range).distinct().toArray();
            long[] positions = new long[pages.length];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = position++;
            }
            map.setItems(txid, pages, positions);
            model.set(txid, pages, positions);
            if (random.nextInt(cadence) == 0) {
                model.removed = random.nextLong(model.removed, txid + 1);
                map.removeBefore(model.removed);
            }
            for (int i = 0; i < 50; i++) {
                long page = random.nextInt(range + 5);
                model.check(map, page, txid, txid);
                model.check(map, page, random.nextLong(model.removed, txid + 1), txid);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("designs")
    void onlyTheNewDesignKeepsKeysOfWhatWasRemoved(VersionSubject design) {
        VersionMap map = design.open(Long::valueOf);
        for (long txid = 1; txid <= 50; txid++) {
            map.setItems(txid, new long[] {txid * 2, txid * 2 + 1}, new long[] {txid, txid + 1});
        }
        map.removeBefore(50);
        assertEquals(design.name().equals(VoronSubjects.NEW) ? 100 : 0, map.keys());
    }

    @ParameterizedTest
    @MethodSource("designs")
    void readersBesideTheWriterSeeTheirSnapshotAndChangeNoSum(VersionSubject design) {
        VoronShape alone = VoronShape.point(20, 500, 30, 5, 0);
        VoronShape beside = VoronShape.point(20, 500, 30, 5, 2);
        VersionMap copied = new CopiedVersions(Long::valueOf);
        long expected = new VoronWorkout(alone, 7).run(copied, 3_000).checksum();
        VoronWorkout.Outcome outcome =
                new VoronWorkout(beside, 7).run(design.open(Long::valueOf), 3_000);
        assertEquals(expected, outcome.checksum());
        assertTrue(outcome.readerLookups() > 0, "no reader has looked");
    }
}
