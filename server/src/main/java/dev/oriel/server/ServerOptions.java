package dev.oriel.server;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of the server. Ports: 0 takes any free one, -1 none at all.
///
/// @param host the address it listens at; unless that is the machine itself, users must be given
/// @param memcachedPort port of memcached's protocols: text, meta and binary
/// @param couchbasePort port for Couchbase's clients
/// @param httpPort port of metrics, health and the HTTP requests of Couchbase's clients
/// @param bucket the bucket that memcached's clients work on
/// @param users names and passwords of users with all privileges, in addition to the users of the database
///     ([Users]); without either, all clients may
/// @param certificate file of the certificate chain in PEM; null speaks in the clear
/// @param certificateKey file of its private key in PEM
/// @param connectionsMax greatest number of connected clients
/// @param valueBytesMax the longest value in bytes
/// @param idleMillis time after which a silent connection is closed; 0 for never
/// @param threads number of threads that read and write the network
/// @param synced whether a write is answered after it was synced to the disk, whatever the client asks
/// @param memoryBytesMax greatest number of bytes of incoming long values, of all connections together;
///     more are refused
/// @param admin options for its administration
public record ServerOptions(
        String host,
        int memcachedPort,
        int couchbasePort,
        int httpPort,
        String bucket,
        Map<String, String> users,
        @Nullable Path certificate,
        @Nullable Path certificateKey,
        int connectionsMax,
        int valueBytesMax,
        long idleMillis,
        int threads,
        boolean synced,
        long memoryBytesMax,
        AdminOptions admin) {
    /// Least value of [#memoryBytesMax()]: one long value at a time.
    private static final long MEMORY_BYTES_MIN = 1 << 20;

    public ServerOptions {
        if (memoryBytesMax < MEMORY_BYTES_MIN) {
            throw new dev.oriel.store.UsageException(
                    "The server needs a megabyte at least for what is on its way",
                    "memoryBytesMax=" + memoryBytesMax);
        }
        check(
                connectionsMax >= 1,
                "Clients served at once are 1 or more",
                "connections",
                connectionsMax);
        check(threads >= 1, "Threads of the network are 1 or more", "threads", threads);
        check(
                valueBytesMax >= 1,
                "The longest value has 1 byte or more",
                "value-bytes",
                valueBytesMax);
        check(idleMillis >= 0, "The idle limit is 0 for none, or more", "idle-millis", idleMillis);
        for (int port : new int[] {memcachedPort, couchbasePort, httpPort}) {
            check(
                    port >= -1 && port <= 65_535,
                    "A port is 0 to 65535, or -1 for none",
                    "port",
                    port);
        }
        users = Map.copyOf(users);
    }

    private static void check(boolean fits, String rule, String name, long value) {
        if (!fits) {
            throw new dev.oriel.store.UsageException(rule, name + "=" + value);
        }
    }

    /// Defaults: this machine alone, memcached's usual port and no other, the bucket `default`, no users. Up to
    /// 1,024 connections, values of 20 MB, no idle limit, a thread for each two processors. Writes as durable as
    /// the database's own, a quarter of the heap for incoming long values.
    public static ServerOptions defaults() {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new ServerOptions(
                "127.0.0.1",
                11211,
                -1,
                -1,
                "default",
                Map.of(),
                null,
                null,
                1_024,
                20 << 20,
                0,
                threads,
                false,
                Runtime.getRuntime().maxMemory() / 4,
                AdminOptions.NONE);
    }

    public ServerOptions withHost(String wanted) {
        return new ServerOptions(
                wanted,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withPorts(int memcached, int couchbase, int http) {
        return new ServerOptions(
                host,
                memcached,
                couchbase,
                http,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withBucket(String wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                wanted,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withUsers(Map<String, String> wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                wanted,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withCertificate(@Nullable Path chain, @Nullable Path key) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                chain,
                key,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withConnectionsMax(int wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                wanted,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withValueBytesMax(int wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                wanted,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withIdleMillis(long wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                wanted,
                threads,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withThreads(int wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                wanted,
                synced,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withSynced(boolean wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                wanted,
                memoryBytesMax,
                admin);
    }

    public ServerOptions withMemoryBytesMax(long wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                wanted,
                admin);
    }

    public ServerOptions withAdmin(AdminOptions wanted) {
        return new ServerOptions(
                host,
                memcachedPort,
                couchbasePort,
                httpPort,
                bucket,
                users,
                certificate,
                certificateKey,
                connectionsMax,
                valueBytesMax,
                idleMillis,
                threads,
                synced,
                memoryBytesMax,
                wanted);
    }

    /// Without the passwords.
    @Override
    public String toString() {
        return "ServerOptions[host=%s, memcachedPort=%d, couchbasePort=%d, httpPort=%d, bucket=%s, users=%s]"
                .formatted(host, memcachedPort, couchbasePort, httpPort, bucket, users.keySet());
    }
}
