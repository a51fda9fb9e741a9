package dev.oriel.studio;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One Chromium for all tests of a run, started by the first test that opens a page and ended after the last one.
final class SharedChromium implements BeforeAllCallback {
    private static @Nullable ChromiumProcess running;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedChromium.class))
                .computeIfAbsent("end", _ -> (AutoCloseable) SharedChromium::end);
    }

    /// The browser, a new one if the last one has crashed; null if there is none on the path.
    static synchronized @Nullable ChromiumProcess process() throws Exception {
        if (running != null && !running.isAlive()) {
            end();
        }
        if (running == null) {
            running = ChromiumProcess.start();
        }
        return running;
    }

    private static synchronized void end() {
        if (running != null) {
            running.close();
            running = null;
        }
    }
}
