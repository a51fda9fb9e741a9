package dev.oriel.server;

import org.jspecify.annotations.Nullable;

/// What a user may do with a bucket. Each role may do what those before it may.
public enum Role {
    /// Look at entries.
    READ,
    /// Change entries as well.
    WRITE,
    /// Empty the bucket, and create collections of it. On all buckets: also change users.
    ADMIN;

    /// The role of that name, whatever its case; null where there is none.
    static @Nullable Role of(@Nullable String name) {
        for (Role role : values()) {
            if (role.name().equalsIgnoreCase(name)) {
                return role;
            }
        }
        return null;
    }

    /// Whether who has this role may do what `needed` stands for.
    public boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
