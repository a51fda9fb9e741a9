package dev.oriel.server;

import dev.oriel.kv.Buckets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The scopes and collections of a bucket, as Couchbase's clients see them.
final class Manifest {
    static final String DEFAULT = "_default";

    /// Hidden collection that keeps a scope without other collections.
    static final String SCOPE_MARK = "_scope";

    private Manifest() {}

    /// The bucket that a collection is kept in.
    static String bucketName(String bucket, String scope, String collection) {
        boolean itself = scope.equals(DEFAULT) && collection.equals(DEFAULT);
        return itself ? bucket : bucket + "$" + scope + "$" + collection;
    }

    /// The number of a collection, or -1 if there is none of that name.
    static int id(OrielServer server, String bucket, String scope, String collection) {
        if (scope.equals(DEFAULT) && collection.equals(DEFAULT)) {
            return 0;
        }
        String wanted = bucketName(bucket, scope, collection);
        Long id = server.buckets().ids().get(wanted.toLowerCase(Locale.ROOT));
        return id == null ? -1 : (int) (id + CouchbaseCommands.FIRST_COLLECTION);
    }

    /// The bucket that collection `id` of `bucket` is kept in, or null if there is none.
    static @Nullable String bucketOf(OrielServer server, @Nullable String bucket, int id) {
        String prefix = bucket + "$";
        for (Map.Entry<String, Long> one : server.buckets().ids().entrySet()) {
            if (one.getValue() + CouchbaseCommands.FIRST_COLLECTION == id
                    && one.getKey().startsWith(prefix.toLowerCase(Locale.ROOT))) {
                return one.getKey();
            }
        }
        return null;
    }

    static boolean hasScope(OrielServer server, String bucket, String scope) {
        String kept = scope.toLowerCase(Locale.ROOT); // as the names of buckets are
        return scope.equals(DEFAULT) || scopes(server.buckets(), bucket).containsKey(kept);
    }

    static int scopeId(String scope) {
        String kept = scope.toLowerCase(Locale.ROOT);
        return scope.equals(DEFAULT) ? 0 : 8 + (kept.hashCode() & 0xFFFF);
    }

    /// The buckets that the collections of `scope` are kept in, or of all scopes if it is empty.
    static List<String> keptIn(OrielServer server, String bucket, String scope) {
        String begin = bucket + "$" + (scope.isEmpty() ? "" : scope + "$");
        return server.buckets().names().stream()
                .filter(name -> name.startsWith(begin.toLowerCase(Locale.ROOT)))
                .toList();
    }

    /// A version that grows whenever a definition changes.
    static long uid(OrielServer server) {
        return server.buckets().catalogVersion();
    }

    /// Scope to collections to their numbers, all by name.
    private static Map<String, Map<String, Integer>> scopes(Buckets buckets, String bucket) {
        Map<String, Map<String, Integer>> scopes = new TreeMap<>();
        scopes.computeIfAbsent(DEFAULT, name -> new LinkedHashMap<>()).put(DEFAULT, 0);
        String prefix = bucket.toLowerCase(Locale.ROOT) + "$";
        buckets.ids()
                .forEach((name, id) -> {
                    int second = name.indexOf('$', prefix.length());
                    if (name.startsWith(prefix) && second > 0) {
                        var collections =
                                scopes.computeIfAbsent(
                                        name.substring(prefix.length(), second),
                                        scope -> new LinkedHashMap<>());
                        String collection = name.substring(second + 1);
                        if (!collection.equals(SCOPE_MARK)) {
                            collections.put(
                                    collection, (int) (id + CouchbaseCommands.FIRST_COLLECTION));
                        }
                    }
                });
        return scopes;
    }

    /// The manifest as JSON; numbers are written in hexadecimal.
    static String of(OrielServer server, String bucket) {
        StringBuilder json = new StringBuilder("{\"uid\":\"");
        json.append(Long.toHexString(uid(server))).append("\",\"scopes\":[");
        String comma = "";
        for (var scope : scopes(server.buckets(), bucket).entrySet()) {
            json.append(comma).append("{\"name\":");
            Json.quote(scope.getKey(), json);
            json.append(",\"uid\":\"").append(Integer.toHexString(scopeId(scope.getKey())));
            json.append("\",\"collections\":[");
            String inner = "";
            for (var collection : scope.getValue().entrySet()) {
                json.append(inner).append("{\"name\":");
                Json.quote(collection.getKey(), json);
                json.append(",\"uid\":\"").append(Integer.toHexString(collection.getValue()));
                json.append("\"}");
                inner = ",";
            }
            json.append("]}");
            comma = ",";
        }
        return json.append("]}").toString();
    }
}
