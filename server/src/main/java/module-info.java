import org.jspecify.annotations.NullMarked;

/// Oriel over the network.
@NullMarked
module dev.oriel.server {
    requires static transitive org.jspecify;
    requires transitive dev.oriel;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires transitive io.netty.handler;
    requires io.netty.transport;
    requires jdk.management;

    exports dev.oriel.server;
}
