package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The conformance test of libmemcached, where it is installed (Debian: `libmemcached-tools`).
final class MemccapableTest {
    /// What libmemcached 1.1.4 asks; a later one may ask more.
    private static final int TESTS_MIN = 54;

    @RegisterExtension final Served served = new Served();

    @Test
    void allTestsPass() throws Exception {
        boolean installed =
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "memccapable")));
        assumeTrue(installed, "memccapable is not installed, so it is not asked");
        Process process =
                new ProcessBuilder(
                                "memccapable",
                                "-h",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(served.start()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertEquals(0, count(said, "[FAIL]"), said);
        assertEquals(0, count(said, "[skip]"), said);
        assertTrue(count(said, "[pass]") >= TESTS_MIN, said);
    }

    private static int count(String said, String verdict) {
        return said.split(Pattern.quote(verdict), -1).length - 1;
    }
}
