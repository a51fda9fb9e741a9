package dev.oriel.table.transaction;

import dev.oriel.table.definition.ForeignKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// When a transaction tests the foreign keys whose time it may choose. Does not change.
///
/// @param all the choice for all keys; null if there is none
/// @param single later choices for single keys
record Deferrals(@Nullable Boolean all, Map<ForeignKey.Of, Boolean> single) {
    static final Deferrals NONE = new Deferrals(null, Map.of());

    /// These choices and another one.
    ///
    /// @param keys null for all
    /// @param later whether to test at the commit
    Deferrals with(@Nullable Collection<ForeignKey.Of> keys, boolean later) {
        if (keys == null) {
            return new Deferrals(later, Map.of());
        }
        Map<ForeignKey.Of, Boolean> more = new HashMap<>(single);
        keys.forEach(key -> more.put(key, later));
        return new Deferrals(all, Map.copyOf(more));
    }

    /// Whether `key` of the table `child` is tested at the commit.
    boolean defers(long child, ForeignKey key) {
        Boolean own = single.get(new ForeignKey.Of(child, key.name()));
        Boolean chosen = own == null ? all : own;
        return key.deferrable() && (chosen == null ? key.deferred() : chosen);
    }
}
