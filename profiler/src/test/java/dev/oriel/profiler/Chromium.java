package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A browser without a window, where there is one; tests that need it are skipped elsewhere.
final class Chromium {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private static final int TRIES = 4;

    private Chromium() {}

    /// What pages have become after their scripts have run, by their names. The browser takes
    /// seconds to start, so it starts once, and each page runs in a frame of its own.
    static Map<String, String> doms(Map<String, String> pages)
            throws IOException, InterruptedException {
        Path page = page(pages);
        String dom = dom(page);
        for (int i = 1; i < TRIES && !hasAll(dom, pages); i++) {
            dom = dom(page); // it gives what there is when its time is up, on a busy machine
            // too little
        }
        assumeTrue(
                dom.contains("<html") || dom(page(Map.of())).contains("<html"),
                "skipped: the Chromium that is there shows no page at all");
        Map<String, String> doms = new LinkedHashMap<>();
        for (String name : pages.keySet()) {
            String begin = begin(name);
            int at = dom.indexOf(begin);
            assertTrue(at >= 0, "The page " + name + " has not run");
            String escaped = dom.substring(at + begin.length(), dom.indexOf("</pre>", at));
            doms.put(
                    name,
                    escaped.replace("&lt;", "<")
                            .replace("&gt;", ">")
                            .replace("&nbsp;", "\u00a0")
                            .replace("&amp;", "&"));
        }
        return doms;
    }

    private static String begin(String name) {
        return "<pre id=\"dom-" + name + "\">";
    }

    private static boolean hasAll(String dom, Map<String, String> pages) {
        return pages.keySet().stream().allMatch(name -> dom.contains(begin(name)));
    }

    private static Path page(Map<String, String> pages) throws IOException {
        StringBuilder page = new StringBuilder("<!doctype html><html><body><script>\n");
        page.append(
                """
                function run(name, base64) {
                  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
                  const frame = document.createElement('iframe');
                  frame.width = 1200;
                  frame.height = 900;
                  frame.onload = () => setTimeout(() => {
                    const dom = document.createElement('pre');
                    dom.id = 'dom-' + name;
                    dom.textContent = frame.contentDocument.documentElement.outerHTML;
                    document.body.append(dom);
                  }, 1000);
                  frame.srcdoc = new TextDecoder().decode(bytes);
                  document.body.append(frame);
                }
                """);
        pages.forEach((name, text) ->
                page.append("run('")
                        .append(name)
                        .append("', '")
                        .append(
                                Base64.getEncoder()
                                        .encodeToString(text.getBytes(StandardCharsets.UTF_8)))
                        .append("');\n"));
        return Files.writeString(
                Files.createTempFile("pages", ".html"), page.append("</script></body></html>"));
    }

    private static String dom(Path page) throws IOException, InterruptedException {
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
                                "--disable-dev-shm-usage",
                                "--user-data-dir=" + profile,
                                "--window-size=1300,1000",
                                "--virtual-time-budget=8000",
                                "--dump-dom",
                                page.toUri().toString())
                        .redirectOutput(dom.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(dom);
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
