package dev.oriel.table.schema;

import dev.oriel.store.Tree;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Names;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A [Catalog] with the means to reach the rows. Immutable; a change of a definition makes a new one, which its
/// commit publishes.
///
/// @param nextId number of the next definition; none is ever given twice
/// @param references by the number of a table the foreign keys that refer to it
public record Schema(
        Catalog catalog,
        long nextId,
        Map<Long, TableEntry> entries,
        Map<Long, List<Reference>> references) {
    public Schema {
        entries = Map.copyOf(entries);
        references = Map.copyOf(references);
    }

    /// A foreign key, and the table that has it.
    public record Reference(TableEntry child, ForeignKey key) {}

    /// The parts of a schema.
    public record Parts(
            long nextId,
            Map<Long, TableEntry> tables,
            Map<Long, View> views,
            Map<Long, Sequence> sequences,
            Map<Long, Note> notes,
            Map<Long, PropertyGraph> graphs) {}

    public static Schema of(long version, Parts parts) {
        Map<String, Table> byName = new HashMap<>();
        Map<Long, List<Reference>> references = new HashMap<>();
        for (TableEntry entry : parts.tables.values()) {
            Table table = entry.table();
            byName.put(Names.key(table.schema(), table.name()), table);
            for (ForeignKey key : entry.table().constraints().foreignKeys()) {
                references
                        .computeIfAbsent(key.parent(), parent -> new ArrayList<>())
                        .add(new Reference(entry, key));
            }
        }
        Map<String, View> views = new HashMap<>();
        for (View view : parts.views.values()) {
            views.put(Names.key(view.schema(), view.name()), view);
        }
        Map<String, Sequence> sequences = new HashMap<>();
        for (Sequence sequence : parts.sequences.values()) {
            sequences.put(Names.key(sequence.schema(), sequence.name()), sequence);
        }
        Map<String, PropertyGraph> graphs = new HashMap<>();
        for (PropertyGraph graph : parts.graphs.values()) {
            graphs.put(Names.folded(graph.name()), graph);
        }
        return new Schema(
                new Catalog(version, byName, views, sequences, parts.notes, graphs),
                parts.nextId,
                parts.tables,
                references);
    }

    /// A mutable copy of the parts.
    public Parts parts() {
        Map<Long, View> views = new HashMap<>();
        for (View view : catalog.viewsByName().values()) {
            views.put(view.id(), view);
        }
        Map<Long, Sequence> sequences = new HashMap<>();
        for (Sequence sequence : catalog.sequencesByName().values()) {
            sequences.put(sequence.id(), sequence);
        }
        Map<Long, PropertyGraph> graphs = new HashMap<>();
        for (PropertyGraph graph : catalog.graphsByName().values()) {
            graphs.put(graph.id(), graph);
        }
        return new Parts(
                nextId,
                new HashMap<>(entries),
                views,
                sequences,
                new HashMap<>(catalog.notes()),
                graphs);
    }

    /// Number of the catalog version, given once.
    public long version() {
        return catalog.version();
    }

    /// All tables in the order of their numbers.
    public Collection<TableEntry> tables() {
        return new TreeMap<>(entries).values();
    }

    /// The foreign keys that refer to `table`.
    public List<Reference> referencesTo(TableEntry table) {
        return references.getOrDefault(table.table().id(), List.of());
    }

    /// The present entry of `table`, whose definition may have changed.
    ///
    /// @throws ConstraintException if there is none
    public TableEntry entry(Table table) {
        TableEntry entry = entries.get(table.id());
        if (entry == null) {
            throw new ConstraintException(
                    Kind.UNKNOWN_NAME,
                    "There is no such table",
                    "table=" + table.name() + Names.nearest(table.name(), tableNames()));
        }
        return entry;
    }

    /// The index `index` of `entry`.
    ///
    /// @throws ConstraintException if there is none
    public static IndexEntry index(TableEntry entry, Index index) {
        IndexEntry found = entry.index(index.name());
        if (found == null) {
            List<String> names = entry.table().indexes().stream().map(Index::name).toList();
            throw new ConstraintException(
                    Kind.UNKNOWN_NAME,
                    "The table has no such index",
                    "table="
                            + entry.table().name()
                            + " index="
                            + index.name()
                            + Names.nearest(index.name(), names));
        }
        return found;
    }

    /// Whether `tree` holds rows of a table, or entries of an index.
    public boolean hasTree(Tree tree) {
        for (TableEntry entry : entries.values()) {
            if (entry.tree().equals(tree)) {
                return true;
            }
            for (IndexEntry index : entry.indexes()) {
                if (!index.isArray() && index.tree().equals(tree)) {
                    return true;
                }
            }
        }
        return false;
    }

    List<String> tableNames() {
        return entries.values().stream().map(entry -> entry.table().name()).toList();
    }

    private boolean hasIndexNamed(String schema, String name) {
        for (TableEntry entry : entries.values()) {
            if (entry.table().schema().equals(schema) && entry.index(name) != null) {
                return true;
            }
        }
        return false;
    }

    /// Checks that the names of `table` and of its columns are allowed.
    public void accept(Table table) {
        checkFree(table.schema(), table.name(), table.id());
        List<String> seen = new ArrayList<>();
        for (Column column : table.columns()) {
            String folded = Names.folded(column.name());
            if (seen.contains(folded)) {
                throw new ConstraintException(
                        Kind.DUPLICATE_NAME,
                        "Two columns have the same name; names are compared without regard to case",
                        "table=" + table.name() + " column=" + column.name());
            }
            seen.add(folded);
        }
        seen.clear();
        List<String> names = new ArrayList<>();
        for (Check check : table.constraints().checks()) {
            names.add(check.name());
        }
        for (ForeignKey key : table.constraints().foreignKeys()) {
            names.add(key.name());
        }
        for (String name : names) {
            if (seen.contains(Names.folded(name))) {
                throw new ConstraintException(
                        Kind.DUPLICATE_OBJECT,
                        "Two constraints of a table have the same name",
                        "table=" + table.name() + " constraint=" + name);
            }
            seen.add(Names.folded(name));
        }
    }

    /// Checks that no table, view, sequence, external table or property graph of `schema` but the one of number
    /// `except` is called `name`.
    public void checkFree(String schema, String name, long except) {
        String key = Names.key(schema, name);
        Table table = catalog.byName().get(key);
        View view = catalog.viewsByName().get(key);
        Sequence sequence = catalog.sequencesByName().get(key);
        ExternalTable external = schema.isEmpty() ? catalog.external(name) : null;
        PropertyGraph graph = schema.isEmpty() ? catalog.graph(name) : null;
        String kind =
                table != null && table.id() != except
                        ? "table"
                        : view != null && view.id() != except
                                ? "view"
                                : sequence != null && sequence.id() != except
                                        ? "sequence"
                                        : external != null && external.id() != except
                                                ? "external table"
                                                : "";
        if (kind.isEmpty() && graph != null && graph.id() != except) {
            kind = "graph";
        }
        if (!kind.isEmpty()) {
            throw new ConstraintException(
                    Kind.DUPLICATE_NAME,
                    "A " + kind + " of this name exists; names are compared without regard to case",
                    kind + "=" + name);
        }
    }

    /// Checks that no table has an index of the name of `index`.
    public void accept(Table table, Index index) {
        if (hasIndexNamed(table.schema(), index.name())) {
            throw new ConstraintException(
                    Kind.DUPLICATE_NAME,
                    "An index of this name exists, on this table or another",
                    "table=" + table.name() + " index=" + index.name());
        }
    }
}
