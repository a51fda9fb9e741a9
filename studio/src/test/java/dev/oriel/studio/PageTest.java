package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser without a window; skipped if there is none.
class PageTest {
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome");
    private static final int TRIES = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void thePageShowsTablesAndRunsNoScriptOfTheData() throws Exception {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement();
                Studio studio = Studio.open(database, StudioOptions.defaults())) {
            statement.execute("CREATE TABLE airport (code CHAR(3) PRIMARY KEY)");
            statement.execute("INSERT INTO airport VALUES ('GRZ')");
            statement.execute("CREATE TABLE \"<script>document.title='taken'</script>\" (a INT)");
            String dom = "";
            for (int i = 0; i < TRIES && !dom.contains("Largest tables"); i++) {
                dom = dom(studio); // a busy machine may need more than the browser waits for
            }
            assertTrue(dom.contains("Largest tables"), dom);
            assertTrue(dom.contains(">airport<"), dom);
            assertTrue(dom.contains("&lt;script&gt;document.title='taken'"), dom);
            assertFalse(dom.contains("<title>taken"), dom);
        }
    }

    private String dom(Studio studio) throws IOException, InterruptedException {
        Path browser = browser();
        assumeTrue(browser != null, "skipped: there is no Chromium on the path");
        Path dom = folder.resolve("dom.html");
        Process process =
                new ProcessBuilder(
                                String.valueOf(browser),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
                                "--virtual-time-budget=20000",
                                "--dump-dom",
                                studio.address().toString())
                        .redirectOutput(dom.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(dom);
    }

    private static @Nullable Path browser() {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : BROWSERS) {
                Path file = Path.of(place, name);
                if (Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        return null;
    }
}
