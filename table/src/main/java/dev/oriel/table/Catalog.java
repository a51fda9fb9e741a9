package dev.oriel.table;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All definitions at one moment: immutable. Plans are made against one catalog and are good for as
/// long as its version is the current one.
///
/// @param version grows with every change of a definition
public record Catalog(long version, Map<String, Table> byName) {
    public Catalog {
        byName = Map.copyOf(byName);
    }

    /// The table `name` without regard to case, or null.
    public @Nullable Table table(String name) {
        return byName.get(name.toUpperCase(Locale.ROOT));
    }

    /// All tables, by name.
    public Collection<Table> tables() {
        return new TreeMap<>(byName).values();
    }
}
