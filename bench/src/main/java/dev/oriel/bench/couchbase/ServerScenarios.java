package dev.oriel.bench.couchbase;

import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.measure.Latencies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Servers over loopback, each on one processor and the client on another.
///
/// - `loopback/TEXT|BINARY`: our client, 16 connections with one request under way on each. Rate, the
///   server's processor time per operation, percentiles.
/// - `memaslap/TEXT|BINARY`: the load generator of libmemcached, 16 connections, keys of 64 bytes, values of
///   1,024, a tenth of the requests sets of new keys.
/// - `pipelined-16`: our client, 4 connections with 16 requests under way on each; each server is used through
///   its fastest protocol.
/// - `connections/1|16|256|2000`: our client in the text protocol, with that many connections, one request under
///   way on each, and values of 1 KB. Rate, processor time, percentiles, memory of the server.
/// - `sets/16`: the same with sets alone.
/// - `idle/10000`: 10,000 connections that have asked once and are silent since: memory of the server.
enum ServerScenarios {
    LOOPBACK_TEXT("loopback/text", WireProtocol.TEXT, 16, 1),
    LOOPBACK_BINARY("loopback/binary", WireProtocol.BINARY, 16, 1),
    MEMASLAP_TEXT("memaslap/text", WireProtocol.TEXT, 16, 1),
    MEMASLAP_BINARY("memaslap/binary", WireProtocol.BINARY, 16, 1),
    PIPELINED("pipelined-16", null, 4, 16),
    CONNECTIONS_1("connections/1", WireProtocol.TEXT, 1, 1),
    CONNECTIONS_16("connections/16", WireProtocol.TEXT, 16, 1),
    CONNECTIONS_256("connections/256", WireProtocol.TEXT, 256, 1),
    CONNECTIONS_2000("connections/2000", WireProtocol.TEXT, 2_000, 1),
    SETS("sets/16", WireProtocol.TEXT, 16, 1),
    IDLE("idle/10000", null, 10_000, 1);

    private static final int LARGE_VALUE_BYTES = 1_024;
    private static final String[] MEMASLAPS = {"memcaslap", "memaslap"};
    private static final Pattern MEMASLAP = Pattern.compile("Run time: ([0-9.]+)s Ops: (\\d+) TPS");
    private static final Pattern MISSES = Pattern.compile("get_misses: (\\d+)");

    private final String id;
    private final @Nullable WireProtocol protocol;
    private final int connections;
    private final int depth;

    ServerScenarios(String id, @Nullable WireProtocol protocol, int connections, int depth) {
        this.id = id;
        this.protocol = protocol;
        this.connections = connections;
        this.depth = depth;
    }

    private String caseName() {
        return "couchbase/" + id;
    }

    private boolean isOfLargeValues() {
        return switch (this) {
            case CONNECTIONS_1, CONNECTIONS_16, CONNECTIONS_256, CONNECTIONS_2000, SETS -> true;
            case LOOPBACK_TEXT, LOOPBACK_BINARY, MEMASLAP_TEXT, MEMASLAP_BINARY, PIPELINED, IDLE ->
                    false;
        };
    }

    private boolean takes(ServerSubject subject) {
        return protocol == null || subject.speaks().contains(protocol);
    }

    private static long warmNanos(Scale scale) {
        return (scale == Scale.QUICK ? 10 : 20) * 1_000_000_000L;
    }

    private static long nanos(Scale scale) {
        return (scale == Scale.QUICK ? 5 : 10) * 1_000_000_000L;
    }

    static List<Scenario> all(Scale scale, List<Subject> subjects) {
        List<Scenario> all = new ArrayList<>();
        for (ServerScenarios one : values()) {
            List<String> names =
                    subjects.stream()
                            .filter(ServerSubject.class::isInstance)
                            .map(ServerSubject.class::cast)
                            .filter(one::takes)
                            .map(ServerSubject::name)
                            .toList();
            if (!names.isEmpty()) {
                all.add(
                        new Scenario(
                                one.id,
                                List.of(one.caseName()),
                                names,
                                Duration.ofNanos(warmNanos(scale) + nanos(scale)).plusSeconds(2),
                                Integer.MAX_VALUE,
                                List.of("-XX:+UseSerialGC"),
                                0));
            }
        }
        return all;
    }

    /// Runs the scenario of that name for one server.
    static void run(String name, ServerSubject subject, Run run) throws Exception {
        for (ServerScenarios one : values()) {
            if (one.id.equals(name)) {
                one.run(subject, run);
            }
        }
    }

    /// Runs another product's client against our server.
    static void run(ClientLoop client, String caseName, Run run) throws Exception {
        if (!ServerProcess.installed("taskset") || Runtime.getRuntime().availableProcessors() < 2) {
            run.cannot(caseName, "server and client need a processor each, and taskset");
            return;
        }
        int port = ServerProcess.freePort();
        List<String> command =
                ServerSubjects.command(
                        List.of(),
                        run.folder().resolve("db").toString(),
                        "async",
                        "100",
                        "-1",
                        "" + port,
                        "" + ServerProcess.freePort());
        try (ServerProcess _ = ServerProcess.start(command, port, run.folder())) {
            ServerProcess.holdClient();
            client.run(run, caseName, port);
        }
    }

    private void run(ServerSubject subject, Run run) throws Exception {
        String missing = subject.missing();
        String generator = name().startsWith("MEMASLAP") ? memaslap() : "";
        if (generator == null) {
            missing = "memaslap (libmemcached-tools) is not installed";
        } else if (Runtime.getRuntime().availableProcessors() < 2) {
            missing = "there is one processor, and server and client need one each";
        }
        if (!missing.isEmpty()) {
            run.cannot(caseName(), missing);
            return;
        }
        run.phase("starting the server");
        try (ServerProcess server = subject.start(run.folder())) {
            ServerProcess.holdClient();
            switch (this) {
                case IDLE -> idle(server, subject, run);
                case MEMASLAP_TEXT, MEMASLAP_BINARY ->
                        memaslap(String.valueOf(generator), server, subject, run);
                default -> load(server, subject, run);
            }
        }
    }

    private static @Nullable String memaslap() {
        for (String name : MEMASLAPS) {
            if (ServerProcess.installed(name)) {
                return name;
            }
        }
        return null;
    }

    private void load(ServerProcess server, ServerSubject subject, Run run) throws IOException {
        WireProtocol spoken = protocol == null ? subject.speaks().iterator().next() : protocol;
        KeyValueData data =
                isOfLargeValues()
                        ? KeyValueData.of(run.seed(), LARGE_VALUE_BYTES)
                        : KeyValueData.of(run.seed());
        try (LoadClient client =
                new LoadClient(spoken, server.port(), connections, depth, data, run.seed())) {
            client.fill();
            if (this == SETS) {
                client.setsAlone();
            }
            run.phase("warming up");
            client.run(warmNanos(run.scale()), new Latencies());
            run.phase("measuring");
            Latencies latencies = new Latencies();
            long cpu = server.cpuNanos();
            long begun = System.nanoTime();
            long operations = client.run(nanos(run.scale()), latencies);
            long wall = System.nanoTime() - begun;
            tell(run, subject, operations, wall, server.cpuNanos() - cpu, client.checksum());
            run.latencies(caseName(), latencies, subject.durability());
            double resident = server.residentBytes();
            run.figure(caseName(), "memory", "bytes", resident, subject.durability());
        }
    }

    private void tell(
            Run run, ServerSubject subject, long operations, long wall, long cpu, long checksum) {
        double perOp = (double) cpu / operations;
        run.measured(
                new Measurement(
                        caseName(),
                        "rate",
                        "ops/s",
                        operations * 1e9 / wall,
                        perOp,
                        Double.NaN,
                        subject.durability(),
                        checksum));
        run.figure(caseName(), "cpu", "ns/op", perOp, subject.durability());
    }

    private void memaslap(String program, ServerProcess server, ServerSubject subject, Run run)
            throws IOException, InterruptedException {
        run.phase("warming up");
        memaslap(program, server, warmNanos(run.scale()), run);
        run.phase("measuring");
        long cpu = server.cpuNanos();
        long begun = System.nanoTime();
        String said = memaslap(program, server, nanos(run.scale()), run);
        long wall = System.nanoTime() - begun;
        long used = server.cpuNanos() - cpu;
        Matcher found = MEMASLAP.matcher(said);
        Matcher misses = MISSES.matcher(said);
        if (!found.find() || !misses.find() || !misses.group(1).equals("0")) {
            throw new IOException("memaslap says: " + said);
        }
        long operations = Long.parseLong(found.group(2));
        long seconds = Math.round(Double.parseDouble(found.group(1)) * 1e9);
        if (wall < seconds) {
            throw new IOException("memaslap says that it ran longer than it did: " + said);
        }
        tell(run, subject, operations, seconds, used, 0);
    }

    private String memaslap(String program, ServerProcess server, long nanos, Run run)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program,
                                "-s",
                                "127.0.0.1:" + server.port(),
                                "-T",
                                "1",
                                "-c",
                                Integer.toString(connections),
                                "-w",
                                "1k",
                                "-t",
                                nanos / 1_000_000_000L + "s"));
        if (protocol == WireProtocol.BINARY) {
            command.add("-B");
        }
        Process process =
                new ProcessBuilder(command)
                        .directory(run.folder().toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(program + " failed: " + said);
        }
        return said;
    }

    /// Measures memory before and with the connections.
    private void idle(ServerProcess server, ServerSubject subject, Run run) throws IOException {
        WireProtocol spoken = subject.speaks().iterator().next();
        ByteBuffer question = ByteBuffer.wrap(question(spoken));
        List<SocketChannel> open = new ArrayList<>();
        long before = server.residentBytes();
        run.phase("connecting");
        try {
            for (int i = 0; i < connections; i++) {
                SocketChannel channel =
                        SocketChannel.open(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), server.port()));
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                open.add(channel);
                channel.write(question.duplicate());
                ByteBuffer answer = ByteBuffer.allocate(64);
                if (channel.read(answer) <= 0) {
                    throw new IOException("The server closed connection " + i);
                }
            }
            long bytes = server.residentBytes();
            run.figure(caseName(), "memory", "bytes", (double) bytes, subject.durability());
            run.figure(
                    caseName(),
                    "each",
                    "bytes/op",
                    (double) (bytes - before) / connections,
                    subject.durability());
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    /// A get of a missing key.
    private static byte[] question(WireProtocol spoken) {
        return spoken.get("none".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return id.toLowerCase(Locale.ROOT);
    }
}
