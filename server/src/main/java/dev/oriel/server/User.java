package dev.oriel.server;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A user who may log in.
///
/// @param name login name
/// @param rights roles by the names of buckets, in lower case; [#ALL_BUCKETS] stands for buckets that are
///     not named
public record User(String name, Map<String, Role> rights) {
    /// Stands for all buckets.
    public static final String ALL_BUCKETS = "*";

    public User {
        SortedMap<String, Role> sorted = new TreeMap<>();
        rights.forEach((bucket, role) -> sorted.put(bucket.toLowerCase(Locale.ROOT), role));
        rights = java.util.Collections.unmodifiableSortedMap(sorted);
    }

    /// The role on `bucket`, or on the bucket that it is a collection of; null for none.
    public @Nullable Role role(String bucket) {
        String name = bucket.toLowerCase(Locale.ROOT);
        int collection = name.indexOf('$');
        Role own = rights.get(collection < 0 ? name : name.substring(0, collection));
        return own == null ? rights.get(ALL_BUCKETS) : own;
    }

    /// Whether users may be changed and the server's own counters reset.
    public boolean isAdmin() {
        return rights.get(ALL_BUCKETS) == Role.ADMIN;
    }
}
