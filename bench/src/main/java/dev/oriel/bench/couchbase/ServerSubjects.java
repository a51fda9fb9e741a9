package dev.oriel.bench.couchbase;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Our server and Debian's, one thread each.
public final class ServerSubjects implements Subjects {
    static final int CONNECTIONS_MAX = 12_000;

    /// Our server in class ASYNC, by which targets are judged.
    public static final String OURS = "oriel-server";

    private static final Set<WireProtocol> MEMCACHED =
            EnumSet.of(WireProtocol.TEXT, WireProtocol.BINARY);

    /// Found by `ServiceLoader`.
    public ServerSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(
                ours(OURS, "async", Durability.ASYNC),
                ours("oriel-server-written", "written", Durability.WRITTEN),
                new ServerSubject(
                        "memcached",
                        "memcached",
                        "Debian's memcached: one thread (-t 1), 1 GB of memory, no UDP; keeps nothing"
                                + " on a disk.",
                        "memcached",
                        MEMCACHED,
                        Durability.MEMORY,
                        (port, folder) ->
                                List.of(
                                        "memcached",
                                        "-u",
                                        "root",
                                        "-t",
                                        "1",
                                        "-U",
                                        "0",
                                        "-m",
                                        "1024",
                                        "-l",
                                        "127.0.0.1",
                                        "-c",
                                        "" + CONNECTIONS_MAX,
                                        "-p",
                                        "" + port)),
                new ServerSubject(
                        "redis",
                        "redis",
                        "Debian's Redis: one thread, no snapshots, no append-only file; keeps nothing"
                                + " on a disk.",
                        "redis-server",
                        EnumSet.of(WireProtocol.RESP),
                        Durability.MEMORY,
                        (port, folder) ->
                                List.of(
                                        "redis-server",
                                        "--bind",
                                        "127.0.0.1",
                                        "--save",
                                        "",
                                        "--appendonly",
                                        "no",
                                        "--maxclients",
                                        "" + CONNECTIONS_MAX,
                                        "--dir",
                                        folder.toString(),
                                        "--port",
                                        "" + port)));
    }

    private static ServerSubject ours(String name, String word, Durability durability) {
        return new ServerSubject(
                name,
                "oriel",
                "oriel serve --durability "
                        + word
                        + " in a JVM of its own, SerialGC, one thread for"
                        + " the network; the database is on the disk.",
                "taskset",
                MEMCACHED,
                durability,
                (port, folder) ->
                        command(
                                List.of(),
                                folder.resolve("db").toString(),
                                word,
                                "" + CONNECTIONS_MAX,
                                "" + port));
    }

    /// The command line of a JVM with our server.
    static List<String> command(List<String> jvmArgs, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xms32m", // as the launcher sets it
                        "-XX:MaxNewSize=24m",
                        "-Xmx512m",
                        "-XX:MaxDirectMemorySize=512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dio.netty.leakDetection.level=disabled"));
        command.addAll(jvmArgs);
        String more = System.getProperty("oriel.bench.serverArgs", "");
        if (!more.isEmpty()) {
            command.addAll(Arrays.asList(more.split(Pattern.quote(" "), -1)));
        }
        command.add("-cp");
        command.add(absolute(System.getProperty("java.class.path")));
        command.add(OrielServerStart.class.getName());
        command.addAll(Arrays.asList(args));
        return command;
    }

    /// An absolute class path: the server runs in another folder.
    private static String absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }
}
