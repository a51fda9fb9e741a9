package dev.oriel.studio;

import org.jspecify.annotations.Nullable;

/// The views in Firefox.
class FirefoxViewsTest extends ViewsTest {
    @Override
    @Nullable RemoteBrowser browser() throws Exception {
        return Firefox.open();
    }
}
