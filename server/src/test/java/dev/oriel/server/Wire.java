package dev.oriel.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A connection of a test to a server on this machine.
final class Wire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    Wire(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /// Sends from another thread, because the other side may wait to be read from.
    Thread sendAside(byte[] bytes) {
        return Thread.startVirtualThread(() -> {
            try {
                send(bytes);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    /// Sends what the server may have had enough of before it is over.
    void sendUntilClosed(byte[] bytes) {
        try {
            send(bytes);
        } catch (IOException closed) {
            // that is what is looked for; whoever calls this sees whether it is over
            return;
        }
    }

    /// Has the connection end without a word: what is on its way is lost.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
    }

    /// Sends `text` and then a command whose answer is known, and returns what came before that.
    String ask(String text) throws IOException {
        send(text + "mn\r\n");
        StringBuilder all = new StringBuilder();
        while (true) {
            String line = line();
            if (line.equals("MN\r\n")) {
                return all.toString();
            }
            all.append(line);
        }
    }

    /// The next line, with its end; what came before the end of the connection where that is sooner.
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                return line.toString();
            }
            line.append((char) b);
            if (b == '\n') {
                return line.toString();
            }
        }
    }

    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    /// The next `count` bytes.
    String text(int count) throws IOException {
        return new String(bytes(count), StandardCharsets.UTF_8);
    }

    /// Asks for `path` over HTTP and returns the answer; the connection stays.
    String http(String path) throws IOException {
        send("GET " + path + " HTTP/1.1\r\n\r\n");
        StringBuilder head = new StringBuilder();
        int length = 0;
        for (String line = line(); !line.equals("\r\n"); line = line()) {
            if (line.isEmpty()) {
                throw new IOException("the connection was closed");
            }
            head.append(line);
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring(16).strip());
            }
        }
        return head + text(length);
    }

    /// Passes over so many bytes.
    void skip(int count) throws IOException {
        in.skipNBytes(count);
    }

    /// Whether the server has closed the connection, once everything before that is read.
    boolean isOver() throws IOException {
        try {
            while (in.read() >= 0) {
                // what is left does not matter
            }
            return true;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    String all() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    /// A response of the binary protocol.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Response(
            int opcode, int status, int opaque, long cas, byte[] extras, byte[] key, byte[] value) {
        String text() {
            return new String(value, StandardCharsets.UTF_8);
        }
    }

    Response response() throws IOException {
        int magic = in.readUnsignedByte();
        if (magic != 0x81) {
            throw new IOException("magic " + magic);
        }
        int opcode = in.readUnsignedByte();
        byte[] key = new byte[in.readUnsignedShort()];
        byte[] extras = new byte[in.readUnsignedByte()];
        in.readUnsignedByte();
        int status = in.readUnsignedShort();
        byte[] value = new byte[in.readInt() - key.length - extras.length];
        int opaque = in.readInt();
        long cas = in.readLong();
        in.readFully(extras);
        in.readFully(key);
        in.readFully(value);
        return new Response(opcode, status, opaque, cas, extras, key, value);
    }

    /// A request of the binary protocol.
    static byte[] request(
            int opcode, int opaque, long cas, byte[] extras, String key, byte[] value) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x80);
        out.write(opcode);
        out.write(keyBytes.length >> 8);
        out.write(keyBytes.length);
        out.write(extras.length);
        out.write(0);
        out.write(0);
        out.write(0);
        put(out, extras.length + keyBytes.length + value.length, 4);
        put(out, opaque, 4);
        put(out, cas, 8);
        out.writeBytes(extras);
        out.writeBytes(keyBytes);
        out.writeBytes(value);
        return out.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, long number, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.write((int) (number >> (8 * i)));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
