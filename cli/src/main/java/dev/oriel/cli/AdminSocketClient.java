package dev.oriel.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Client of a running server's admin socket: one connection for each request.
final class AdminSocketClient {
    private static final int PIECE_BYTES = 64 << 10;

    private final Path socket;
    private boolean cut;

    AdminSocketClient(Path socket) {
        this.socket = socket;
    }

    /// Returns a table: the first row has the column names; null is SQL's NULL.
    List<List<@Nullable String>> rows(String method, String path, String... form)
            throws Failure, IOException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (String line : text(method, path, form).split("\n", -1)) {
            if (!line.isEmpty() || !rows.isEmpty()) {
                rows.add(cells(line));
            }
        }
        rows.removeLast(); // empty, after the last line end
        return rows;
    }

    private static List<@Nullable String> cells(String line) {
        List<@Nullable String> cells = new ArrayList<>();
        for (String cell : line.split("\t", -1)) {
            cells.add(cell.equals("\\N") ? null : unescaped(cell));
        }
        return cells;
    }

    private static String unescaped(String cell) {
        if (cell.indexOf('\\') < 0) {
            return cell;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            if (c == '\\' && i + 1 < cell.length()) {
                char next = cell.charAt(++i);
                text.append(
                        switch (next) {
                            case 't' -> '\t';
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            default -> next;
                        });
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /// Returns the body of the response.
    ///
    /// @param form names and values alternately
    String text(String method, String path, String... form) throws Failure, IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i + 1 < form.length; i += 2) {
            body.append(i == 0 ? "" : "&").append(form[i]).append('=');
            body.append(URLEncoder.encode(form[i + 1], StandardCharsets.UTF_8));
        }
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        String head =
                "%s %s HTTP/1.1\r\nHost: admin\r\nAccept: text/tab-separated-values\r\n"
                                .formatted(method, path)
                        + "Content-Length: %d\r\nConnection: close\r\n\r\n".formatted(bytes.length);
        String answer = exchange(head + body);
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0 || !answer.startsWith("HTTP/1.1 ")) {
            throw new Failure("the server has ended the connection without an answer");
        }
        String said = answer.substring(end + 4);
        cut = answer.substring(0, end).contains("\r\nOriel-More-Rows: true");
        if (!answer.startsWith("HTTP/1.1 200 ")) {
            throw new Failure(
                    said.replaceFirst("(?s)^\\{\"error\":\"(.*)\"\\}\\s*$", "$1")
                            .replace("\\u000a", "\n")
                            .replace("\\\"", "\"")
                            .replace("\\\\", "\\"));
        }
        return said;
    }

    /// Whether the query of the last request has more rows than were asked for.
    boolean isCut() {
        return cut;
    }

    private String exchange(String request) throws Failure, IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (SocketChannel channel = open()) {
            ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteBuffer in = ByteBuffer.allocate(PIECE_BYTES);
            while (channel.read(in) >= 0) {
                all.write(in.array(), 0, in.position());
                in.clear();
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private SocketChannel open() throws Failure, IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw new Failure(
                    "no server answers at %s (%s); is it running, as this user?"
                            .formatted(socket, e.getMessage()),
                    e);
        }
    }
}
