package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.studio.StudioUsers.Login;
import dev.oriel.studio.StudioUsers.Right;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Sessions of users who have logged in with a password. A cookie, which scripts cannot read and other sites cannot
/// send, names the session. It ends with a logout, after twelve idle hours, or when its user has no rights any more.
/// Safe for use by any thread.
final class UserSessions {
    /// Browsers take a cookie of this prefix only over TLS, for this host alone.
    private static final String COOKIE = "__Host-oriel-studio-";

    private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Strict";
    private static final int SESSIONS_MAX = 1_000;
    private static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(12);

    /// Files that the page of the login is made of.
    private static final Set<String> OPEN = Set.of("/login.js", "/style.css", "/icon.svg");

    private final StudioUsers users;
    private final LongSupplier nanoTime;
    private final Pages pages = new Pages();
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Session {
        private final String user;
        private final Login login;
        private long usedNanos;

        private Session(String user, Login login, long now) {
            this.user = user;
            this.login = login;
            this.usedNanos = now;
        }
    }

    UserSessions(StudioUsers users, LongSupplier nanoTime) {
        this.users = users;
        this.nanoTime = nanoTime;
    }

    /// Rights of a request by its cookie.
    Right right(HttpHeaders headers, int port) {
        Session session = of(headers, port);
        return session == null ? Right.NONE : session.login.right();
    }

    private synchronized @Nullable Session of(HttpHeaders headers, int port) {
        String id = Cookies.value(headers, COOKIE + port);
        Session session = id == null ? null : sessions.get(id);
        if (session == null) {
            return null;
        }
        long now = nanoTime.getAsLong();
        if (now - session.usedNanos > IDLE_NANOS) {
            sessions.remove(id);
            return null;
        }
        session.usedNanos = now;
        return session;
    }

    /// Rights of a request. One without rights, and one that logs in or out, is answered here.
    Right admit(Exchange exchange) {
        if (exchange.method().equals("POST") && exchange.path().equals("/login")) {
            login(exchange);
            return Right.NONE;
        }
        if (exchange.method().equals("POST") && exchange.path().equals("/logout")) {
            logout(exchange);
            return Right.NONE;
        }
        Session session = of(exchange.request().headers(), exchange.port());
        Right right = session == null ? Right.NONE : session.login.right();
        if (session == null || right == Right.NONE) {
            refuse(exchange);
        } else {
            exchange.user(session.user);
        }
        return right;
    }

    private void refuse(Exchange exchange) {
        boolean page = exchange.method().equals("GET") && exchange.path().equals("/");
        try {
            if (page || OPEN.contains(exchange.path())) {
                pages.send(exchange, page ? "/login.html" : exchange.path());
                return;
            }
        } catch (IOException e) {
            exchange.fail(500, ErrorJson.of(e));
            return;
        }
        fail(exchange, 401, "You are not logged in; load the page again to log in.");
    }

    private static void fail(Exchange exchange, int status, String message) {
        exchange.fail(status, ErrorJson.of(new RequestException(status, message)));
    }

    private void login(Exchange exchange) {
        String name;
        String password;
        try {
            JsonNode body = exchange.body();
            name = Names.required(body, "name");
            password = Names.required(body, "password");
        } catch (RequestException e) {
            exchange.fail(e.status(), ErrorJson.of(e));
            return;
        }
        Login login = users.login(exchange.address(), name, password);
        if (login == null) {
            fail(exchange, 403, "Name or password are wrong; try again.");
            return;
        }
        if (login.right() == Right.NONE) {
            fail(
                    exchange,
                    403,
                    "This user has no role on all buckets, which the studio needs; ask an admin"
                            + " for '*=read' or '*=admin'.");
            return;
        }
        exchange.cookie(COOKIE + exchange.port() + "=" + begin(name, login) + ATTRIBUTES);
    }

    /// Begins a session; returns the value of its cookie.
    synchronized String begin(String name, Login login) {
        if (sessions.size() == SESSIONS_MAX) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        String id = Gate.secret();
        sessions.put(id, new Session(name, login, nanoTime.getAsLong()));
        return id;
    }

    private void logout(Exchange exchange) {
        String name = COOKIE + exchange.port();
        String id = Cookies.value(exchange.request().headers(), name);
        if (id != null) {
            synchronized (this) {
                sessions.remove(id);
            }
        }
        exchange.cookie(name + "=; Max-Age=0" + ATTRIBUTES);
    }
}
