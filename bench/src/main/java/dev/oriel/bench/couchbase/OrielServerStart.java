package dev.oriel.bench.couchbase;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.server.AdminOptions;
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

/// The main class of our server as a process. It runs the server of `oriel serve`, with its admin socket and its log of
/// Netty's warnings, without looking for leaks of buffers. Like the other servers, it has one network thread.
public final class OrielServerStart {
    /// User name for the clients of the benchmark at the Couchbase port.
    public static final String USER = "bench";

    /// Password of that user.
    public static final String PASSWORD = "benchmark";

    private static final String LEAKS = "io.netty.leakDetection.level";

    private OrielServerStart() {}

    /// Arguments: FOLDER DURABILITY CONNECTIONS MEMCACHED-PORT [COUCHBASE-PORT HTTP-PORT].
    public static void main(String[] args) throws InterruptedException {
        Durability durability = Durability.valueOf(args[1].toUpperCase(Locale.ROOT));
        int memcached = Integer.parseInt(args[3]);
        ServerOptions options =
                ServerOptions.defaults()
                        .withConnectionsMax(Integer.parseInt(args[2]))
                        .withThreads(1)
                        .withAdmin(
                                AdminOptions.NONE.withSocket(
                                        Path.of(args[0]).resolve("admin.sock"), false))
                        .withPorts(memcached, -1, -1);
        if (args.length > 4) {
            options =
                    options.withPorts(
                                    memcached, Integer.parseInt(args[4]), Integer.parseInt(args[5]))
                            .withUsers(Map.of(USER, PASSWORD));
        }
        DatabaseOptions settings = DatabaseOptions.defaults().withDurability(durability);
        if (System.getProperty(LEAKS) == null) {
            System.setProperty(LEAKS, "disabled");
        }
        ServerLog log = new ServerLog(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        log.takeNettys();
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
