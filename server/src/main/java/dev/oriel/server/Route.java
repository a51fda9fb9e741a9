package dev.oriel.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The paths of HTTP with their access rules: the only table of paths. Any other path is not found, and even that
/// answer needs a login.
enum Route {
    HEALTH("GET|HEAD", "/health(/live|/ready)?", Access.ANYBODY),
    METRICS("GET|HEAD", "/metrics", Access.ANYBODY),
    /// Paths of [AdminRequests].
    ADMIN("GET|POST", "/admin(/.*)?", Access.SERVER),
    POOLS("GET|HEAD", "/pools", Access.USER),
    USERS(".*", "/users(/.*)?", Access.SERVER),
    /// The buckets that the client may read.
    BUCKETS("GET|HEAD", "/pools/default/buckets", Access.USER),
    BUCKET_CREATION("POST", "/pools/default/buckets", Access.SERVER),
    BUCKET_DROP("DELETE", "/pools/default/buckets/[^/]+", Access.SERVER),
    BUCKET_FLUSH(
            "POST", "/pools/default/buckets/(?<bucket>[^/]*)/controller/doFlush", Access.ADMIN),
    BUCKET("GET|HEAD", "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)", Access.READ),
    SCOPES("GET|HEAD", "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)/scopes", Access.READ),
    SCOPE_CREATION("POST", "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)/scopes", Access.ADMIN),
    COLLECTIONS(
            "POST",
            "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)/scopes/[^/]*/collections",
            Access.ADMIN),
    SCOPE_DROP(
            "DELETE",
            "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)/scopes/[^/]*(/collections/[^/]*)?",
            Access.ADMIN),
    /// All other paths with this prefix: they too need read access to the bucket.
    BUCKET_OTHERWISE(".*", "/pools/default/(?:buckets|b)/(?<bucket>[^/]*)(/.*)?", Access.READ);

    private final Pattern methods;
    private final Pattern path;
    private final Access access;

    Route(String methods, String path, Access access) {
        this.methods = Pattern.compile(methods);
        this.path = Pattern.compile(path);
        this.access = access;
    }

    Access access() {
        return access;
    }

    /// The first that fits; null if there is none.
    static @Nullable Route of(String method, String path) {
        for (Route route : values()) {
            if (route.methods.matcher(method).matches() && route.path.matcher(path).matches()) {
                return route;
            }
        }
        return null;
    }

    /// Whether the client may request `asked`, which fits.
    boolean admits(Client client, String asked) {
        Role role = access.role();
        if (role == null) {
            boolean known = this != ADMIN || !client.isOpenToAll();
            return access != Access.SERVER || (known && client.isAdmin());
        }
        Matcher matcher = path.matcher(asked);
        return matcher.matches() && client.may(role, matcher.group("bucket"));
    }
}
