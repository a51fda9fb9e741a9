package dev.oriel.server;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Sends datagrams to a Unix domain socket, as sd_notify(3) does. Java has no such sockets, so this calls the C
/// library. The program systemd-notify is no substitute: by default systemd takes notices from the main process alone.
/// Linux only. Safe for use by any number of threads.
///
/// The descriptor is kept until the end, so that a process without free descriptors can send notices still.
final class NoticeSocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;

    /// Greatest length of a path in `sockaddr_un`.
    private static final int PATH_BYTES_MAX = 108;

    private final byte[] path;
    private final MethodHandle send;
    private final MethodHandle close;
    private final int descriptor;
    private boolean closed;

    /// @param name path of the socket; `@` begins an abstract one
    /// @throws IOException if this is not Linux, no socket can have that name, or no descriptor is free
    @SuppressWarnings("restricted") // the launcher allows native access
    NoticeSocket(String name) throws IOException {
        path = name.getBytes(StandardCharsets.UTF_8);
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new IOException("Notices to systemd need Linux");
        }
        if (path.length == 0
                || path.length >= PATH_BYTES_MAX
                || (path[0] != '/' && path[0] != '@')) {
            throw new IOException("This is no name of a socket: " + name);
        }
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        ValueLayout.OfInt number = ValueLayout.JAVA_INT;
        ValueLayout.OfLong length = ValueLayout.JAVA_LONG;
        MethodHandle socket =
                linker.downcallHandle(
                        library.findOrThrow("socket"),
                        FunctionDescriptor.of(number, number, number, number));
        send =
                linker.downcallHandle(
                        library.findOrThrow("sendto"),
                        FunctionDescriptor.of(
                                length,
                                number,
                                ValueLayout.ADDRESS,
                                length,
                                number,
                                ValueLayout.ADDRESS,
                                number));
        close =
                linker.downcallHandle(
                        library.findOrThrow("close"), FunctionDescriptor.of(number, number));
        descriptor = open(socket);
    }

    private static int open(MethodHandle socket) throws IOException {
        int opened;
        try {
            opened = (int) socket.invokeExact(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // declared by method handles alone
            throw new IllegalStateException(e);
        }
        if (opened < 0) {
            throw new IOException("The socket for notices to systemd cannot be created");
        }
        return opened;
    }

    /// Sends `text`, as one datagram; after [#close] nothing.
    ///
    /// @throws IOException if no process receives it
    synchronized void send(String text) throws IOException {
        if (closed) {
            return;
        }
        byte[] message = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(message.length + 1L);
            MemorySegment.copy(message, 0, bytes, ValueLayout.JAVA_BYTE, 0, message.length);
            MemorySegment address = arena.allocate(2L + PATH_BYTES_MAX, 8);
            address.set(
                    ValueLayout.JAVA_SHORT.withOrder(ByteOrder.nativeOrder()), 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, 2, path.length);
            if (path[0] == '@') {
                address.set(ValueLayout.JAVA_BYTE, 2, (byte) 0);
            }
            int addressBytes = 2 + path.length;
            long sent =
                    (long)
                            send.invokeExact(
                                    descriptor,
                                    bytes,
                                    (long) message.length,
                                    MSG_NOSIGNAL,
                                    address,
                                    addressBytes);
            if (sent != message.length) {
                throw new IOException("No process listens on the socket");
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // declared by method handles alone
            throw new IllegalStateException(e);
        }
    }

    /// Closes the descriptor; a second call does nothing.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            int _ = (int) close.invokeExact(descriptor);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // declared by method handles alone
            throw new IllegalStateException(e);
        }
    }
}
