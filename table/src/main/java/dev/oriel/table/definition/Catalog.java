package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All definitions at one moment: immutable. Plans are made against one catalog and are good as long as its
/// version is current.
///
/// Tables, views, sequences, external tables and property graphs share their names.
///
/// @param version grows with every change of a definition
/// @param byName tables by their names in upper case; likewise views, sequences and property graphs
/// @param notes the other definitions, by number
/// @param path schemas searched for names
/// @param numbered views by their numbers
/// @param related notes about a definition, by its number: first its own, then the places of its partitions
public record Catalog(
        long version,
        Map<String, Table> byName,
        Map<String, View> viewsByName,
        Map<String, Sequence> sequencesByName,
        Map<Long, Note> notes,
        Map<String, PropertyGraph> graphsByName,
        SearchPath path,
        Map<Long, View> numbered,
        Map<Long, List<Note>> related) {
    /// Prefix of the names of schemas of temporary tables.
    public static final String TEMPORARY_SCHEMA = SearchPath.TEMPORARY_SCHEMA;

    /// Number under which `related` has all triggers; no definition has it.
    private static final long TRIGGERS = -1;

    private static final long PROCEDURES = -2;

    public Catalog {
        byName = Map.copyOf(byName);
        viewsByName = Map.copyOf(viewsByName);
        sequencesByName = Map.copyOf(sequencesByName);
        notes = Map.copyOf(notes);
        graphsByName = Map.copyOf(graphsByName);
        numbered = Map.copyOf(numbered);
        related = Map.copyOf(related);
    }

    /// A catalog as seen without temporary tables, and with names looked up in PUBLIC.
    public Catalog(
            long version,
            Map<String, Table> byName,
            Map<String, View> viewsByName,
            Map<String, Sequence> sequencesByName,
            Map<Long, Note> notes,
            Map<String, PropertyGraph> graphsByName) {
        this(
                version,
                byName,
                viewsByName,
                sequencesByName,
                notes,
                graphsByName,
                SearchPath.DEFAULT,
                numbered(viewsByName),
                related(notes));
    }

    private static Map<Long, View> numbered(Map<String, View> viewsByName) {
        Map<Long, View> numbered = new HashMap<>();
        for (View view : viewsByName.values()) {
            numbered.put(view.id(), view);
        }
        return numbered;
    }

    private static Map<Long, List<Note>> related(Map<Long, Note> notes) {
        Map<Long, List<Note>> related = new HashMap<>();
        List<Partition> places = new ArrayList<>();
        for (Note note : notes.values()) {
            if (note instanceof Comments comments) {
                relate(related, comments.of(), note);
            } else if (note instanceof MaterializedView view) {
                relate(related, view.of(), note);
            } else if (note instanceof Trigger trigger) {
                relate(related, trigger.of(), note);
                relate(related, TRIGGERS, note);
            } else if (note instanceof Procedure) {
                relate(related, PROCEDURES, note);
            } else if (note instanceof Partition place) {
                relate(related, place.of(), note);
                places.add(place);
            }
        }
        if (!places.isEmpty()) {
            places.sort(Comparator.comparingLong(Partition::id));
        }
        for (Partition place : places) {
            if (!place.isRoot()) {
                relate(related, place.parent(), place);
            }
        }
        return related;
    }

    private static void relate(Map<Long, List<Note>> related, long to, Note note) {
        List<Note> all = related.get(to);
        if (all == null) {
            all = new ArrayList<>();
            related.put(to, all);
        }
        all.add(note);
    }

    /// This catalog as seen by a session that looks for names in `other`. Temporary tables of other sessions are
    /// not found by their names.
    public Catalog seenBy(SearchPath other) {
        return path.isSame(other)
                ? this
                : new Catalog(
                        version,
                        byName,
                        viewsByName,
                        sequencesByName,
                        notes,
                        graphsByName,
                        other,
                        numbered,
                        related);
    }

    /// Schema of the session's own temporary tables; empty for none.
    public String temporary() {
        return path.temporary();
    }

    /// This catalog with the definitions of `tables` in place of the old ones.
    public Catalog with(Collection<Table> tables) {
        Map<String, Table> changed = new HashMap<>(byName);
        tables.forEach(table -> changed.put(Names.key(table.schema(), table.name()), table));
        return new Catalog(
                version,
                changed,
                viewsByName,
                sequencesByName,
                notes,
                graphsByName,
                path,
                numbered,
                related);
    }

    /// Whether a table, view or sequence of `schema` is called `name`.
    public boolean holds(String schema, String name) {
        String key = Names.key(schema, name);
        return byName.containsKey(key)
                || viewsByName.containsKey(key)
                || sequencesByName.containsKey(key);
    }

    /// The key of `name` in the catalog: in its schema ([SearchPath#named]), else in the first schema of the path
    /// that has a definition of this name.
    private String key(String name) {
        int end = name.indexOf(Names.SCHEMA_END);
        if (end >= 0) {
            String schema = name.substring(0, end);
            boolean own = schema.equalsIgnoreCase(SearchPath.OWN_TEMPORARY);
            return Names.key(own ? temporary() : schema, name.substring(end + 1));
        }
        if (path.isDefault()) {
            return Names.folded(name);
        }
        for (String schema : path.order()) {
            if (holds(schema, name)) {
                return Names.key(schema, name);
            }
        }
        return Names.SCHEMA_END + Names.folded(name); // which nothing has
    }

    /// Whether `name`, by its schema or by the search path, can be a definition of PUBLIC.
    private boolean isInPublic(String name) {
        String folded = Names.folded(name.substring(name.indexOf(Names.SCHEMA_END) + 1));
        if (name.indexOf(Names.SCHEMA_END) >= 0) {
            return key(name).equals(folded);
        }
        return path.isDefault() || path.schemas().contains("");
    }

    /// Whether the definitions of `schema` are seen: all but temporary ones of others.
    private boolean isSeen(String schema) {
        return !isTemporary(schema) || schema.equals(temporary());
    }

    /// Whether a schema of this name is one of temporary tables.
    public static boolean isTemporary(String schema) {
        return schema.startsWith(TEMPORARY_SCHEMA);
    }

    /// The schema called `name` as it is written, the empty one for PUBLIC; null if there is none.
    public @Nullable String schema(String name) {
        if (name.isEmpty() || name.equalsIgnoreCase(SearchPath.PUBLIC)) {
            return "";
        } else if (name.equalsIgnoreCase(SearchPath.OWN_TEMPORARY)) {
            return temporary().isEmpty() ? null : temporary();
        } else if (name.equalsIgnoreCase(temporary())) {
            return temporary();
        }
        NamedSchema named = named(name);
        return named == null ? null : named.name();
    }

    /// The user-defined schema `name`, or null.
    public @Nullable NamedSchema named(String name) {
        for (Note note : notes.values()) {
            if (note instanceof NamedSchema schema && schema.name().equalsIgnoreCase(name)) {
                return schema;
            }
        }
        return null;
    }

    /// The user-defined schemas, by name.
    public Collection<NamedSchema> schemas() {
        Map<String, NamedSchema> byName = new TreeMap<>();
        for (Note note : notes.values()) {
            if (note instanceof NamedSchema schema) {
                byName.put(Names.folded(schema.name()), schema);
            }
        }
        return byName.values();
    }

    /// The existing schemas of the path, in its order; the temporary one only if the setting names it.
    public List<String> current() {
        List<String> current = new ArrayList<>();
        for (String each : path.schemas()) {
            String schema = schema(each);
            if (schema != null && !current.contains(schema)) {
                current.add(schema);
            }
        }
        return current;
    }

    /// All schemas in which names are looked for, in their order.
    public List<String> searched() {
        List<String> searched = new ArrayList<>();
        for (String each : path.order()) {
            String schema = schema(each);
            if (schema != null && !searched.contains(schema)) {
                searched.add(schema);
            }
        }
        return searched;
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
        String bare = name.substring(name.indexOf(Names.SCHEMA_END) + 1);
        if (!isInPublic(name)) {
            return null;
        }
        for (Note note : notes.values()) {
            if (note instanceof ExternalTable table && table.name().equalsIgnoreCase(bare)) {
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

    /// The functions called `name` without regard to case, in its schema or in the first schema of the path that has
    /// one.
    public List<SqlFunction> functions(String name) {
        int end = name.indexOf(Names.SCHEMA_END);
        String bare = name.substring(end + 1);
        if (end >= 0) {
            String schema = schema(name.substring(0, end));
            return schema == null ? List.of() : functions(schema, bare);
        }
        for (String schema : path.order()) {
            List<SqlFunction> found = functions(schema, bare);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private List<SqlFunction> functions(String schema, String name) {
        List<SqlFunction> found = new ArrayList<>();
        for (Note note : notes.values()) {
            if (note instanceof SqlFunction function
                    && function.name().equalsIgnoreCase(name)
                    && function.schema().equalsIgnoreCase(schema)) {
                found.add(function);
            }
        }
        found.sort(Comparator.comparingInt(function -> function.parameters().size()));
        return List.copyOf(found);
    }

    /// All functions of SQL that users have defined, by schema, name and number of parameters.
    public Collection<SqlFunction> functions() {
        List<SqlFunction> all = new ArrayList<>();
        for (Note note : notes.values()) {
            if (note instanceof SqlFunction function) {
                all.add(function);
            }
        }
        all.sort(
                Comparator.comparing((SqlFunction each) -> Names.key(each.schema(), each.name()))
                        .thenComparingInt(each -> each.parameters().size()));
        return List.copyOf(all);
    }

    /// The procedure `name` without regard to case, in its schema or in the first schema of the path that has one; null
    /// if there is none.
    public @Nullable Procedure procedure(String name) {
        int end = name.indexOf(Names.SCHEMA_END);
        String bare = name.substring(end + 1);
        String own = end < 0 ? null : schema(name.substring(0, end));
        if (end >= 0 && own == null) {
            return null;
        }
        for (String schema : own == null ? path.order() : List.of(own)) {
            for (Note note : notes.values()) {
                if (note instanceof Procedure procedure
                        && procedure.name().equalsIgnoreCase(bare)
                        && procedure.schema().equalsIgnoreCase(schema)) {
                    return procedure;
                }
            }
        }
        return null;
    }

    /// All procedures of SQL, by number.
    public List<Procedure> procedures() {
        if (!hasProcedures()) {
            return List.of();
        }
        List<Procedure> all = new ArrayList<>();
        for (Note note : related(PROCEDURES)) {
            all.add((Procedure) note);
        }
        all.sort(Comparator.comparingLong(Procedure::id));
        return List.copyOf(all);
    }

    /// Whether there are procedures of SQL.
    public boolean hasProcedures() {
        return related.containsKey(PROCEDURES);
    }

    private List<Note> related(long of) {
        List<Note> found = related.get(of);
        return found == null ? List.of() : found;
    }

    /// The comments on the definition of number `of`.
    public Comments comments(long of) {
        for (Note note : related(of)) {
            if (note instanceof Comments comments && comments.of() == of) {
                return comments;
            }
        }
        return Comments.none(of);
    }

    /// The triggers of the table or view of number `of`, by name.
    public List<Trigger> triggers(long of) {
        if (related.isEmpty()) {
            return List.of();
        }
        if (!hasTriggers()) {
            return List.of();
        }
        List<Trigger> found = new ArrayList<>();
        for (Note note : related(of)) {
            if (note instanceof Trigger trigger && trigger.of() == of) {
                found.add(trigger);
            }
        }
        found.sort(Comparator.comparing(Trigger::name));
        return List.copyOf(found);
    }

    /// Whether there are triggers.
    public boolean hasTriggers() {
        return related.containsKey(TRIGGERS);
    }

    /// All triggers, by number.
    public List<Trigger> triggers() {
        if (!hasTriggers()) {
            return List.of();
        }
        List<Trigger> all = new ArrayList<>();
        for (Note note : related(TRIGGERS)) {
            all.add((Trigger) note);
        }
        all.sort(Comparator.comparingLong(Trigger::id));
        return List.copyOf(all);
    }

    /// The place of the table or view of number `of` in a partitioned table; null if it has none.
    public @Nullable Partition partition(long of) {
        for (Note note : related(of)) {
            if (note instanceof Partition partition && partition.of() == of) {
                return partition;
            }
        }
        return null;
    }

    /// Whether some table is partitioned.
    public boolean hasPartitions() {
        for (Note note : notes.values()) {
            if (note instanceof Partition) {
                return true;
            }
        }
        return false;
    }

    /// The partitions of the table or view of number `parent`, by number.
    public List<Partition> partitions(long parent) {
        List<Partition> found = new ArrayList<>();
        for (Note note : related(parent)) {
            if (note instanceof Partition partition && partition.parent() == parent) {
                found.add(partition);
            }
        }
        return List.copyOf(found);
    }

    /// The table that stores the rows of `partition`; null if it is gone.
    public @Nullable Table storing(Partition partition) {
        Partition place = partition;
        while (place != null && !place.isRoot()) {
            place = partition(place.parent());
        }
        return place == null ? null : table(place.of());
    }

    /// The view of number `id`, or null.
    public @Nullable View view(long id) {
        return numbered.get(id);
    }

    /// The query of the table of number `of`, if that is a materialized view; else null.
    public @Nullable MaterializedView materialized(long of) {
        for (Note note : related(of)) {
            if (note instanceof MaterializedView view && view.of() == of) {
                return view;
            }
        }
        return null;
    }

    /// The queries of all views, of materialized ones too, by schema and name.
    public Collection<View> queries() {
        Map<String, View> queries = new TreeMap<>(viewsByName);
        for (Note note : notes.values()) {
            Table table = note instanceof MaterializedView view ? table(view.of()) : null;
            if (table != null) {
                View query = ((MaterializedView) note).asView(table);
                queries.put(Names.key(table.schema(), table.name()), query);
            }
        }
        return queries.values();
    }

    /// The view `name` without regard to case, or null.
    public @Nullable View view(String name) {
        return viewsByName.get(key(name));
    }

    /// The property graph `name` without regard to case, or null.
    public @Nullable PropertyGraph graph(String name) {
        return isInPublic(name)
                ? graphsByName.get(Names.folded(name.substring(name.indexOf(Names.SCHEMA_END) + 1)))
                : null;
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

    /// All views that are seen, by schema and name.
    public Collection<View> views() {
        return new TreeMap<>(viewsByName)
                .values().stream().filter(view -> isSeen(view.schema())).toList();
    }

    /// All sequences that are seen, by schema and name.
    public Collection<Sequence> sequences() {
        return new TreeMap<>(sequencesByName)
                .values().stream().filter(sequence -> isSeen(sequence.schema())).toList();
    }

    /// The table `name` without regard to case, or null.
    public @Nullable Table table(String name) {
        return byName.get(key(name));
    }

    /// All tables that are seen, by schema and name.
    public Collection<Table> tables() {
        return new TreeMap<>(byName)
                .values().stream().filter(table -> isSeen(table.schema())).toList();
    }

    /// The tables of PUBLIC, by name.
    public Collection<Table> tablesOfPublic() {
        return new TreeMap<>(byName)
                .values().stream().filter(table -> table.schema().isEmpty()).toList();
    }
}
