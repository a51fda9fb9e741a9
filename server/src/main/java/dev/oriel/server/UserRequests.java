package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// User management over HTTP, for admins of all buckets: `GET /users` lists them, `PUT /users/NAME` adds one or
/// changes it, `DELETE /users/NAME` drops it. One change at a time, so that an admin is left.
final class UserRequests {
    private UserRequests() {}

    /// `[{"name":"ada","rights":{"*":"admin"}}]`
    static String list(Users users) {
        StringBuilder json = new StringBuilder("[");
        String comma = "";
        for (User user : users.list()) {
            json.append(comma).append("{\"name\":");
            Json.quote(user.name(), json);
            json.append(",\"rights\":{");
            String inner = "";
            for (Map.Entry<String, Role> right : user.rights().entrySet()) {
                json.append(inner);
                Json.quote(right.getKey(), json);
                json.append(":\"").append(right.getValue().name().toLowerCase(Locale.ROOT));
                json.append('"');
                inner = ",";
            }
            json.append("}}");
            comma = ",";
        }
        return json.append(']').toString();
    }

    /// Sets a user from the form: `password=...` (needed for a new one) and `rights=BUCKET=ROLE,...` (the complete
    /// list; without it rights stay).
    ///
    /// @param admins whether there are admins of all buckets beside these users
    /// @throws UsageException if no admin of all buckets would be left
    static synchronized void put(Users users, String name, String form, boolean admins) {
        String password = HttpProtocol.formField(form, "password");
        if (!password.isEmpty() && password.length() < Users.PASSWORD_CHARS_MIN) {
            throw new UsageException(
                    "A password has at least " + Users.PASSWORD_CHARS_MIN + " characters", "");
        }
        boolean says = ("&" + form).contains("&rights=");
        Map<String, Role> rights = rights(HttpProtocol.formField(form, "rights"));
        List<User> known = users.list().stream().filter(user -> user.name().equals(name)).toList();
        if (known.isEmpty()) {
            users.add(name, password, rights);
            return;
        }
        if (says && !admins && rights.get(User.ALL_BUCKETS) != Role.ADMIN) {
            checkNotLast(users, name);
        }
        if (!password.isEmpty()) {
            users.password(name, password);
        }
        if (says) {
            rights.forEach((bucket, role) -> users.grant(name, bucket, role));
            for (String bucket : known.getFirst().rights().keySet()) {
                if (!rights.containsKey(bucket)) {
                    users.revoke(name, bucket);
                }
            }
        }
    }

    /// Drops a user, but never the last one who may add others.
    ///
    /// @param admins whether there are admins of all buckets beside these users
    /// @throws UsageException if there is no other admin of all buckets
    static synchronized void drop(Users users, String name, boolean admins) {
        if (!admins) {
            checkNotLast(users, name);
        }
        users.drop(name);
    }

    private static void checkNotLast(Users users, String name) {
        List<String> known = users.list().stream().filter(User::isAdmin).map(User::name).toList();
        if (known.equals(List.of(name))) {
            throw new UsageException(
                    "The last admin cannot be removed over HTTP; add another one first, or stop the server and"
                            + " use 'oriel user'",
                    "user=" + name);
        }
    }

    private static Map<String, Role> rights(String words) {
        Map<String, Role> rights = new HashMap<>();
        for (String word : words.isEmpty() ? new String[0] : words.split(",", -1)) {
            int equals = word.lastIndexOf('=');
            try {
                rights.put(
                        word.substring(0, Math.max(equals, 0)).toLowerCase(Locale.ROOT),
                        Role.valueOf(word.substring(equals + 1).toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new UsageException(
                        "A right is BUCKET=ROLE with the role read, write or admin",
                        "right=" + word,
                        e);
            }
        }
        return rights;
    }
}
