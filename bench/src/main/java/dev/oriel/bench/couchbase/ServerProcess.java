package dev.oriel.bench.couchbase;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server in a process of its own, pinned to one processor, until it is closed.
///
/// @param process the server itself
record ServerProcess(Process process, int port) implements AutoCloseable {
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long TICK_NANOS = 10_000_000; // of /proc, on every Linux
    private static final String[] FOLDERS = {"/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin"};

    /// Starts `command` on the first processor and waits until it listens at `port`.
    static ServerProcess start(List<String> command, int port, Path folder)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("taskset", "-c", "0"));
        words.addAll(command);
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("server.log").toFile())
                        .start();
        ServerProcess server = new ServerProcess(process, port);
        long begun = System.nanoTime();
        while (!server.listens()) {
            if (!process.isAlive() || System.nanoTime() - begun > START_NANOS_MAX) {
                server.close();
                throw new IOException(
                        "The server does not listen: "
                                + Files.readString(folder.resolve("server.log")).strip());
            }
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        return server;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// A port without a listener at this moment.
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Whether a program of that name is installed.
    static boolean installed(String program) {
        for (String folder : FOLDERS) {
            if (new File(folder, program).canExecute()) {
                return true;
            }
        }
        return false;
    }

    /// Pins this JVM, all threads of it, to the last processor.
    static void holdClient() throws IOException, InterruptedException {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        String pid = Long.toString(ProcessHandle.current().pid());
        run(List.of("taskset", "-a", "-p", "-c", Integer.toString(last), pid));
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException(command.getFirst() + " failed");
        }
    }

    /// Processor time that it has used so far, in user and in system mode.
    long cpuNanos() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
    }

    /// Resident memory of the process.
    long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("The system does not say how much memory the server has");
    }

    /// Ends it and waits for its end.
    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(30, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
