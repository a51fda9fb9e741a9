package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A Chromium without a window. It has any number of pages, each in a context of its own: without the cookies and the
/// storage of others.
final class ChromiumProcess implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");

    private final BrowserProcess program;
    private final String host;
    private final RemoteSocket socket;

    /// A page and its context.
    record Target(String context, URI address) {}

    private ChromiumProcess(Path program) throws Exception {
        this.program = new BrowserProcess(profile -> command(program, profile));
        Path portFile = this.program.profile.resolve("DevToolsActivePort");
        List<String> lines =
                this.program.awaitFile(
                        portFile, text -> text.lines().count() > 1 ? text.lines().toList() : null);
        host = "ws://127.0.0.1:" + lines.getFirst();
        try {
            socket = new RemoteSocket(URI.create(host + lines.get(1)), event -> {});
        } catch (Exception e) {
            this.program.close();
            throw e;
        }
    }

    /// The browser of this machine; null if there is none.
    static @Nullable ChromiumProcess start() throws Exception {
        Path program = BrowserProcess.find(NAMES);
        return program == null ? null : new ChromiumProcess(program);
    }

    private static ProcessBuilder command(Path program, Path profile) {
        return new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    boolean isAlive() {
        return program.isAlive();
    }

    Target open() throws Exception {
        String context =
                socket.ask("Target.createBrowserContext").path("browserContextId").asText();
        ObjectNode wanted = Exchange.JSON.createObjectNode();
        wanted.put("url", "about:blank").put("browserContextId", context);
        JsonNode made = socket.ask("Target.createTarget", wanted);
        return new Target(
                context, URI.create(host + "/devtools/page/" + made.path("targetId").asText()));
    }

    /// Ends a context and its pages.
    void close(Target target) {
        ObjectNode ended = Exchange.JSON.createObjectNode();
        socket.tell(
                "Target.disposeBrowserContext", ended.put("browserContextId", target.context()));
    }

    @Override
    public void close() {
        if (program.isAlive()) {
            program.end(() -> socket.tell("Browser.close", Exchange.JSON.createObjectNode()));
        } else {
            program.close();
        }
        socket.close();
    }
}
