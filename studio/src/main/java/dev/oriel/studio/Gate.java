package dev.oriel.studio;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which requests are answered.
///
/// A token of 128 random bits is exchanged, once, for a cookie that scripts cannot read and that other
/// sites cannot send. The Host header must name the loopback address, which stops DNS rebinding, and
/// the Origin of a request with changes must be this server. Safe for use by any thread.
final class Gate {
    private static final String COOKIE = "oriel-studio-";
    private static final int TOKEN_BYTES = 16;
    private static final int TOKENS_MAX = 64;

    private final SecureRandom random = new SecureRandom();
    private final Set<String> tokens = new LinkedHashSet<>();
    private final String session = secret();

    private String secret() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
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

    /// Whether `exchange` may be answered. If not, this has answered it.
    boolean admits(Exchange exchange) {
        String objection = objection(exchange.request(), exchange.port());
        if (objection != null) {
            exchange.fail(403, ErrorJson.of(new RequestException(403, objection)));
            return false;
        }
        String token = exchange.path().equals("/") ? exchange.parameter("token") : null;
        String value = token == null ? null : exchange(token);
        if (value != null) {
            String cookie =
                    COOKIE + exchange.port() + "=" + value + "; Path=/; HttpOnly; SameSite=Strict";
            exchange.redirect("/", cookie);
            return false;
        }
        if (!knows(exchange.request(), exchange.port())) {
            refuse(exchange);
            return false;
        }
        return true;
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

    /// Whether the request has the cookie of this studio. Browsers keep one set of cookies for all ports.
    private boolean knows(FullHttpRequest request, int port) {
        for (String header : request.headers().getAll(HttpHeaderNames.COOKIE)) {
            for (Cookie cookie : ServerCookieDecoder.STRICT.decode(header)) {
                if (cookie.name().equals(COOKIE + port) && equal(cookie.value(), session)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Reason to refuse the request whatever its cookie; null if there is none.
    private static @Nullable String objection(FullHttpRequest request, int port) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        if (!isOurs(host, port)) {
            return "The Host header names another server; open the address that the studio printed.";
        }
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        if (origin != null
                && !(origin.startsWith("http://")
                        && isOurs(origin.substring("http://".length()), port))) {
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

    private static boolean isOurs(String host, int port) {
        return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
    }

    private static boolean equal(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
