package dev.oriel.studio;

import dev.oriel.studio.StudioUsers.Right;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which requests are answered.
///
/// Without users, a token of 128 random bits is exchanged, once, for a cookie that scripts cannot read and that
/// other sites cannot send. The Host header must name the loopback address, which stops DNS rebinding. With users,
/// each logs in ([UserSessions]), and TLS stops rebinding: a browser refuses the certificate of another name. In both
/// cases the Origin of a request must be this server. Safe for use by any thread.
final class Gate {
    private static final String COOKIE = "oriel-studio-";
    private static final int TOKEN_BYTES = 16;
    private static final int TOKENS_MAX = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Set<String> tokens = new LinkedHashSet<>();
    private final String session = secret();
    private final @Nullable UserSessions users;

    Gate(@Nullable StudioUsers users) {
        this.users = users == null ? null : new UserSessions(users, System::nanoTime);
    }

    /// 128 random bits.
    static String secret() {
        byte[] bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// A token for one exchange. The oldest unused one is dropped if there are 64.
    synchronized String newToken() {
        if (tokens.size() == TOKENS_MAX) {
            tokens.remove(tokens.iterator().next());
        }
        String token = secret();
        tokens.add(token);
        return token;
    }

    /// Value of the cookie for `token`; null if the token is unknown or was used.
    private synchronized @Nullable String exchange(String token) {
        return tokens.remove(token) ? session : null;
    }

    /// Whether the sender of a request is known by its cookie.
    boolean knows(HttpHeaders headers, int port) {
        if (users != null) {
            return users.right(headers, port) != Right.NONE;
        }
        String value = Cookies.value(headers, COOKIE + port);
        return value != null && equal(value, session);
    }

    /// Rights of `exchange`. If it has none, this has answered it.
    Right admit(Exchange exchange) {
        String objection = objection(exchange.request(), exchange.port());
        if (objection != null) {
            exchange.fail(403, ErrorJson.of(new RequestException(403, objection)));
            return Right.NONE;
        }
        if (users != null) {
            return users.admit(exchange);
        }
        String token = exchange.path().equals("/") ? exchange.parameter("token") : null;
        String value = token == null ? null : exchange(token);
        if (value != null) {
            String cookie =
                    COOKIE + exchange.port() + "=" + value + "; Path=/; HttpOnly; SameSite=Strict";
            exchange.redirect("/", cookie);
            return Right.NONE;
        }
        if (!knows(exchange.request().headers(), exchange.port())) {
            refuse(exchange);
            return Right.NONE;
        }
        return Right.WRITE;
    }

    /// Answers a person with a page, and a script with JSON.
    private static void refuse(Exchange exchange) {
        String message =
                "This address was opened without a valid token; open the one that the studio printed.";
        boolean person =
                exchange.request().headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html");
        if (person) {
            exchange.send(401, "text/html", page(message).getBytes(StandardCharsets.UTF_8));
        } else {
            exchange.fail(401, ErrorJson.of(new RequestException(401, message)));
        }
    }

    private static String page(String message) {
        return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
        <meta name="viewport" content="width=device-width, initial-scale=1"><title>Oriel studio</title></head>
        <body><main><h1>Oriel studio</h1><p>%s</p>
        <p>Each start of a studio has an address of its own, which works once.</p></main></body></html>
        """
                .formatted(message);
    }

    /// Reason to refuse the request whatever its cookie; null if there is none.
    private @Nullable String objection(FullHttpRequest request, int port) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        if (users == null && !isOurs(host, port)) {
            return "The Host header names another server; open the address that the studio printed.";
        }
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        if (origin != null && !isOurOrigin(origin, host, port)) {
            return "The Origin header names another site; open the address that the studio printed.";
        }
        String site = request.headers().get("sec-fetch-site");
        if (!request.method().equals(HttpMethod.GET)
                && site != null
                && !site.equals("same-origin")) {
            return "The request comes from another site; open the address that the studio printed.";
        }
        return null;
    }

    private boolean isOurOrigin(String origin, String host, int port) {
        if (users != null) {
            return origin.equalsIgnoreCase("https://" + host);
        }
        String scheme = "http://";
        return origin.startsWith(scheme) && isOurs(origin.substring(scheme.length()), port);
    }

    private static boolean isOurs(String host, int port) {
        return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
    }

    private static boolean equal(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
