package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Databases that fill file systems of 8, 16 and 32 MB alone, by SQL, and are emptied again ([FilledDisk]). Each file
/// system is a tmpfs in a mount namespace that ends with its process, so nothing is left of it. Who may not
/// make one sees the test skipped.
///
/// `-Dfilled.disks=` says how many databases on each (usual: one, on 8 MB); scripts/mount-test runs more.
final class FilledDiskTest {
    private static final int DISKS = Integer.getInteger("filled.disks", 0);
    private static final long MINUTES_MAX = 60;

    @TempDir Path folder;

    @Test
    void whatFilledARealDiskCanBeTakenAwayAgain() throws Exception {
        assumeTrue(mayMount(), "this machine lets us mount no file system");
        long seed = Seed.of("FilledDiskTest", 8).nextLong();
        for (int megabytes : DISKS > 0 ? new int[] {8, 16, 32} : new int[] {8}) {
            for (int i = 0; i < Math.max(1, DISKS); i++) {
                run(megabytes, seed + megabytes + i);
            }
        }
    }

    private static boolean mayMount() throws InterruptedException {
        try {
            return new ProcessBuilder("unshare", "-rm", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            System.out.println("There is no unshare: " + e.getMessage());
            return false;
        }
    }

    private void run(int megabytes, long seed) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "unshare",
                                "-rm",
                                "sh",
                                "-c",
                                "mount -t tmpfs -o size=%dm filled \"$0\" && exec \"$@\""
                                        .formatted(megabytes),
                                folder.toString()));
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        Victim.classPath(),
                        FilledDisk.class.getName(),
                        folder.toString(),
                        Long.toString(seed)));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            assertTrue(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES), "it does not end");
            assertEquals(0, process.exitValue(), () -> megabytes + " MB, see above");
        } finally {
            process.destroyForcibly();
        }
    }
}
