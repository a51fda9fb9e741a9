package dev.oriel.server;

import dev.oriel.Database;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A database in memory and a server on it, for one test; both are checked and closed after it.
final class Served implements AfterEachCallback {
    final Database database = Database.inMemory();
    private @Nullable OrielServer server;

    /// At any ports, the options' others as they are.
    OrielServer start(ServerOptions options) {
        OrielServer started = OrielServer.start(database, options, new ServerLog(null));
        server = started;
        return started;
    }

    /// memcached's port alone, with everything else as usual.
    int start() {
        return start(ServerOptions.defaults().withPorts(0, -1, -1)).memcachedPort();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        OrielServer started = server;
        if (started != null) {
            started.close();
        }
        try {
            if (!database.check().isEmpty()) {
                throw new AssertionError(database.check());
            }
        } finally {
            database.close();
        }
    }
}
