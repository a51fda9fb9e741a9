package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.nio.file.Path;

/// A server at SYNC that says its port and then works until it is killed.
final class KillTarget {
    private KillTarget() {}

    @SuppressWarnings("try") // it is never closed: that is the point
    public static void main(String[] arguments) throws InterruptedException {
        DatabaseOptions options = DatabaseOptions.defaults().withDurability(Durability.SYNC);
        Database database = Database.open(Path.of(arguments[0]), options);
        ServerOptions any = ServerOptions.defaults().withPorts(0, -1, -1);
        OrielServer server = OrielServer.start(database, any, new ServerLog(null));
        System.out.println("port " + server.memcachedPort());
        System.out.flush();
        Thread.currentThread().join();
    }
}
