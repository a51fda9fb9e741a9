package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The unit for systemd, as systemd's own tool sees it, where that is installed.
@SuppressWarnings("NullAway") // a folder above is there, or the test fails
final class ServiceUnitTest {
    private static final String UNIT = "scripts/oriel.service";

    private static Path unit() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve(UNIT))) {
            at = at.getParent();
        }
        return at.resolve(UNIT);
    }

    private static void analyze(List<String> words) throws Exception {
        boolean installed =
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "systemd-analyze")));
        assumeTrue(installed, "systemd-analyze is not installed, so the unit is not looked at");
        Process process = start(words);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    private static Process start(List<String> words) throws IOException {
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    @Test
    void theUnitIsRight() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/java")), "the unit names /usr/bin/java");
        analyze(List.of("systemd-analyze", "verify", unit().toString()));
    }

    /// 30 tenths of the exposure that systemd computes; 100 is a process without any bounds.
    @Test
    void theUnitIsExposedToLittle() throws Exception {
        analyze(
                List.of(
                        "systemd-analyze",
                        "security",
                        "--offline=true",
                        "--threshold=30",
                        unit().toString()));
    }
}
