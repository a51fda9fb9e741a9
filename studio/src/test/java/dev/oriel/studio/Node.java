package dev.oriel.studio;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Node and the packages that check the page, pinned with their hashes in src/test/scripts/package-lock.json. None
/// of it is needed to build or to run the studio.
final class Node {
    private static final Path SCRIPTS = Path.of("src", "test", "scripts");
    private static final Path INSTALLED = Path.of("target", "node");
    private static @Nullable String missing;
    private static boolean tried;

    private Node() {}

    /// Reason why nothing can be checked by Node here; null if it can.
    static synchronized @Nullable String missing() throws IOException, InterruptedException {
        if (!tried) {
            tried = true;
            missing = install();
        }
        return missing;
    }

    /// A file of an installed package.
    static Path module(String file) {
        return INSTALLED.resolve("node_modules").resolve(file).toAbsolutePath();
    }

    private static @Nullable String install() throws IOException, InterruptedException {
        if (!isOnPath("node") || !isOnPath("npm")) {
            return "skipped: there is no node with npm on the path";
        }
        Files.createDirectories(INSTALLED);
        try (FileChannel one =
                        FileChannel.open(
                                INSTALLED.resolve("installing"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock _ = one.lock()) { // the tests run in two processes
            return installed();
        }
    }

    private static @Nullable String installed() throws IOException, InterruptedException {
        Path lock = SCRIPTS.resolve("package-lock.json");
        Path had = INSTALLED.resolve("package-lock.json");
        if (Files.exists(had)
                && Files.mismatch(lock, had) == -1
                && Files.exists(module("typescript/bin/tsc"))) {
            return null;
        }
        Files.copy(
                SCRIPTS.resolve("package.json"),
                INSTALLED.resolve("package.json"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.copy(lock, had, StandardCopyOption.REPLACE_EXISTING);
        Run installed = run(INSTALLED, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        if (installed.code() != 0) {
            Files.delete(had);
            return "skipped: npm cannot install the checks of the page: " + installed.output();
        }
        return null;
    }

    private static boolean isOnPath(String name) {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(place, name))) {
                return true;
            }
        }
        return false;
    }

    /// What a command printed, and its exit code.
    record Run(int code, String output) {}

    /// Runs a command in a folder.
    static Run run(Path folder, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("oriel", ".log");
        try {
            List<String> words = new ArrayList<>(List.of(command));
            Process process =
                    new ProcessBuilder(words)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return new Run(-1, "no end after five minutes: " + String.join(" ", command));
            }
            return new Run(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
