package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The conformance test of libmemcached, where it is installed (Debian: `libmemcached-tools`).
final class MemccapableTest {
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
        assertEquals(54, said.split("\\[pass\\]", -1).length - 1, said);
        assertEquals(-1, said.indexOf("FAIL"), said);
    }
}
