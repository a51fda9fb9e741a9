package dev.oriel.server;

/// What is spoken at one port.
public enum Listener {
    /// memcached's protocols; the first byte says which one.
    MEMCACHED {
        @Override
        Protocol protocolOf(Input in, OrielServer server, boolean unheard) {
            return BinaryProtocol.begins(in.byteAt(0))
                    ? new BinaryProtocol(new Client(server, this, unheard))
                    : new TextProtocol(new Client(server, this, unheard));
        }
    },

    /// What Couchbase's clients speak: the binary protocol, and more.
    COUCHBASE {
        @Override
        Protocol protocolOf(Input in, OrielServer server, boolean unheard) {
            return new BinaryProtocol(new Client(server, this, unheard));
        }
    },

    /// HTTP.
    HTTP {
        @Override
        Protocol protocolOf(Input in, OrielServer server, boolean unheard) {
            return new HttpProtocol(new Client(server, this, unheard));
        }
    };

    /// What a client speaks whose first bytes are in `in`; at least one is.
    ///
    /// @param unheard whether nobody else can hear what it says
    abstract Protocol protocolOf(Input in, OrielServer server, boolean unheard);
}
