package dev.oriel.testkit;

import static dev.oriel.testkit.SimDirectoryTest.filled;
import static dev.oriel.testkit.SimDirectoryTest.text;
import static dev.oriel.testkit.SimDirectoryTest.utf8;
import static dev.oriel.testkit.SimDirectoryTest.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What a crash may take and what it must leave. Where the outcomes are few, all of them are
/// enumerated and compared with the set that the rules allow.
class SimCrashTest {
    private final SimDirectory directory = new SimDirectory();

    /// Something done to a folder.
    @FunctionalInterface
    interface Action {
        void run(SimDirectory directory) throws IOException;
    }

    /// Where sectors are large, what shares one with a write comes back as it was, or goes with it.
    @Test
    void largeSectorIsOldOrNewAsAWhole() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        boolean[] seen = new boolean[2];
        for (int i = 0; i < 100; i++) {
            SimDirectory directory = new SimDirectory().sectorBytes(4096);
            directory.put("a", filled(8192, 'o'));
            StorageFile file = directory.open("a");
            file.write(0, MemorySegment.ofArray(filled(512, 'n')));
            file.write(3584, MemorySegment.ofArray(filled(512, 'n')));
            byte[] left = directory.crash(random, CrashProfile.ATOMIC_SECTOR).bytes("a");
            // The state between the two writes may be there too: then the end is old.
            assertTrue(left[3584] == 'o' || left[0] == 'n', "the second write without the first");
            assertEquals('o', left[4096]);
            seen[left[3584] == 'n' ? 1 : 0] = true;
        }
        assertTrue(seen[0] && seen[1]);
    }

    @Test
    void synchronizedBytesSurviveEveryCrash() throws Exception {
        StorageFile file = directory.open("a");
        write(file, 0, "kept");
        file.sync();
        directory.sync();
        for (CrashProfile profile : CrashProfile.values()) {
            assertEquals(Set.of("kept"), outcomes(profile));
        }
    }

    @Test
    void eachUnsyncedSectorIsOldOrNewIndependently() throws Exception {
        directory.put("a", filled(3 * SimContent.SECTOR, 'o'));
        StorageFile file = directory.open("a");
        file.write(0, MemorySegment.ofArray(filled(2 * SimContent.SECTOR, 'n')));
        write(file, 2 * SimContent.SECTOR, "n");
        Set<String> firstBytes = new TreeSet<>();
        everyCrash(
                CrashProfile.ATOMIC_SECTOR,
                after -> {
                    byte[] bytes = after.bytes("a");
                    for (int sector = 0; sector < 2; sector++) {
                        byte first = bytes[sector * SimContent.SECTOR];
                        for (int i = 0; i < SimContent.SECTOR; i++) {
                            assertEquals(first, bytes[sector * SimContent.SECTOR + i]);
                        }
                    }
                    firstBytes.add("" + (char) bytes[0] + (char) bytes[512] + (char) bytes[1024]);
                });
        assertEquals(Set.of("ooo", "oon", "ono", "onn", "noo", "non", "nno", "nnn"), firstBytes);
    }

    @Test
    void aSectorWrittenTwiceMayHoldAnyOfItsContents() throws Exception {
        directory.put("a", utf8("one"));
        StorageFile file = directory.open("a");
        write(file, 0, "two");
        write(file, 0, "six");
        assertEquals(Set.of("one", "two", "six"), outcomes(CrashProfile.ATOMIC_SECTOR));
        assertEquals(Set.of("six"), outcomes(CrashProfile.PROCESS_KILL));
    }

    @Test
    void garbageIsFoundInUnsyncedSectorsAlone() throws Exception {
        directory.put("a", filled(2 * SimContent.SECTOR, 'o'));
        StorageFile file = directory.open("a");
        file.write(0, MemorySegment.ofArray(filled(SimContent.SECTOR, 'n')));
        byte[] untouched = filled(SimContent.SECTOR, 'o');
        Set<String> firstSectors = new TreeSet<>();
        everyCrash(
                CrashProfile.GARBAGE_SECTOR,
                after -> {
                    byte[] bytes = after.bytes("a");
                    assertArrayEquals(untouched, Arrays.copyOfRange(bytes, 512, 1024));
                    firstSectors.add(new String(bytes, 0, 512, SimDirectoryTest.UTF_8));
                });
        assertEquals(4, firstSectors.size(), "old, new, noise, torn");
        assertTrue(firstSectors.stream().anyMatch(text -> text.matches("n+o+")));
    }

    @Test
    void anUnsyncedSizeIsLostOrKept() throws Exception {
        directory.put("a", utf8("abc"));
        StorageFile file = directory.open("a");
        write(file, 3, "def");
        assertEquals(Set.of("abc", "abc\0\0\0", "abcdef"), outcomes(CrashProfile.ATOMIC_SECTOR));
    }

    @Test
    void anUnsyncedShrinkingIsLostOrKeptButLeavesNoClearedSectors() throws Exception {
        directory.put("a", filled(2 * SimContent.SECTOR, 'x'));
        directory.open("a").resize(SimContent.SECTOR);
        Set<Integer> sizes = new TreeSet<>();
        everyCrash(
                CrashProfile.ATOMIC_SECTOR,
                after -> {
                    byte[] bytes = after.bytes("a");
                    sizes.add(bytes.length);
                    assertArrayEquals(filled(bytes.length, 'x'), bytes);
                });
        assertEquals(Set.of(512, 1024), sizes);
    }

    @Test
    void aFileWhoseCreationWasNotSyncedMayBeGone() throws Exception {
        StorageFile file = directory.open("a");
        write(file, 0, "x");
        file.sync();
        assertEquals(Set.of("-", "x"), outcomes(CrashProfile.ATOMIC_SECTOR));
        directory.sync();
        assertEquals(Set.of("x"), outcomes(CrashProfile.ATOMIC_SECTOR));
    }

    @Test
    void theSyncOfAFileKeepsItsNameWhereAskedFor() throws Exception {
        directory.namesFollowFileSync();
        StorageFile file = directory.open("a");
        write(file, 0, "x");
        file.sync();
        assertEquals(Set.of("x"), outcomes(CrashProfile.ATOMIC_SECTOR));
    }

    @Test
    void anUnsyncedDeletionIsUndoneOrKept() throws Exception {
        directory.put("a", utf8("old"));
        directory.delete("a");
        assertEquals(Set.of("-", "old"), outcomes(CrashProfile.ATOMIC_SECTOR));
        StorageFile second = directory.open("a");
        write(second, 0, "new");
        second.sync();
        assertEquals(Set.of("-", "old", "new"), outcomes(CrashProfile.ATOMIC_SECTOR));
        directory.sync();
        assertEquals(Set.of("new"), outcomes(CrashProfile.ATOMIC_SECTOR));
    }

    @Test
    void aFailedSyncKeepsNothingAndTheNextOneDoesNotCatchUp() throws Exception {
        directory.put("a", filled(1024, 'o'));
        directory.failAt(2, Fault.IO_ERROR_ONCE);
        StorageFile file = directory.open("a");
        file.write(0, MemorySegment.ofArray(filled(512, 'n')));
        assertThrows(IOException.class, file::sync);
        file.sync();
        Set<String> old = Set.of("o".repeat(1024), "n".repeat(512) + "o".repeat(512));
        assertEquals(old, outcomes(CrashProfile.ATOMIC_SECTOR));
        file.write(0, MemorySegment.ofArray(filled(512, 'N')));
        file.sync();
        assertEquals(
                Set.of("N".repeat(512) + "o".repeat(512)),
                outcomes(CrashProfile.ATOMIC_SECTOR),
                "what is written again is synced again");
    }

    @Test
    void afterACrashOnlyClosingWorks() throws Exception {
        directory.crashAfter(2);
        StorageFile file = directory.open("a");
        assertThrows(SimCrash.class, () -> write(file, 0, "x"));
        assertTrue(directory.crashed());
        assertThrows(SimCrash.class, file::size);
        assertThrows(SimCrash.class, file::sync);
        assertThrows(SimCrash.class, directory::list);
        assertThrows(SimCrash.class, directory::sync);
        assertThrows(SimCrash.class, directory::lock);
        file.close();
    }

    @Test
    void aKilledProcessCutsTheWriteInFlightAtAnyByte() throws Exception {
        directory.put("a", utf8("abcd"));
        directory.crashAfter(1);
        StorageFile file = directory.open("a");
        assertThrows(SimCrash.class, () -> write(file, 2, "WXYZ"));
        assertEquals(
                Set.of("abcd", "abWd", "abWX", "abWXY", "abWXYZ"),
                outcomes(CrashProfile.PROCESS_KILL));
    }

    @Test
    void whatAKilledProcessLeavesIsStillUnsynced() throws Exception {
        directory.put("a", utf8("old"));
        write(directory.open("a"), 0, "new");
        SimDirectory restarted = directory.crash(n -> n - 1, CrashProfile.PROCESS_KILL);
        assertEquals("new", text(restarted, "a"));
        SimDirectory rebooted = restarted.crash(n -> 0, CrashProfile.ATOMIC_SECTOR);
        assertEquals("old", text(rebooted, "a"));
    }

    @Test
    void callsInFlightAreDoneOrNotDone() throws Exception {
        assertEquals(Set.of("-", ""), crashingIn(folder -> folder.open("a")));
        directory.put("a", utf8("abc"));
        assertEquals(Set.of("-", "abc"), crashingIn(folder -> folder.delete("a")));
        // Cutting a file within a sector clears the rest of that sector, which may get ahead.
        assertEquals(Set.of("abc", "ab\0", "ab"), crashingIn(folder -> folder.open("a").resize(2)));
        write(directory.open("a"), 0, "ABC");
        assertEquals(Set.of("abc", "ABC"), crashingIn(folder -> folder.open("a").sync()));
    }

    /// A log of numbered records, each synced before the next: after a crash at any call it holds
    /// all that were acknowledged, perhaps the one in flight, and nothing else.
    @Test
    void noAcknowledgedRecordOfASyncedLogIsLostAtAnyCrashPoint() throws Exception {
        SimDirectory whole = new SimDirectory();
        assertEquals(5, appendRecords(whole));
        SplittableRandom random = Seed.of("SimCrashTest", 42);
        for (long k = 1; k <= whole.operations(); k++) {
            SimDirectory crashing = new SimDirectory().crashAfter(k);
            int acknowledged = appendRecords(crashing);
            for (int draw = 0; draw < 20; draw++) {
                SimDirectory after = crashing.crash(random, CrashProfile.ATOMIC_SECTOR);
                List<String> files = after.list();
                long found = files.isEmpty() ? 0 : after.bytes("log").length / 700;
                assertTrue(
                        found == acknowledged || found == acknowledged + 1,
                        () -> acknowledged + " acknowledged, " + found + " found");
                byte[] bytes = files.isEmpty() ? new byte[0] : after.bytes("log");
                for (int i = 0; i < acknowledged * 700; i++) {
                    assertEquals('0' + i / 700, bytes[i]);
                }
            }
        }
    }

    /// Returns how many of five appends were acknowledged before the crash.
    private static int appendRecords(SimDirectory folder) throws IOException {
        int acknowledged = 0;
        try {
            StorageFile log = folder.open("log");
            folder.sync();
            for (; acknowledged < 5; acknowledged++) {
                char digit = (char) ('0' + acknowledged);
                log.write(acknowledged * 700L, MemorySegment.ofArray(filled(700, digit)));
                log.sync();
            }
        } catch (SimCrash crash) {
            assertTrue(folder.crashed());
        }
        return acknowledged;
    }

    private Set<String> crashingIn(Action action) throws IOException {
        SimDirectory crashing = directory.copy().crashAfter(1);
        assertThrows(SimCrash.class, () -> action.run(crashing));
        return outcomes(crashing, CrashProfile.ATOMIC_SECTOR);
    }

    private Set<String> outcomes(CrashProfile profile) throws IOException {
        return outcomes(directory, profile);
    }

    /// All contents that file "a" can have after a crash; "-" for no file.
    private static Set<String> outcomes(SimDirectory folder, CrashProfile profile)
            throws IOException {
        Set<String> texts = new TreeSet<>();
        everyCrash(
                folder,
                profile,
                after -> texts.add(after.list().contains("a") ? text(after, "a") : "-"));
        return texts;
    }

    private void everyCrash(CrashProfile profile, Action check) throws IOException {
        everyCrash(directory, profile, check);
    }

    private static void everyCrash(SimDirectory folder, CrashProfile profile, Action check)
            throws IOException {
        Exhaustive all = new Exhaustive();
        do {
            check.run(folder.crash(all, profile));
        } while (all.next());
    }
}
