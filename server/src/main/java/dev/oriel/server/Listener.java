package dev.oriel.server;

import java.util.Locale;

/// Protocol of a port.
public enum Listener {
    /// memcached's protocols; the first byte says which one.
    MEMCACHED {
        @Override
        Protocol protocolOf(Input in, OrielServer server, Peer peer) {
            return BinaryProtocol.begins(in.byteAt(0))
                    ? new BinaryProtocol(new Client(server, this, peer))
                    : new TextProtocol(new Client(server, this, peer));
        }

        @Override
        String tooMany() {
            return "ERROR Too many open connections\r\n";
        }
    },

    /// Protocol of Couchbase's clients: the binary protocol, and more.
    COUCHBASE {
        @Override
        Protocol protocolOf(Input in, OrielServer server, Peer peer) {
            return new BinaryProtocol(new Client(server, this, peer));
        }
    },

    /// HTTP.
    HTTP {
        @Override
        Protocol protocolOf(Input in, OrielServer server, Peer peer) {
            return new HttpProtocol(new Client(server, this, peer));
        }

        @Override
        String tooMany() {
            String body = "{\"error\":\"There are too many connections; try again later\"}";
            return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
                    + "Connection: close\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(body.length(), body);
        }
    },

    /// HTTP on a Unix domain socket; its clients have all privileges.
    ADMIN {
        @Override
        Protocol protocolOf(Input in, OrielServer server, Peer peer) {
            return new HttpProtocol(new Client(server, this, peer));
        }

        @Override
        String tooMany() {
            return HTTP.tooMany();
        }
    };

    /// Answer to a client beyond the limit of connections, in ASCII; empty if its protocol has none.
    String tooMany() {
        return "";
    }

    /// Name in the log, in health and in metrics.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The protocol of a client whose first bytes are in `in`; at least one is.
    abstract Protocol protocolOf(Input in, OrielServer server, Peer peer);
}
