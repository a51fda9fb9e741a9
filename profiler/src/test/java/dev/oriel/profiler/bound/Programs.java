package dev.oriel.profiler.bound;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/// Small programs with a known bottleneck each. The first argument names one, the second is its duration in
/// milliseconds.
public final class Programs {
    private static long until;
    private static volatile long sink;

    @SuppressWarnings("UnusedVariable") // keeps objects alive
    private static volatile Object kept = "";

    private Programs() {}

    public static void main(String[] arguments) throws Exception {
        until = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000;
        switch (arguments[0]) {
            case "threads" -> threads(2, Programs::compute);
            case "virtual" -> virtual();
            case "monitor" -> threads(4, Programs::guarded);
            case "lock" -> threads(4, new Held()::held);
            case "gc" -> threads(2, Programs::keep);
            case "sleep" -> pause();
            case "sync" -> force();
            case "client" -> client();
            case "server" -> server();
            case "queue" -> queue();
            case "processors" -> threads(24, Programs::compute);
            case "allocation" -> allocate();
            case "mixed" -> mixed();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static boolean lasts() {
        return System.nanoTime() < until;
    }

    private static void threads(int count, Runnable work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(work, "worker-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void compute() {
        while (lasts()) {
            step();
        }
    }

    /// About a millisecond of work.
    static void step() {
        long sum = sink;
        for (int i = 0; i < 500_000; i++) {
            sum = sum * 31 + i;
        }
        sink = sum;
    }

    private static void virtual() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                executor.execute(Programs::compute);
            }
        }
    }

    private static void guarded() {
        while (lasts()) {
            guardedStep();
        }
    }

    private static synchronized void guardedStep() {
        sleep(3);
    }

    private static final class Held {
        private final ReentrantLock lock = new ReentrantLock(true);

        private void held() {
            while (lasts()) {
                heldStep();
            }
        }

        private void heldStep() {
            lock.lock();
            try {
                step();
                step();
            } finally {
                lock.unlock();
            }
        }
    }

    private static void keep() {
        while (lasts()) {
            kept = chain();
        }
    }

    private static Object chain() {
        Object[] first = new Object[2];
        Object[] last = first;
        for (int i = 0; i < 1_000_000; i++) {
            Object[] next = new Object[2];
            last[0] = next;
            last = next;
        }
        return first;
    }

    private static void pause() {
        while (lasts()) {
            rest();
        }
    }

    private static void rest() {
        sleep(5);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void force() throws IOException {
        Path file = Files.createTempFile(Path.of(""), "forced", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (lasts()) {
                forceOne(channel);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void forceOne(FileChannel channel) throws IOException {
        channel.write(ByteBuffer.allocate(1 << 18), 0);
        channel.force(true);
    }

    /// A worker asks a slow server, which is another process and ends with it.
    private static void client() throws Exception {
        Process server = start(Answering.class);
        String port = new String(server.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
            until += 500_000_000; // of which it waited for the server's start
            threads(1, () -> fetchAll(socket));
        }
        server.waitFor();
    }

    private static Process start(Class<?> type, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
        command.add(type.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /// The other process of the client. It prints its port in five digits.
    public static final class Answering {
        private Answering() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
                System.out.printf("%05d", server.getLocalPort());
                System.out.flush();
                answer(server, 20);
            }
        }
    }

    private static void fetchAll(Socket socket) {
        try {
            while (lasts()) {
                fetch(socket);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int fetch(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        out.write(1);
        return in.read();
    }

    private static void answer(ServerSocket server, long millis) {
        try (Socket socket = server.accept()) {
            while (request(socket)) {
                reply(socket, millis);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean request(Socket socket) throws IOException {
        return socket.getInputStream().read() >= 0;
    }

    private static void reply(Socket socket, long millis) throws IOException {
        if (millis > 0) {
            sleep(millis);
        } else {
            step();
        }
        socket.getOutputStream().write(1);
    }

    /// A server whose client, another process, thinks for a long time. The client's end ends it.
    private static void server() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(server.getLocalPort());
            String length = String.valueOf((until - System.nanoTime()) / 1_000_000);
            Process client = start(Asking.class, port, length);
            answer(server, 0);
            client.waitFor();
        }
    }

    /// The other process of the server.
    public static final class Asking {
        private Asking() {}

        public static void main(String[] arguments) throws Exception {
            until = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000;
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
                while (lasts()) {
                    fetch(socket);
                    sleep(20);
                }
            }
        }
    }

    /// One consumer computes for longer than the producer does, which waits for room in the queue.
    private static void queue() throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
        Thread consumer = new Thread(() -> consume(queue), "consumer");
        consumer.start();
        while (lasts()) {
            queue.put(1);
        }
        queue.put(-1);
        consumer.join();
    }

    private static void consume(BlockingQueue<Integer> queue) {
        try {
            while (queue.take() >= 0) {
                step();
                step();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Short-lived objects: the collector has little to do.
    private static void allocate() {
        while (lasts()) {
            for (int i = 0; i < 1_000; i++) {
                kept = new byte[1_000];
            }
            step();
        }
    }

    /// More sleep than computation, by the clock, in each of two threads.
    private static void mixed() throws InterruptedException {
        threads(
                2,
                () -> {
                    while (lasts()) {
                        turn();
                    }
                });
    }

    private static void turn() {
        long enough = System.nanoTime() + 3_000_000;
        while (System.nanoTime() < enough) {
            step();
        }
        rest();
        rest();
    }
}
