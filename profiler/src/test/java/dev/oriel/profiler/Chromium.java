package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A browser without a window, where there is one; tests that need it are skipped elsewhere.
final class Chromium {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private Chromium() {}

    /// What a page has become after its scripts have run.
    static String dom(Path page) throws IOException, InterruptedException {
        Path browser = find();
        assumeTrue(browser != null, "skipped: there is no Chromium on the path");
        Path profile = Files.createTempDirectory("chromium");
        Path dom = Files.createTempFile("dom", ".html");
        Process process =
                new ProcessBuilder(
                                String.valueOf(browser),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--user-data-dir=" + profile,
                                "--window-size=1200,900",
                                "--virtual-time-budget=4000",
                                "--dump-dom",
                                page.toUri().toString())
                        .redirectOutput(dom.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        String text = Files.readString(dom);
        assertTrue(text.contains("<html"), "Chromium gave no page");
        return text;
    }

    private static @Nullable Path find() {
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : NAMES) {
                Path file = Path.of(folder, name);
                if (Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        return null;
    }
}
