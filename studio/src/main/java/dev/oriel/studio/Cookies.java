package dev.oriel.studio;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import org.jspecify.annotations.Nullable;

/// Cookies of a request.
final class Cookies {
    private Cookies() {}

    /// Value of the cookie `name`; null if there is none.
    static @Nullable String value(HttpHeaders headers, String name) {
        for (String header : headers.getAll(HttpHeaderNames.COOKIE)) {
            for (Cookie cookie : ServerCookieDecoder.STRICT.decode(header)) {
                if (cookie.name().equals(name)) {
                    return cookie.value();
                }
            }
        }
        return null;
    }
}
