package dev.oriel.server;

/// What is spoken at one port.
public enum Listener {
    /// memcached's protocols; the first byte says which one.
    MEMCACHED {
        @Override
        Protocol protocolOf(Input in, OrielServer server, Peer peer) {
            return BinaryProtocol.begins(in.byteAt(0))
                    ? new BinaryProtocol(new Client(server, this, peer))
                    : new TextProtocol(new Client(server, this, peer));
        }
    },

    /// What Couchbase's clients speak: the binary protocol, and more.
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
    };

    /// What a client speaks whose first bytes are in `in`; at least one is.
    abstract Protocol protocolOf(Input in, OrielServer server, Peer peer);
}
