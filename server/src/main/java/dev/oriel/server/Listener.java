package dev.oriel.server;

/// What is spoken at one port.
public enum Listener {
    /// memcached's protocols; the first byte says which one.
    MEMCACHED {
        @Override
        Protocol protocolOf(Input in, OrielServer server) {
            return BinaryProtocol.begins(in.byteAt(0))
                    ? new BinaryProtocol(new Client(server, this))
                    : new TextProtocol(new Client(server, this));
        }
    },

    /// What Couchbase's clients speak: the binary protocol, and more.
    COUCHBASE {
        @Override
        Protocol protocolOf(Input in, OrielServer server) {
            return new BinaryProtocol(new Client(server, this));
        }
    },

    /// HTTP.
    HTTP {
        @Override
        Protocol protocolOf(Input in, OrielServer server) {
            return new HttpProtocol(new Client(server, this));
        }
    };

    /// What a client speaks whose first bytes are in `in`; at least one is.
    abstract Protocol protocolOf(Input in, OrielServer server);
}
