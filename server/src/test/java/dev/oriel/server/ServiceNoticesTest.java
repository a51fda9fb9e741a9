package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Notices to systemd, received by a socket of the test in its place.
final class ServiceNoticesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @BeforeEach
    void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "systemd is Linux's");
    }

    /// A datagram socket at a path; a minute without a notice is a failure.
    @SuppressWarnings("restricted")
    private static final class Receiver implements AutoCloseable {
        private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
        private static final int TIMEOUT_SECONDS = 60;

        private final Arena arena = Arena.ofShared();
        private final int descriptor;

        Receiver(Path path) throws Throwable {
            descriptor = (int) call("socket", INT, INT, INT, INT).invokeExact(1, 2, 0);
            byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment address = arena.allocate(110, 8);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
            int bound =
                    (int)
                            call("bind", INT, INT, ValueLayout.ADDRESS, INT)
                                    .invokeExact(descriptor, address, 110);
            MemorySegment time = arena.allocate(16, 8);
            time.set(ValueLayout.JAVA_LONG, 0, TIMEOUT_SECONDS);
            int set =
                    (int)
                            call("setsockopt", INT, INT, INT, INT, ValueLayout.ADDRESS, INT)
                                    .invokeExact(descriptor, 1, 20, time, 16);
            assertEquals(0, bound + set);
        }

        private static MethodHandle call(
                String name, MemoryLayout result, MemoryLayout... arguments) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(result, arguments));
        }

        String next() throws Throwable {
            MemorySegment bytes = arena.allocate(1_000);
            long length =
                    (long)
                            call(
                                            "recv",
                                            ValueLayout.JAVA_LONG,
                                            INT,
                                            ValueLayout.ADDRESS,
                                            ValueLayout.JAVA_LONG,
                                            INT)
                                    .invokeExact(descriptor, bytes, 1_000L, 0);
            assertTrue(length >= 0, "no notice came");
            byte[] text = bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            return new String(text, StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            try {
                int _ = (int) call("close", INT, INT).invokeExact(descriptor);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            arena.close();
        }
    }

    @Test
    void systemdIsToldOfTheBeginningTheLifeAndTheEnd() throws Throwable {
        Path path = folder.resolve("notify");
        AtomicBoolean alive = new AtomicBoolean(true);
        try (Receiver systemd = new Receiver(path)) {
            Map<String, String> environment =
                    Map.of(
                            "NOTIFY_SOCKET",
                            path.toString(),
                            "WATCHDOG_USEC",
                            "20000",
                            "WATCHDOG_PID",
                            Long.toString(ProcessHandle.current().pid()));
            ServiceNotices notices =
                    ServiceNotices.begin(environment, alive::get, new ServerLog(null));
            assertEquals("READY=1\nSTATUS=Serving", systemd.next());
            assertEquals("WATCHDOG=1", systemd.next());
            assertEquals("WATCHDOG=1", systemd.next());
            alive.set(false);
            notices.close();
            String last = systemd.next();
            while (last.equals("WATCHDOG=1")) { // was on its way
                last = systemd.next();
            }
            assertEquals("STOPPING=1", last);
        }
    }

    @Test
    void aServerTellsIt() throws Throwable {
        Path path = folder.resolve("notify");
        try (Receiver systemd = new Receiver(path);
                dev.oriel.Database database = dev.oriel.Database.inMemory()) {
            ServerOptions options = ServerOptions.defaults().withPorts(0, -1, -1);
            try (OrielServer server = OrielServer.start(database, options, new ServerLog(null))) {
                server.notifyService(Map.of("NOTIFY_SOCKET", path.toString()));
                assertEquals("READY=1\nSTATUS=Serving", systemd.next());
            }
            assertEquals("STOPPING=1", systemd.next());
        }
    }

    @Test
    void withoutSystemdNothingHappensAndAWrongSocketIsLogged() {
        java.io.ByteArrayOutputStream log = new java.io.ByteArrayOutputStream();
        ServerLog events =
                new ServerLog(new java.io.PrintStream(log, true, StandardCharsets.UTF_8));
        ServiceNotices.begin(Map.of(), () -> true, events).close();
        assertEquals(0, log.size());
        for (String wrong : new String[] {"relative", "/" + "x".repeat(200), "/nowhere/at/all"}) {
            ServiceNotices.begin(Map.of("NOTIFY_SOCKET", wrong), () -> true, events).close();
        }
        assertTrue(log.toString(StandardCharsets.UTF_8).lines().count() >= 3);
    }

    /// A process that has no free descriptors lives all the same.
    @Test
    void noticesNeedNoNewDescriptor() throws Exception {
        try (ServerProcess limited =
                new ServerProcess(
                        List.of("/bin/sh", "-c", "ulimit -n 200; exec \"$@\"", "sh"),
                        NoticeTarget.class,
                        folder.resolve("notify").toString())) {
            limited.tell("take");
        }
    }

    /// Opens all descriptors that its limit allows after the first notice, and sends another one.
    static final class NoticeTarget {
        private NoticeTarget() {}

        public static void main(String[] arguments) throws Throwable {
            try (Receiver systemd = new Receiver(Path.of(arguments[0]));
                    NoticeSocket socket = new NoticeSocket(arguments[0])) {
                socket.send("first");
                assertEquals("first", systemd.next());
                System.out.println("port 0");
                System.in.read();
                List<FileInputStream> all = new ArrayList<>();
                try {
                    while (true) {
                        all.add(new FileInputStream("/dev/null"));
                    }
                } catch (FileNotFoundException none) {
                    socket.send("next");
                }
                assertEquals("next", systemd.next());
                System.out.println("done");
                for (FileInputStream one : all) {
                    one.close();
                }
            }
        }
    }

    @Test
    void noErrorEndsTheWatchdog() throws Throwable {
        Path path = folder.resolve("notify");
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier alive =
                () ->
                        switch (asked.getAndIncrement()) {
                            case 0 -> throw new OutOfMemoryError("a test");
                            case 1 -> throw new IllegalStateException("a test");
                            default -> true;
                        };
        ServerLog broken =
                ServerLog.to(
                        new PrintWriter(Writer.nullWriter()) {
                            @Override
                            public void println(String line) {
                                throw new OutOfMemoryError("another test");
                            }
                        });
        try (Receiver systemd = new Receiver(path)) {
            Map<String, String> environment =
                    Map.of("NOTIFY_SOCKET", path.toString(), "WATCHDOG_USEC", "20000");
            try (ServiceNotices _ = ServiceNotices.begin(environment, alive, broken)) {
                assertEquals("READY=1\nSTATUS=Serving", systemd.next());
                assertEquals("WATCHDOG=1", systemd.next());
            }
            assertTrue(asked.get() > 2);
        }
    }
}
