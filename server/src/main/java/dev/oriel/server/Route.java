package dev.oriel.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The paths of HTTP, and who may ask for them: the only table of paths. What is not here is not found, and
/// that only by those who have logged in.
enum Route {
    HEALTH("GET|HEAD", "/health(/live|/ready)?", Access.ANYBODY),
    METRICS("GET|HEAD", "/metrics", Access.ANYBODY),
    /// What [AdminRequests] does.
    ADMIN("GET|POST", "/admin(/.*)?", Access.SERVER),
    POOLS("GET|HEAD", "/pools", Access.USER),
    USERS(".*", "/users(/.*)?", Access.SERVER),
    /// Shows those buckets that the client may read.
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
    /// Everything else that begins so: not for those who may not even look at the bucket.
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

    /// The first that fits; null where there is none.
    static @Nullable Route of(String method, String path) {
        for (Route route : values()) {
            if (route.methods.matcher(method).matches() && route.path.matcher(path).matches()) {
                return route;
            }
        }
        return null;
    }

    /// Whether the client may ask for `path`, which fits.
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
