package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of the Chromium that all tests share, driven over its DevTools protocol. Classes that open one are extended
/// with [SharedChromium].
final class Chromium extends RemoteBrowser {
    private final ChromiumProcess process;
    private final ChromiumProcess.Target target;

    private Chromium(ChromiumProcess process, ChromiumProcess.Target target) throws Exception {
        super(target.address());
        this.process = process;
        this.target = target;
        for (String domain : List.of("Page", "Runtime", "Log")) {
            ask(domain + ".enable");
        }
        // It behaves as if it had the focus, whichever page was opened last.
        ask(
                "Emulation.setFocusEmulationEnabled",
                Exchange.JSON.createObjectNode().put("enabled", true));
    }

    /// A new page; null if there is no such browser on this machine.
    static @Nullable Chromium open() throws Exception {
        ChromiumProcess process = SharedChromium.process();
        return process == null ? null : new Chromium(process, process.open());
    }

    /// Trusts all certificates.
    void trustAll() throws Exception {
        ask(
                "Security.setIgnoreCertificateErrors",
                Exchange.JSON.createObjectNode().put("ignore", true));
    }

    @Override
    void go(String address) throws Exception {
        ask("Page.navigate", Exchange.JSON.createObjectNode().put("url", address));
    }

    @Override
    JsonNode run(String script) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode().put("expression", script);
        parameters.put("awaitPromise", true).put("returnByValue", true);
        JsonNode answer = ask("Runtime.evaluate", parameters);
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + answer.path("exceptionDetails"));
        }
        return answer.at("/result/value");
    }

    @Override
    void size(int width, int height) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters.put("width", width).put("height", height);
        parameters.put("deviceScaleFactor", 1).put("mobile", false);
        ask("Emulation.setDeviceMetricsOverride", parameters);
    }

    /// Has the page believe that its reader prefers `light` or `dark`.
    void scheme(String name) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", name);
        ask("Emulation.setEmulatedMedia", parameters);
    }

    @Override
    byte[] picture() throws Exception {
        JsonNode png =
                ask(
                        "Page.captureScreenshot",
                        Exchange.JSON.createObjectNode().put("format", "png"));
        return Base64.getDecoder().decode(png.path("data").asText());
    }

    @Override
    void type(String text) throws Exception {
        ask("Input.insertText", Exchange.JSON.createObjectNode().put("text", text));
    }

    @Override
    void press(String key, int code, int modifiers) throws Exception {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            ObjectNode event = Exchange.JSON.createObjectNode().put("type", type);
            event.put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
            ask("Input.dispatchKeyEvent", event.put("modifiers", modifiers));
            if (key.equals("Enter") && modifiers == 0 && type.equals("rawKeyDown")) {
                ObjectNode text = event.deepCopy().put("type", "char").put("text", "\r");
                ask("Input.dispatchKeyEvent", text);
            }
        }
    }

    @Override
    boolean isReplaced(IllegalStateException failure) {
        return String.valueOf(failure.getMessage())
                .contains("Inspected target navigated or closed");
    }

    @Override
    @Nullable String news(JsonNode message) {
        return switch (message.path("method").asText()) {
            case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded" ->
                    message.path("params").toString();
            default -> null;
        };
    }

    @Override
    void end() {
        process.close(target);
    }
}
