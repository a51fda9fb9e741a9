package dev.oriel.bench.couchbase;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import dev.oriel.store.Durability;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// The main class of our server as a process: the same server as `oriel serve` runs, without its command line.
public final class OrielServerStart {
    /// User name for the clients of the benchmark at the Couchbase port.
    public static final String USER = "bench";

    /// Password of that user.
    public static final String PASSWORD = "benchmark";

    private OrielServerStart() {}

    /// Arguments: FOLDER DURABILITY CONNECTIONS MEMCACHED-PORT [COUCHBASE-PORT HTTP-PORT].
    public static void main(String[] args) throws InterruptedException {
        Durability durability = Durability.valueOf(args[1].toUpperCase(Locale.ROOT));
        int memcached = Integer.parseInt(args[3]);
        ServerOptions options =
                ServerOptions.defaults()
                        .withConnectionsMax(Integer.parseInt(args[2]))
                        .withPorts(memcached, -1, -1);
        if (args.length > 4) {
            options =
                    options.withPorts(
                                    memcached, Integer.parseInt(args[4]), Integer.parseInt(args[5]))
                            .withUsers(Map.of(USER, PASSWORD));
        }
        DatabaseOptions settings = DatabaseOptions.defaults().withDurability(durability);
        ServerLog log = new ServerLog(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        Database database = Database.open(Path.of(args[0]), settings);
        OrielServer server = OrielServer.start(database, options, log);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            server.close();
                            database.close();
                        }));
        new CountDownLatch(1).await();
    }
}
