package dev.oriel.studio;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The views in Firefox.
class FirefoxViewsTest extends ViewsTest {
    @Override
    @Nullable RemoteBrowser browser(Path folder) throws Exception {
        return Firefox.open(folder);
    }
}
