package dev.oriel.table;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All definitions at one moment: immutable. Plans are made against one catalog and are good for as
/// long as its version is the current one.
///
/// Tables, views, sequences, external tables and property graphs share their names.
///
/// @param version grows with every change of a definition
/// @param byName tables by their names in upper case; likewise views, sequences and property graphs
/// @param notes what there is beside them, by number
/// @param temporary schema of the session's own temporary tables, which are found before others; empty for none
public record Catalog(
        long version,
        Map<String, Table> byName,
        Map<String, View> viewsByName,
        Map<String, Sequence> sequencesByName,
        Map<Long, Note> notes,
        Map<String, PropertyGraph> graphsByName,
        String temporary) {
    /// Begins the name of every schema of temporary tables.
    public static final String TEMPORARY_SCHEMA = "pg_temp_";

    public Catalog {
        byName = Map.copyOf(byName);
        viewsByName = Map.copyOf(viewsByName);
        sequencesByName = Map.copyOf(sequencesByName);
        notes = Map.copyOf(notes);
        graphsByName = Map.copyOf(graphsByName);
    }

    /// A catalog in which nobody has temporary tables.
    public Catalog(
            long version,
            Map<String, Table> byName,
            Map<String, View> viewsByName,
            Map<String, Sequence> sequencesByName,
            Map<Long, Note> notes,
            Map<String, PropertyGraph> graphsByName) {
        this(version, byName, viewsByName, sequencesByName, notes, graphsByName, "");
    }

    /// The same as a session sees it whose temporary tables, views and sequences are those of the schema `schema`: a
    /// name means them first. Nobody sees those of others by their names.
    public Catalog seenBy(String schema) {
        return schema.equals(temporary)
                ? this
                : new Catalog(
                        version, byName, viewsByName, sequencesByName, notes, graphsByName, schema);
    }

    /// The same with the definitions of `tables` in place of the old ones.
    public Catalog with(Collection<Table> tables) {
        Map<String, Table> changed = new HashMap<>(byName);
        tables.forEach(table -> changed.put(Names.key(table.schema(), table.name()), table));
        return new Catalog(
                version, changed, viewsByName, sequencesByName, notes, graphsByName, temporary);
    }

    /// Whether a table, view or sequence of `schema` is called `name`.
    public boolean holds(String schema, String name) {
        String key = Names.key(schema, name);
        return byName.containsKey(key)
                || viewsByName.containsKey(key)
                || sequencesByName.containsKey(key);
    }

    /// The form of `name` under which it is found.
    private String key(String name) {
        boolean own = !temporary.isEmpty() && holds(temporary, name);
        return Names.key(own ? temporary : "", name);
    }

    /// Whether things of `schema` are seen.
    private boolean isSeen(String schema) {
        return schema.isEmpty() || schema.equals(temporary);
    }

    /// A catalog without property graphs.
    public Catalog(
            long version,
            Map<String, Table> byName,
            Map<String, View> viewsByName,
            Map<String, Sequence> sequencesByName,
            Map<Long, Note> notes) {
        this(version, byName, viewsByName, sequencesByName, notes, Map.of());
    }

    /// A catalog without notes and property graphs.
    public Catalog(
            long version,
            Map<String, Table> byName,
            Map<String, View> viewsByName,
            Map<String, Sequence> sequencesByName) {
        this(version, byName, viewsByName, sequencesByName, Map.of(), Map.of());
    }

    /// A catalog of tables only.
    public Catalog(long version, Map<String, Table> byName) {
        this(version, byName, Map.of(), Map.of(), Map.of(), Map.of());
    }

    /// The external table `name` without regard to case, or null.
    public @Nullable ExternalTable external(String name) {
        for (Note note : notes.values()) {
            if (note instanceof ExternalTable table && table.name().equalsIgnoreCase(name)) {
                return table;
            }
        }
        return null;
    }

    /// All external tables, by name.
    public Collection<ExternalTable> externals() {
        Map<String, ExternalTable> byName = new TreeMap<>();
        for (Note note : notes.values()) {
            if (note instanceof ExternalTable table) {
                byName.put(Names.folded(table.name()), table);
            }
        }
        return byName.values();
    }

    /// The type `name` without regard to case, or null.
    public @Nullable UserType userType(String name) {
        for (Note note : notes.values()) {
            if (note instanceof UserType type && type.name().equalsIgnoreCase(name)) {
                return type;
            }
        }
        return null;
    }

    /// All types that users have defined, by name.
    public Collection<UserType> userTypes() {
        Map<String, UserType> byName = new TreeMap<>();
        for (Note note : notes.values()) {
            if (note instanceof UserType type) {
                byName.put(Names.folded(type.name()), type);
            }
        }
        return byName.values();
    }

    /// What has been written about the definition of number `of`.
    public Comments comments(long of) {
        for (Note note : notes.values()) {
            if (note instanceof Comments comments && comments.of() == of) {
                return comments;
            }
        }
        return Comments.none(of);
    }

    /// The view `name` without regard to case, or null.
    public @Nullable View view(String name) {
        return viewsByName.get(key(name));
    }

    /// The property graph `name` without regard to case, or null.
    public @Nullable PropertyGraph graph(String name) {
        return graphsByName.get(name.toUpperCase(Locale.ROOT));
    }

    /// All property graphs, by name.
    public Collection<PropertyGraph> graphs() {
        return new TreeMap<>(graphsByName).values();
    }

    /// The sequence `name` without regard to case, or null.
    public @Nullable Sequence sequence(String name) {
        return sequencesByName.get(key(name));
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

    /// All views that are seen, by name.
    public Collection<View> views() {
        return new TreeMap<>(viewsByName)
                .values().stream().filter(view -> isSeen(view.schema())).toList();
    }

    /// All sequences that are seen, by name.
    public Collection<Sequence> sequences() {
        return new TreeMap<>(sequencesByName)
                .values().stream().filter(sequence -> isSeen(sequence.schema())).toList();
    }

    /// The table `name` without regard to case, or null.
    public @Nullable Table table(String name) {
        return byName.get(key(name));
    }

    /// All tables that are seen, by name.
    public Collection<Table> tables() {
        return new TreeMap<>(byName)
                .values().stream().filter(table -> isSeen(table.schema())).toList();
    }
}
