package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.server.AdminOptions;
import dev.oriel.server.BackupSchedule;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import dev.oriel.server.UnreadableFile;
import dev.oriel.store.Durability;
import dev.oriel.studio.Studio;
import dev.oriel.studio.StudioOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel serve`: serves a database over the network, until the process is told to end.
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Serve a database to memcached's and Couchbase's clients.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Speaks memcached's text, meta and binary protocols at one port, what Couchbase's SDKs speak"
                    + " at another, and HTTP with /metrics and /health at a third. Standard error gets"
                    + " a line of JSON for each event. Ctrl-C, or SIGTERM, ends it in order.",
            "",
            "Every option may stand in a file instead: 'memcached-port = 11211', a line each, without"
                    + " the dashes. What the command line says counts before the file."
        })
final class ServeCommand implements Callable<Integer> {
    private static final String LEAKS = "io.netty.leakDetection.level";

    private static final Set<String> KEYS =
            Set.of(
                    "host",
                    "memcached-port",
                    "couchbase-port",
                    "http-port",
                    "studio-port",
                    "studio-host",
                    "bucket",
                    "users",
                    "tls-certificate",
                    "tls-key",
                    "connections",
                    "value-bytes",
                    "memory-bytes",
                    "idle-seconds",
                    "threads",
                    "durability",
                    "file-access",
                    "file-mode",
                    "admin-socket",
                    "slow-ms",
                    "log-level",
                    "backup",
                    "backup-folder");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Option(names = "--config", paramLabel = "FILE", description = "Options, a line each.")
    private @Nullable Path config;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Address to listen at (127.0.0.1). Any other needs users.")
    private @Nullable String host;

    @Option(
            names = "--memcached-port",
            paramLabel = "PORT",
            description = "Port of memcached's protocols (11211); 0 for any, -1 for none.")
    private @Nullable String memcachedPort;

    @Option(
            names = "--couchbase-port",
            paramLabel = "PORT",
            description = "Port of Couchbase's clients (none). Needs users.")
    private @Nullable String couchbasePort;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port of HTTP (none): /metrics, /health, /health/ready.")
    private @Nullable String httpPort;

    @Option(
            names = "--studio-port",
            paramLabel = "PORT",
            description =
                    "Port of the studio's page (none), on this machine alone; 0 for any. Its address,"
                            + " which works once, is printed.")
    private @Nullable String studioPort;

    @Option(
            names = "--studio-host",
            paramLabel = "ADDRESS",
            description =
                    "Address of the studio's page (127.0.0.1). At any other, users log in over TLS.")
    private @Nullable String studioHost;

    @Option(
            names = "--bucket",
            paramLabel = "NAME",
            description = "Bucket that memcached's clients work on (default).")
    private @Nullable String bucket;

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = "Users with all rights: NAME:PASSWORD, one per line.")
    private @Nullable String users;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Certificate chain in PEM; then all ports speak TLS.")
    private @Nullable String certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key in PEM.")
    private @Nullable String certificateKey;

    @Option(
            names = "--connections",
            paramLabel = "COUNT",
            description = "How many clients may be connected (1024).")
    private @Nullable String connections;

    @Option(
            names = "--value-bytes",
            paramLabel = "BYTES",
            description = "The longest value (20971520).")
    private @Nullable String valueBytes;

    @Option(
            names = "--memory-bytes",
            paramLabel = "BYTES",
            description =
                    "Memory for long values on their way in, of all clients (a quarter of the heap).")
    private @Nullable String memoryBytes;

    @Option(
            names = "--idle-seconds",
            paramLabel = "SECONDS",
            description = "After how long a silent connection is closed (0: never).")
    private @Nullable String idleSeconds;

    @Option(
            names = "--threads",
            paramLabel = "COUNT",
            description = "Threads for the network (one for two processors).")
    private @Nullable String threads;

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            description =
                    "What an answered write survives: sync (a power cut), written (the death of"
                            + " the process; the default here), async (neither).")
    private @Nullable String durability;

    @Option(
            names = "--file-access",
            paramLabel = "WHICH",
            description =
                    "Files that SQL may read and write: none, folder (those in PATH/files; the"
                            + " default here), folder:PATH,PATH or all.")
    private @Nullable String fileAccess;

    @Option(
            names = "--file-mode",
            paramLabel = "WHO",
            description =
                    "Users that may read the files of a new database: owner (the default) or group.")
    private @Nullable String fileMode;

    @Option(
            names = "--admin-socket",
            paramLabel = "FILE",
            description =
                    "Socket that 'oriel admin' reaches the server by (admin.sock in PATH), or none.")
    private @Nullable String adminSocket;

    @Option(
            names = "--slow-ms",
            paramLabel = "MS",
            description = "From when on an operation is kept as a slow one (100).")
    private @Nullable String slowMillis;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "Lines that are logged: info (all; the default), warn or error.")
    private @Nullable String logLevel;

    @Option(
            names = "--backup",
            paramLabel = "SCHEDULE",
            description =
                    "When to back up, and where to: 'daily 02:30 FOLDER keep 7', 'weekly sun 02:30"
                            + " FOLDER' or 'hourly :30 FOLDER'. Several may be given, each with a folder of"
                            + " its own.")
    private @Nullable List<String> backups;

    @Option(
            names = "--backup-folder",
            paramLabel = "FOLDER",
            description = "Folder that admins may back up into over HTTP (none).")
    private @Nullable String backupFolder;

    private Properties file = new Properties();

    @Override
    public Integer call() throws InterruptedException {
        ServerLog log = ServerLog.to(main.environment().err());
        try {
            return serve(log);
        } catch (Failure | IOException | RuntimeException e) { // in the form of all other lines
            log.notStarted(Failures.message(e));
            if (main.verbose()) {
                e.printStackTrace(main.environment().err());
            }
            return 1;
        }
    }

    @SuppressWarnings("try") // closed by the thread that ends the process, before this one can
    private int serve(ServerLog log) throws Failure, IOException, InterruptedException {
        if (System.getProperty(LEAKS) == null) {
            // Detecting leaks of buffers costs some percent.
            System.setProperty(LEAKS, "disabled");
        }
        file = read(config);
        ServerOptions options = options();
        DatabaseOptions wanted =
                DatabaseOptions.defaults()
                        .withDurability(durability())
                        .withFileAccess(
                                FileOptions.access(said("file-access", fileAccess), "folder"))
                        .withFileMode(FileOptions.mode(said("file-mode", fileMode)));
        log.level(level());
        log.takeNettys();
        CountDownLatch ended = new CountDownLatch(1);
        StudioOptions page = studioOptions();
        try (Database database = Database.open(path, wanted);
                OrielServer server = OrielServer.start(database, options, log);
                Studio studio = page == null ? null : ServedStudio.open(database, server, page)) {
            ServeEnd end =
                    new ServeEnd(() -> closeAll(server, studio, database), log, ended::countDown);
            Runtime.getRuntime().addShutdownHook(new Thread(end, "oriel-ending"));
            server.ownsProcess();
            server.onStop(() -> Runtime.getRuntime().exit(0));
            try {
                begin(server, studio);
            } catch (RuntimeException | Error e) {
                end.startFailed();
                throw e;
            }
            ended.await();
        }
        return 0;
    }

    /// Tells systemd and the terminal that the server serves.
    private void begin(OrielServer server, @Nullable Studio studio) {
        server.notifyService(System.getenv());
        PrintWriter out = main.environment().screen().out();
        out.println("Serving " + path + ":" + where(server));
        if (studio != null) {
            URI address = studio.address();
            out.println("The studio is at " + address);
            out.println(
                    address.getScheme().equals("https")
                            ? "Users with a role on all buckets log in there."
                            : "Its address works once, on this machine.");
        }
        out.flush();
    }

    private static void closeAll(OrielServer server, @Nullable Studio studio, Database database) {
        try {
            server.close();
        } finally {
            try {
                if (studio != null) {
                    studio.close();
                }
            } finally {
                database.close();
            }
        }
    }

    /// Options of the studio; null if none is wanted.
    private @Nullable StudioOptions studioOptions() throws Failure {
        int port = number("studio-port", studioPort, -1);
        String host = said("studio-host", studioHost);
        if (port < 0 && host != null) {
            throw new Failure("--studio-host is given without --studio-port; give both");
        }
        StudioOptions usual = StudioOptions.defaults();
        try {
            return port < 0
                    ? null
                    : usual.withPort(port).withHost(host == null ? usual.host() : host);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
    }

    private static String where(OrielServer server) {
        StringBuilder ports = new StringBuilder();
        add(ports, "memcached", server.memcachedPort());
        add(ports, "couchbase", server.couchbasePort());
        add(ports, "http", server.httpPort());
        return ports.toString();
    }

    private static void add(StringBuilder ports, String protocol, int port) {
        if (port >= 0) {
            ports.append(ports.isEmpty() ? " " : ", ").append(protocol).append(" at ").append(port);
        }
    }

    private static Properties read(@Nullable Path from) throws Failure, IOException {
        Properties read = new UniqueProperties(Set.of("backup"));
        if (from == null) {
            return read;
        }
        try (BufferedReader in = Files.newBufferedReader(from)) {
            read.load(in);
        } catch (IOException e) {
            throw new Failure(
                    "the configuration %s cannot be read: %s"
                            .formatted(from, UnreadableFile.reason(from, e)),
                    e);
        } catch (UniqueProperties.Twice e) {
            throw new Failure(from + " has an option twice: " + e.key(), e);
        } catch (IllegalArgumentException e) { // its only cause
            throw new Failure(from + " has a \\u that is not followed by four digits", e);
        }
        for (String key : read.stringPropertyNames()) {
            if (!KEYS.contains(key)) {
                throw new Failure(
                        "%s has an option that is not known: %s (known: %s)"
                                .formatted(
                                        from,
                                        key,
                                        String.join(", ", KEYS.stream().sorted().toList())));
            }
        }
        return read;
    }

    /// Returns the value of the command line, else of the file, else null.
    private @Nullable String said(String key, @Nullable String given) {
        return given != null ? given : file.getProperty(key);
    }

    private long bytes(String key, @Nullable String given, long usual) throws Failure {
        String said = said(key, given);
        try {
            return said == null ? usual : Long.parseLong(said.strip());
        } catch (NumberFormatException e) {
            throw new Failure("--%s wants a number, and got %s".formatted(key, said), e);
        }
    }

    private int number(String key, @Nullable String given, int usual) throws Failure {
        String said = said(key, given);
        if (said == null) {
            return usual;
        }
        try {
            return Integer.parseInt(said.strip());
        } catch (NumberFormatException e) {
            throw new Failure("--%s wants a number, and got %s".formatted(key, said), e);
        }
    }

    /// Returns the options of a file alone.
    ServerOptions options(Path from) throws Failure, IOException {
        file = read(from);
        return options();
    }

    private ServerOptions options() throws Failure, IOException {
        ServerOptions usual = ServerOptions.defaults();
        String address = said("host", host);
        String name = said("bucket", bucket);
        ServerOptions options =
                usual.withHost(address == null ? usual.host() : address)
                        .withPorts(
                                number("memcached-port", memcachedPort, usual.memcachedPort()),
                                number("couchbase-port", couchbasePort, -1),
                                number("http-port", httpPort, -1))
                        .withBucket(name == null ? usual.bucket() : name)
                        .withConnectionsMax(
                                number("connections", connections, usual.connectionsMax()))
                        .withValueBytesMax(number("value-bytes", valueBytes, usual.valueBytesMax()))
                        .withMemoryBytesMax(
                                bytes("memory-bytes", memoryBytes, usual.memoryBytesMax()))
                        .withIdleMillis(number("idle-seconds", idleSeconds, 0) * 1_000L)
                        .withThreads(number("threads", threads, usual.threads()))
                        .withUsers(users());
        if (options.memcachedPort() < 0 && options.couchbasePort() < 0 && options.httpPort() < 0) {
            throw new Failure("there is no port to listen at; give one of the --...-port options");
        }
        String chain = said("tls-certificate", certificate);
        String key = said("tls-key", certificateKey);
        return options.withAdmin(admin())
                .withCertificate(
                        chain == null ? null : Path.of(chain), key == null ? null : Path.of(key));
    }

    private AdminOptions admin() throws Failure {
        String socket = said("admin-socket", adminSocket);
        AdminOptions admin = AdminOptions.NONE;
        if (socket == null) {
            admin =
                    path == null
                            ? admin
                            : admin.withSocket(path.resolve(AdminTarget.SOCKET), false);
        } else if (!socket.equals("none")) {
            admin = admin.withSocket(Path.of(socket), true);
        }
        String written = file.getProperty("backup");
        List<String> schedules =
                backups != null
                        ? backups
                        : written == null
                                ? List.of()
                                : List.of(written.split(UniqueProperties.BETWEEN, -1));
        String folder = said("backup-folder", backupFolder);
        return admin.withSlowMicros(number("slow-ms", slowMillis, 100) * 1_000L)
                .withBackupFolder(folder == null ? null : Path.of(folder))
                .withSchedules(schedules.stream().map(BackupSchedule::of).toList());
    }

    private ServerLog.Level level() throws Failure {
        String said = said("log-level", logLevel);
        String wanted = said == null ? "info" : said.strip();
        for (ServerLog.Level level : ServerLog.Level.values()) {
            if (level.name().equalsIgnoreCase(wanted)) {
                return level;
            }
        }
        throw new Failure("--log-level is info, warn or error, and not " + said);
    }

    private Map<String, String> users() throws Failure, IOException {
        String from = said("users", users);
        Map<String, String> known = new HashMap<>();
        if (from == null) {
            return known;
        }
        List<String> lines;
        try {
            UsersFile.checkPrivate(Path.of(from));
            lines = Files.readAllLines(Path.of(from));
        } catch (IOException e) {
            throw new Failure(
                    "the file of users %s cannot be read: %s"
                            .formatted(from, UnreadableFile.reason(Path.of(from), e)),
                    e);
        }
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (colon <= 0 || colon == line.length() - 1) {
                throw new Failure("a line of " + from + " is not NAME:PASSWORD");
            }
            UserDatabase.checkLength(line.substring(colon + 1));
            known.put(line.substring(0, colon), line.substring(colon + 1));
        }
        if (known.isEmpty()) {
            throw new Failure(
                    "there is no user in %s; write a line NAME:PASSWORD, or leave --users out"
                            .formatted(from));
        }
        return known;
    }

    private Durability durability() throws Failure {
        String said = said("durability", durability);
        String name = said == null ? "written" : said.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "sync" -> Durability.SYNC;
            case "written" -> Durability.WRITTEN;
            case "async" -> Durability.ASYNC;
            default -> throw new Failure("--durability is sync, written or async, and not " + said);
        };
    }
}
