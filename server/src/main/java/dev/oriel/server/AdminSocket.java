package dev.oriel.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/// The socket for admins of this machine: a file that only the owner of the process can open (0600), so its
/// clients need no login.
///
/// It is made in a folder that only the owner can enter, and moved to its place when its permissions are right.
final class AdminSocket implements AutoCloseable {
    /// Least limit of a socket path among systems (macOS).
    private static final int PATH_BYTES_MAX = 103;

    private final Path file;
    private final Channel channel;

    private AdminSocket(Path file, Channel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// @param guard survives failures to accept
    /// @param accept takes each new connection
    /// @throws IOException if the file cannot be made, or another process listens there
    static AdminSocket open(
            Path file, EventLoopGroup loops, AcceptGuard guard, Consumer<Channel> accept)
            throws IOException {
        Path absolute = file.toAbsolutePath();
        if (absolute.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length
                > PATH_BYTES_MAX) {
            throw new IOException("The path of a socket has 103 bytes at most: " + absolute);
        }
        deleteLeftBehind(absolute);
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new IOException("The path of the socket names no file: " + absolute);
        }
        Path room = parent.resolve(".a");
        Path made = room.resolve("s");
        Files.deleteIfExists(made);
        Files.deleteIfExists(room);
        boolean posix = Files.getFileStore(parent).supportsFileAttributeView("posix");
        if (posix) {
            Files.createDirectory(
                    room,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(room);
        }
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops)
                        .handler(guard)
                        .channel(NioServerDomainSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept.accept(channel);
                                    }
                                });
        var bound = bootstrap.bind(UnixDomainSocketAddress.of(made)).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Files.deleteIfExists(made);
            Files.deleteIfExists(room);
            throw new IOException(
                    "The server cannot listen on the socket: " + absolute, bound.cause());
        }
        if (posix) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
        }
        Files.move(made, absolute, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(room);
        return new AdminSocket(absolute, bound.channel());
    }

    /// The channel that accepts its connections.
    Channel channel() {
        return channel;
    }

    /// Deletes the socket of a server that was killed; refuses to replace anything else.
    private static void deleteLeftBehind(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(
                        file,
                        java.nio.file.attribute.BasicFileAttributes.class,
                        LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw new IOException("There is a file that is not a socket: " + file);
        }
        try (SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.connect(UnixDomainSocketAddress.of(file));
            throw new IOException("Another server listens there: " + file);
        } catch (ConnectException nobody) {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit(); // the next server deletes it otherwise
        }
    }
}
