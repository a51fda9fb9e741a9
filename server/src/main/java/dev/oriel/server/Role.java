package dev.oriel.server;

import org.jspecify.annotations.Nullable;

/// A user's rights on a bucket. Each role includes the earlier ones.
public enum Role {
    /// Read entries.
    READ,
    /// Change entries as well.
    WRITE,
    /// Empty the bucket, and create collections of it. On all buckets: also change users.
    ADMIN;

    /// The role of that name, whatever its case; null if there is none.
    static @Nullable Role of(@Nullable String name) {
        for (Role role : values()) {
            if (role.name().equalsIgnoreCase(name)) {
                return role;
            }
        }
        return null;
    }

    /// Whether this role includes the role `needed`.
    public boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
