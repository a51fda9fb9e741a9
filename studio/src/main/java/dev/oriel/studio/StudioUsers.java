package dev.oriel.studio;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Admits browsers of other machines: over TLS, by a name and a password. Called by any thread.
public interface StudioUsers {
    /// Rights of a user in a studio.
    enum Right {
        /// None: the user must log in again.
        NONE,
        /// Everything is shown, nothing can be changed.
        READ,
        /// As at the machine itself.
        WRITE
    }

    /// A login that has succeeded.
    interface Login {
        /// The user's rights at present.
        Right right();
    }

    /// TLS for the next connection.
    SslContext tls();

    /// Checks a password; null if it is refused. It may wait before, so that passwords cannot be guessed fast.
    @Nullable Login login(InetAddress from, String name, String password);
}
