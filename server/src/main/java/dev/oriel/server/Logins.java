package dev.oriel.server;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Logins with a password at another listener of the same process, such as the studio's page: with the accounts, the
/// delays, the counters and the log lines of the server. Safe for use by any thread.
public final class Logins {
    private final OrielServer server;

    Logins(OrielServer server) {
        this.server = server;
    }

    /// A login that has succeeded.
    public final class UserLogin {
        private final Account account;

        private UserLogin(Account account) {
            this.account = account;
        }

        /// The user with the present rights; null if the user was dropped or has another password.
        public @Nullable User user() {
            Account now = server.accounts().of(account.name());
            return now != null && now.isSameLogin(account) ? now.user() : null;
        }
    }

    /// Whether the server has users, or has had one.
    public boolean isNeeded() {
        return !server.accounts().isOpen();
    }

    /// TLS by the server's certificate, for the next connection; null if the server has none.
    public @Nullable SslContext tls() {
        return server.certificate().context();
    }

    /// Checks a password; null if it is refused. After failures it waits before, so that passwords cannot be guessed
    /// fast.
    ///
    /// @param listener name of the listener in the log
    public @Nullable UserLogin login(
            InetAddress from, String name, String password, String listener) {
        String address = from.getHostAddress();
        String[] facts = {
            "address",
            address,
            "listener",
            listener,
            "user",
            Client.shownUser(name),
            "mechanism",
            "PLAIN"
        };
        LoginDelays delays = server.loginDelays();
        Account account =
                delays.await(address, name) ? server.accounts().login(name, password) : null;
        if (account == null) {
            delays.failed(address, name);
            server.metrics().loginFailures.increment();
            server.log().warned("A login was refused", facts);
            return null;
        }
        delays.succeeded(account.name());
        server.metrics().logins.increment();
        server.log().said("A login succeeded", facts);
        return new UserLogin(account);
    }
}
