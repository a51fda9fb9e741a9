package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The limits of memory in the three ways to start the server: the launcher, the unit, the image.
@SuppressWarnings("NullAway") // a folder above is there, or the test fails
final class LauncherTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("scripts/oriel.service"))) {
            at = at.getParent();
        }
        return at;
    }

    /// The words that the launcher, as it is packaged, gives to `java`.
    private List<String> launched(String options, String... words)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "There is no shell");
        Path java = folder.resolve("runtime/bin/java");
        if (!Files.exists(java)) {
            Files.createDirectories(java.getParent());
            Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
            Files.copy(root().resolve("oriel"), folder.resolve("oriel"));
        }
        String[] command = new String[words.length + 2];
        command[0] = "/bin/sh";
        command[1] = folder.resolve("oriel").toString();
        System.arraycopy(words, 0, command, 2, words.length);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_OPTS", options);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said.lines().toList();
    }

    @Test
    void aServerHasLimitsOfMemory() throws Exception {
        List<String> words = launched("", "serve", "db");
        assertTrue(words.contains("-Xmx512m"), words.toString());
        assertTrue(words.contains("-XX:MaxDirectMemorySize=512m"), words.toString());
        assertFalse(launched("", "check", "db").contains("-Xmx512m"), "others have the JVM's own");
    }

    @Test
    void theUsersOwnLimitsCount() throws Exception {
        List<String> words = launched("-Xmx2g -XX:MaxDirectMemorySize=1g", "serve", "db");
        assertTrue(words.indexOf("-Xmx2g") > words.indexOf("-Xmx512m"), words.toString());
        assertTrue(
                words.indexOf("-XX:MaxDirectMemorySize=1g")
                        > words.indexOf("-XX:MaxDirectMemorySize=512m"),
                words.toString());
        List<String> share = launched("-XX:MaxRAMPercentage=50", "serve", "db");
        assertFalse(share.contains("-Xmx512m"), "-Xmx would count before a share: " + share);
    }

    @Test
    void theUnitHasTheSameLimitsAndTakesOthers() throws Exception {
        String start =
                Files.readAllLines(root().resolve("scripts/oriel.service")).stream()
                        .filter(line -> line.startsWith("ExecStart="))
                        .findAny()
                        .orElseThrow();
        List<String> words = Arrays.asList(start.split(" ", -1));
        assertTrue(words.contains("-Xmx512m"), start);
        assertTrue(words.contains("-XX:MaxDirectMemorySize=512m"), start);
        assertTrue(words.indexOf("$JAVA_OPTS") > words.indexOf("-Xmx512m"), start);
    }

    /// The launcher for Windows is read, not run: its options for a server are those of the other one.
    @Test
    void theLauncherForWindowsHasTheSameLimits() throws Exception {
        String script = Files.readString(root().resolve("oriel.cmd"));
        String serve =
                script.lines()
                        .filter(line -> line.startsWith("if \"%~1\"==\"serve\""))
                        .findAny()
                        .orElseThrow();
        for (String word : launched("", "serve", "db")) {
            if (word.startsWith("-Xm") || word.startsWith("-XX:Max")) {
                assertTrue(serve.contains(word), word + " in " + serve);
            }
        }
        assertTrue(script.contains("dev.oriel.cli.Main %*"), script);
    }

    /// The image starts the launcher, so it has the launcher's limits.
    @Test
    void theImageStartsTheLauncherOfAFixedVersion() throws Exception {
        String image = Files.readString(root().resolve("Dockerfile"));
        assertTrue(image.contains("ENTRYPOINT [\"/opt/oriel/oriel\"]"), image);
        image.lines()
                .filter(line -> line.startsWith("FROM "))
                .forEach(line ->
                        assertTrue(
                                line.matches(
                                        "FROM [a-z-]+:\\d+\\.\\d+\\.\\d+_\\d+-(jdk|jre)( AS build)?"),
                                line));
    }
}
