package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Firefox without a window, driven over WebDriver BiDi.
final class Firefox extends RemoteBrowser {
    private static final List<String> NAMES = List.of("firefox", "firefox-esr");
    private static final String LOG = "firefox.log";
    private static final Pattern LISTENING = Pattern.compile("BiDi listening on (ws://\\S+)");

    /// Keys without a character, as WebDriver numbers them.
    private static final Map<String, String> KEYS =
            Map.of("Enter", "\ue007", "Tab", "\ue004", "Escape", "\ue00c", "End", "\ue010");

    private final BrowserProcess process;
    private final String context;

    private Firefox(BrowserProcess process, URI address) throws Exception {
        super(address);
        this.process = process;
        ObjectNode none = Exchange.JSON.createObjectNode();
        none.putObject("capabilities");
        ask("session.new", none);
        ObjectNode events = Exchange.JSON.createObjectNode();
        events.putArray("events").add("log.entryAdded");
        ask("session.subscribe", events);
        context = ask("browsingContext.getTree").at("/contexts/0/context").asText();
    }

    /// A new browser of this machine; null if there is none.
    static @Nullable Firefox open() throws Exception {
        Path program = BrowserProcess.find(NAMES);
        if (program == null) {
            return null;
        }
        BrowserProcess process = new BrowserProcess(profile -> command(program, profile));
        String address = process.awaitFile(process.profile.resolve(LOG), Firefox::address);
        try {
            return new Firefox(process, URI.create(address + "/session"));
        } catch (Exception e) {
            process.close();
            throw e;
        }
    }

    private static ProcessBuilder command(Path program, Path profile) {
        return new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-remote",
                        "--profile",
                        profile.toString(),
                        "--remote-debugging-port=0",
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(profile.resolve(LOG).toFile());
    }

    private static @Nullable String address(String log) {
        Matcher found = LISTENING.matcher(log);
        return found.find() ? found.group(1) : null;
    }

    private ObjectNode parameters() {
        return Exchange.JSON.createObjectNode().put("context", context);
    }

    @Override
    void go(String address) throws Exception {
        ask("browsingContext.navigate", parameters().put("url", address).put("wait", "complete"));
    }

    @Override
    JsonNode run(String script) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters.put(
                "expression",
                "Promise.resolve("
                        + script
                        + ").then((value) => JSON.stringify(value === undefined ? null : value))");
        parameters.put("awaitPromise", true).set("target", parameters());
        JsonNode answer = ask("script.evaluate", parameters);
        if (!answer.path("type").asText().equals("success")) {
            throw new IllegalStateException(script + ": " + answer);
        }
        return Exchange.JSON.readTree(answer.at("/result/value").asText());
    }

    @Override
    void size(int width, int height) throws Exception {
        ObjectNode parameters = parameters();
        parameters.putObject("viewport").put("width", width).put("height", height);
        ask("browsingContext.setViewport", parameters);
    }

    @Override
    void type(String text) throws Exception {
        run(
                "document.execCommand('insertText', false, %s)"
                        .formatted(Exchange.JSON.writeValueAsString(text)));
    }

    @Override
    void press(String key, int code, int modifiers) throws Exception {
        List<String> keys = new ArrayList<>();
        if (modifiers != 0) {
            keys.add(modifiers == 2 ? "\ue009" : "\ue008");
        }
        keys.add(KEYS.getOrDefault(key, key));
        ObjectNode parameters = parameters();
        ObjectNode source = parameters.putArray("actions").addObject();
        ArrayNode actions = source.put("type", "key").put("id", "keys").putArray("actions");
        keys.forEach(one -> actions.addObject().put("type", "keyDown").put("value", one));
        keys.reversed().forEach(one -> actions.addObject().put("type", "keyUp").put("value", one));
        ask("input.performActions", parameters);
    }

    @Override
    byte[] picture() throws Exception {
        JsonNode png = ask("browsingContext.captureScreenshot", parameters());
        return Base64.getDecoder().decode(png.path("data").asText());
    }

    /// It answers a navigation when the new page is there.
    @Override
    boolean isReplaced(IllegalStateException failure) {
        return false;
    }

    @Override
    void end() {
        process.close();
    }

    @Override
    @Nullable String news(JsonNode message) {
        return message.path("method").asText().equals("log.entryAdded")
                ? message.path("params").toString()
                : null;
    }
}
