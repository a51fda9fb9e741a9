package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.server.Logins;
import dev.oriel.server.OrielServer;
import dev.oriel.server.Role;
import dev.oriel.server.User;
import dev.oriel.studio.Studio;
import dev.oriel.studio.StudioOptions;
import dev.oriel.studio.StudioUsers;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// The studio of a server. At the machine's own address a token admits one browser; at any other the users of the
/// server log in, over its TLS. SQL sees all tables, so a user needs a role on all buckets: an admin changes
/// everything, others read.
final class ServedStudio implements StudioUsers {
    private final Logins logins;

    private ServedStudio(Logins logins) {
        this.logins = logins;
    }

    /// Opens the studio.
    ///
    /// @throws Failure if other machines could use it without a login, or in the clear
    static Studio open(Database database, OrielServer server, StudioOptions options)
            throws IOException, Failure {
        if (InetAddress.getByName(options.host()).isLoopbackAddress()) {
            return Studio.open(database, options);
        }
        Logins logins = server.logins();
        if (!logins.isNeeded() || logins.tls() == null) {
            throw new Failure(
                    "a studio at "
                            + options.host()
                            + " needs users and TLS: oriel user add, --tls-certificate and"
                            + " --tls-key; or leave --studio-host out");
        }
        return Studio.open(database, options, new ServedStudio(logins));
    }

    @Override
    public SslContext tls() {
        SslContext context = logins.tls();
        if (context == null) {
            throw new IllegalStateException("The server has lost its certificate; start it again.");
        }
        return context;
    }

    @Override
    public @Nullable Login login(InetAddress from, String name, String password) {
        Logins.UserLogin login = logins.login(from, name, password, "STUDIO");
        return login == null ? null : () -> right(login.user());
    }

    private static Right right(@Nullable User user) {
        Role role = user == null ? null : user.rights().get(User.ALL_BUCKETS);
        return role == null ? Right.NONE : role == Role.ADMIN ? Right.WRITE : Right.READ;
    }
}
