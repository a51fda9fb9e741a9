package dev.oriel.compare.pairs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// A client asks a server over a socket. Changed: the server takes longer to route a request.
public final class Echo {
    private static int steps = 30_000;

    private Echo() {}

    public static void main(String[] words) throws IOException {
        steps = Work.isChanged(words) ? steps * 2 : steps;
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket server = listening.accept()) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread thread = new Thread(() -> serve(server), "server");
            thread.setDaemon(true);
            thread.start();
            Work.run(words, seed -> ask(client, (int) seed));
        }
    }

    static long ask(Socket socket, int seed) {
        try {
            socket.getOutputStream().write(seed);
            return socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(Socket socket) {
        try {
            int request = socket.getInputStream().read();
            while (request >= 0) {
                socket.getOutputStream().write((int) render(route(request)));
                request = socket.getInputStream().read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long route(long request) {
        return Work.steps(request, steps);
    }

    private static long render(long page) {
        return Work.steps(page, 60_000);
    }
}
