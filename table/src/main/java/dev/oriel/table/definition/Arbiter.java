package dev.oriel.table.definition;

import org.jspecify.annotations.Nullable;

/// The keys that decide whether a row exists already, so that an insertion is skipped.
///
/// @param any whether all keys do
/// @param index else the unique index that does; null for the primary key
public record Arbiter(boolean any, @Nullable Index index) {
    public static final Arbiter ANY = new Arbiter(true, null);
    public static final Arbiter PRIMARY_KEY = new Arbiter(false, null);

    /// Whether `key` (null for the primary key) decides.
    public boolean decides(@Nullable Index key) {
        return any
                || (index == null
                        ? key == null
                        : key != null && key.name().equalsIgnoreCase(index.name()));
    }
}
