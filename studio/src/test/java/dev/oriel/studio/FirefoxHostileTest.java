package dev.oriel.studio;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Strange names, values and sessions in Firefox.
class FirefoxHostileTest extends HostileTest {
    @Override
    @Nullable RemoteBrowser browser(Path folder) throws Exception {
        return Firefox.open(folder);
    }
}
