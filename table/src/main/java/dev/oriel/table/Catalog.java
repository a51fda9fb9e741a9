package dev.oriel.table;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All definitions at one moment: immutable. Plans are made against one catalog and are good for as
/// long as its version is the current one.
///
/// Tables and views share their names, and so do sequences.
///
/// @param version grows with every change of a definition
/// @param byName tables by their names in upper case; likewise the others
public record Catalog(
        long version,
        Map<String, Table> byName,
        Map<String, View> viewsByName,
        Map<String, Sequence> sequencesByName) {
    public Catalog {
        byName = Map.copyOf(byName);
        viewsByName = Map.copyOf(viewsByName);
        sequencesByName = Map.copyOf(sequencesByName);
    }

    /// A catalog of tables only.
    public Catalog(long version, Map<String, Table> byName) {
        this(version, byName, Map.of(), Map.of());
    }

    /// The view `name` without regard to case, or null.
    public @Nullable View view(String name) {
        return viewsByName.get(name.toUpperCase(Locale.ROOT));
    }

    /// The sequence `name` without regard to case, or null.
    public @Nullable Sequence sequence(String name) {
        return sequencesByName.get(name.toUpperCase(Locale.ROOT));
    }

    /// The sequence of number `id`, or null.
    public @Nullable Sequence sequence(long id) {
        for (Sequence sequence : sequencesByName.values()) {
            if (sequence.id() == id) {
                return sequence;
            }
        }
        return null;
    }

    /// The table of number `id`, or null.
    public @Nullable Table table(long id) {
        for (Table table : byName.values()) {
            if (table.id() == id) {
                return table;
            }
        }
        return null;
    }

    /// All views, by name.
    public Collection<View> views() {
        return new TreeMap<>(viewsByName).values();
    }

    /// All sequences, by name.
    public Collection<Sequence> sequences() {
        return new TreeMap<>(sequencesByName).values();
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
