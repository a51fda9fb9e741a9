package dev.oriel.graph.catalog;

import dev.oriel.graph.catalog.SystemTables.Kind;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import dev.oriel.store.ConflictException;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// The catalog of one graph: property keys and labels, with their numbers and tables. One object for all handles
/// of the graph in this process.
///
/// Reads are lookups in immutable maps. New names are committed on their own, concurrently with the transactions
/// that need them, and survive their rollback. The monitor orders threads that add or change names. Each begins
/// its transaction before it takes the monitor, so the holder waits for no other transaction.
public final class GraphCatalog {
    private final Tables tables;
    private final String name;
    private final SystemTables system;
    private final AtomicLong highestNumber = new AtomicLong();

    private volatile PropertyKeys keys = PropertyKeys.NONE;
    private volatile VertexLabels vertexLabels = new VertexLabels(Map.of(), new VertexLabel[1]);
    private volatile EdgeLabels edgeLabels = new EdgeLabels(Map.of(), new EdgeLabel[1]);

    /// Immutable; `all` is indexed by number, with null for none.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record VertexLabels(Map<String, VertexLabel> byName, @Nullable VertexLabel[] all) {}

    /// Immutable; `all` is indexed by number, with null for none.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record EdgeLabels(Map<String, EdgeLabel> byName, @Nullable EdgeLabel[] all) {}

    private GraphCatalog(Tables tables, String name) {
        this.tables = tables;
        this.name = name;
        this.system = new SystemTables(tables, name);
        load();
    }

    /// The graph `name` of the database with these tables; names are case-insensitive.
    public static GraphCatalog of(Tables tables, String name) {
        String folded = name.toUpperCase(Locale.ROOT);
        return tables.attached("graph " + folded, () -> new GraphCatalog(tables, name));
    }

    /// Whether `catalog` has the graph `name`.
    public static boolean exists(Catalog catalog, String name) {
        return SystemTables.exist(catalog, name);
    }

    /// The names of all graphs with tables of their own in `catalog`, in order.
    public static List<String> names(Catalog catalog) {
        return SystemTables.graphs(catalog);
    }

    /// Creates the graph `name`, unless it exists, and commits by itself.
    ///
    /// @param own the transaction of the caller, if it writes
    public static void create(Tables tables, String name, @Nullable TableTransaction own) {
        SystemTables.create(tables, name, own);
    }

    private void load() {
        Map<Integer, Long> vertexSequences = new HashMap<>();
        Map<Integer, Long> hiddenSequences = new HashMap<>();
        Map<Integer, Long> edgeSequences = new HashMap<>();
        List<Runnable> later = new ArrayList<>();
        system.read((kind, number, text, in) -> {
            switch (kind) {
                case PROPERTY_KEY -> keys = keys.with(SchemaCodec.key(number, text, in));
                case VERTEX_LABEL ->
                        later.add(() ->
                                loadVertexLabel(
                                        number,
                                        text,
                                        in,
                                        new Sequence(vertexSequences.getOrDefault(number, 1L)),
                                        new Sequence(hiddenSequences.getOrDefault(number, 1L))));
                case EDGE_LABEL -> later.add(() -> loadEdgeLabel(number, text, in, edgeSequences));
                case VERTEX_SEQUENCE -> vertexSequences.put(number, in.takeVarint());
                case HIDDEN_SEQUENCE -> hiddenSequences.put(number, in.takeVarint());
                case EDGE_SEQUENCE -> edgeSequences.put(number, in.takeVarint());
            }
        });
        later.forEach(Runnable::run);
        passOver(vertexSequences.keySet(), hiddenSequences.keySet(), edgeSequences.keySet());
    }

    /// Skips the numbers of removed labels, which have left their sequences behind. A new label with such a number
    /// would give its elements the numbers of removed ones.
    private void passOver(Set<Integer> vertices, Set<Integer> hidden, Set<Integer> edges) {
        int ofVertices = Math.max(highest(vertices), highest(hidden)) + 1;
        if (ofVertices > vertexLabels.all.length) {
            vertexLabels =
                    new VertexLabels(
                            vertexLabels.byName, Arrays.copyOf(vertexLabels.all, ofVertices));
        }
        int ofEdges = highest(edges) + 1;
        if (ofEdges > edgeLabels.all.length) {
            edgeLabels = new EdgeLabels(edgeLabels.byName, Arrays.copyOf(edgeLabels.all, ofEdges));
        }
    }

    private static int highest(Set<Integer> numbers) {
        return numbers.stream().mapToInt(number -> number).max().orElse(0);
    }

    private void loadVertexLabel(
            int number, String text, Bytes in, Sequence sequence, Sequence hidden) {
        Table table = system.table(in.takeText());
        LabelRules rules = LabelRules.decode(in);
        Columns columns = new Columns(table, VertexLabel.BAG, keys.byName());
        put(new VertexLabel(number, text, table, columns, sequence, hidden, 0, rules));
    }

    private void loadEdgeLabel(int number, String text, Bytes in, Map<Integer, Long> sequences) {
        Table table = system.table(in.takeText());
        boolean single = in.take() != 0;
        EdgeLabel.Link link = new EdgeLabel.Link(in.takeText(), in.takeText());
        LabelRules rules = LabelRules.decode(in);
        Sequence sequence = new Sequence(sequences.getOrDefault(number, 1L));
        put(edgeLabel(number, text, table, sequence, 0, single, link, rules));
    }

    private EdgeLabel edgeLabel(
            int number,
            String text,
            Table table,
            Sequence sequence,
            long version,
            boolean single,
            EdgeLabel.Link link,
            LabelRules rules) {
        Columns columns = new Columns(table, EdgeLabel.BAG, keys.byName());
        int[] sortKeys = rules.keys().stream().mapToInt(table::column).toArray();
        return new EdgeLabel(
                number, text, table, columns, sequence, version, single, sortKeys, link, rules);
    }

    public void put(VertexLabel label) {
        VertexLabels before = vertexLabels;
        Map<String, VertexLabel> byName = new HashMap<>(before.byName);
        byName.put(label.name(), label);
        int size = Math.max(before.all.length, label.number() + 1);
        @Nullable VertexLabel[] all = Arrays.copyOf(before.all, size);
        all[label.number()] = label;
        vertexLabels = new VertexLabels(byName, all);
    }

    public void put(EdgeLabel label) {
        EdgeLabels before = edgeLabels;
        Map<String, EdgeLabel> byName = new HashMap<>(before.byName);
        byName.put(label.name(), label);
        int size = Math.max(before.all.length, label.number() + 1);
        @Nullable EdgeLabel[] all = Arrays.copyOf(before.all, size);
        all[label.number()] = label;
        edgeLabels = new EdgeLabels(byName, all);
    }

    public Tables tables() {
        return tables;
    }

    public String name() {
        return name;
    }

    /// Maps user-supplied ids to vertices.
    public Table ids() {
        return system.ids();
    }

    /// Maps user-supplied ids to edges: their labels and row keys.
    public Table edgeIds() {
        return system.edgeIds();
    }

    public Table variables() {
        return system.variables();
    }

    public PropertyKeys keys() {
        return keys;
    }

    /// Whether elements of any label expire.
    public boolean expires() {
        for (VertexLabel label : vertexLabels.byName.values()) {
            if (label.columns().expires()) {
                return true;
            }
        }
        return edgeLabels.byName.values().stream().anyMatch(label -> label.columns().expires());
    }

    public VertexLabels vertexLabels() {
        return vertexLabels;
    }

    public EdgeLabels edgeLabels() {
        return edgeLabels;
    }

    /// The label of a vertex, or null if it is not the number of a vertex.
    public @Nullable VertexLabel labelOf(long vertex) {
        @Nullable VertexLabel[] all = vertexLabels.all;
        int number = VertexLabel.of(vertex);
        return vertex > 0 && number < all.length ? all[number] : null;
    }

    /// The property key `of`, which is added if it is missing.
    ///
    /// @param own the transaction of the caller, if it writes
    public PropertyKey key(String of, @Nullable TableTransaction own) {
        PropertyKey known = keys.byName(of);
        return known != null ? known : addKey(of, own);
    }

    /// The property key `of`, found or added like [#key(String, TableTransaction)].
    ///
    /// @param strict whether it must exist
    /// @throws IllegalArgumentException if it must exist and does not
    public PropertyKey key(String of, boolean strict, @Nullable TableTransaction own) {
        if (strict && keys.byName(of) == null) {
            throw undeclared("property key", of);
        }
        return key(of, own);
    }

    /// The error of a strict graph for an unknown name.
    public static IllegalArgumentException undeclared(String what, String name) {
        return new IllegalArgumentException(
                "The graph is strict and has no %s %s; declare it by schema() first"
                        .formatted(what, name));
    }

    /// Begins a transaction that adds the name `of`.
    ///
    /// @throws UsageException if `own` has locked or changed definitions, so that no other transaction can add any
    private TableTransaction beginAdding(String of, @Nullable TableTransaction own) {
        if (own != null && !tables.mayAddBeside(own)) {
            throw new UsageException(
                    "A transaction that has changed definitions, or is exclusive, cannot add labels and property"
                            + " keys to a graph; use them once before its first definition, or declare them by"
                            + " schema() before it",
                    "graph=" + name + " added=" + of);
        }
        return tables.beginDefining(own);
    }

    private PropertyKey addKey(String of, @Nullable TableTransaction own) {
        ElementHelper.validateProperty(of, of); // known names have been validated
        try (TableTransaction transaction = beginAdding(of, own)) {
            synchronized (this) {
                PropertyKey known = keys.byName(of);
                if (known != null) {
                    return known;
                }
                PropertyKey added = new PropertyKey(keys.next(), of, null, null);
                write(transaction, added);
                transaction.commit();
                keys = keys.with(added);
                return added;
            }
        }
    }

    /// The vertex label `of`, which is added if it is missing.
    public VertexLabel vertexLabel(String of, @Nullable TableTransaction own) {
        VertexLabel known = vertexLabels.byName.get(of);
        if (known != null) {
            return known;
        }
        ElementHelper.validateLabel(of);
        return addVertexLabel(of, VertexLabel.free(), List.of(), own);
    }

    /// Adds a vertex label that does not exist yet.
    ///
    /// @param columns keys of properties that get columns
    public VertexLabel addVertexLabel(
            String of,
            LabelRules rules,
            List<PropertyKey> columns,
            @Nullable TableTransaction own) {
        try (TableTransaction transaction = beginAdding(of, own)) {
            synchronized (this) {
                VertexLabel known = vertexLabels.byName.get(of);
                if (known != null) {
                    return known;
                }
                VertexLabel added = made(of, rules, columns, transaction);
                write(transaction, added);
                transaction.commit();
                put(added);
                return added;
            }
        }
    }

    private VertexLabel made(
            String of, LabelRules rules, List<PropertyKey> columns, TableTransaction transaction) {
        int number = vertexLabels.all.length;
        if (number > VertexLabel.NUMBER_MAX) {
            throw new IllegalStateException("A graph has at most 65535 vertex labels");
        }
        Table table =
                transaction.create(
                        LabelTables.ofVertices(tableName(of, transaction), rules, columns));
        return new VertexLabel(
                number,
                of,
                table,
                new Columns(table, VertexLabel.BAG, keys.byName()),
                new Sequence(firstOfLabel(transaction)),
                new Sequence(1),
                transaction.catalog().version(),
                rules);
    }

    /// The first number of a new label: beyond all numbers that users gave as ids, to avoid collisions.
    private long firstOfLabel(TableTransaction transaction) {
        long highest = system.highestNumber(transaction, highestNumber.get());
        return Math.max(0, VertexLabel.inSequence(Math.max(0, highest))) + 1;
    }

    /// Notes a number that a user gives as an id.
    public void given(long number) {
        if (VertexLabel.inSequence(number) < VertexLabel.PLACES_MAX) {
            highestNumber.accumulateAndGet(number, Math::max);
        }
    }

    /// The edge label `of`, which is added if it is missing.
    public EdgeLabel edgeLabel(String of, @Nullable TableTransaction own) {
        EdgeLabel known = edgeLabels.byName.get(of);
        return known != null
                ? known
                : addEdgeLabel(of, VertexLabel.free(), EdgeLabel.Link.ANY, false, List.of(), own);
    }

    public EdgeLabel addEdgeLabel(
            String of,
            LabelRules rules,
            EdgeLabel.Link link,
            boolean single,
            List<PropertyKey> columns,
            @Nullable TableTransaction own) {
        try (TableTransaction transaction = beginAdding(of, own)) {
            synchronized (this) {
                EdgeLabel known = edgeLabels.byName.get(of);
                if (known != null) {
                    return known;
                }
                int number = edgeLabels.all.length;
                Table table =
                        transaction.create(
                                LabelTables.ofEdges(tableName(of, transaction), rules, columns));
                long version = transaction.catalog().version();
                Sequence sequence = new Sequence(1);
                EdgeLabel added =
                        edgeLabel(number, of, table, sequence, version, single, link, rules);
                write(transaction, added);
                transaction.commit();
                put(added);
                return added;
            }
        }
    }

    /// Declares the key `of`; a null type revokes the declaration, so that any value is accepted.
    public PropertyKey declare(
            String of, @Nullable DataType type, @Nullable Cardinality cardinality) {
        try (TableTransaction transaction = tables.beginDefining(null)) {
            synchronized (this) {
                PropertyKey known = keys.byName(of);
                int number = known == null ? keys.next() : known.number();
                PropertyKey declared = new PropertyKey(number, of, type, cardinality);
                write(transaction, declared);
                transaction.commit();
                keys = keys.with(declared);
                return declared;
            }
        }
    }

    /// `label` with another table and other rules.
    public VertexLabel changed(VertexLabel label, Table table, long version, LabelRules rules) {
        return new VertexLabel(
                label.number(),
                label.name(),
                table,
                new Columns(table, VertexLabel.BAG, keys.byName()),
                label.sequence(),
                label.hidden(),
                version,
                rules);
    }

    /// `label` with another table and other rules.
    public EdgeLabel changed(EdgeLabel label, Table table, long version, LabelRules rules) {
        return edgeLabel(
                label.number(),
                label.name(),
                table,
                label.sequence(),
                version,
                label.single(),
                label.link(),
                rules);
    }

    /// Replaces the table of a label by its changed version.
    public void replace(Table table, long version) {
        for (VertexLabel label : vertexLabels.byName.values()) {
            if (label.table().id() == table.id()) {
                put(changed(label, table, version, label.rules()));
            }
        }
        for (EdgeLabel label : edgeLabels.byName.values()) {
            if (label.table().id() == table.id()) {
                put(changed(label, table, version, label.rules()));
            }
        }
    }

    /// Drops the table of a label without elements, and its name. The numbers of its elements are not reused.
    ///
    /// @throws ConflictException if it has elements, because other transactions have added some meanwhile
    public void remove(VertexLabel label) {
        try (TableTransaction transaction = tables.beginExclusive()) {
            synchronized (this) {
                VertexLabel now = vertexLabels.all[label.number()];
                if (now == null) {
                    return; // removed by another transaction
                }
                drop(transaction, now.table(), Kind.VERTEX_LABEL, now.number());
                Map<String, VertexLabel> byName = new HashMap<>(vertexLabels.byName);
                byName.remove(now.name());
                @Nullable VertexLabel[] all = vertexLabels.all.clone();
                all[now.number()] = null;
                vertexLabels = new VertexLabels(byName, all);
            }
        }
    }

    /// Drops an edge label, like [#remove(VertexLabel)].
    public void remove(EdgeLabel label) {
        try (TableTransaction transaction = tables.beginExclusive()) {
            synchronized (this) {
                EdgeLabel now = edgeLabels.all[label.number()];
                if (now == null) {
                    return;
                }
                drop(transaction, now.table(), Kind.EDGE_LABEL, now.number());
                Map<String, EdgeLabel> byName = new HashMap<>(edgeLabels.byName);
                byName.remove(now.name());
                @Nullable EdgeLabel[] all = edgeLabels.all.clone();
                all[now.number()] = null;
                edgeLabels = new EdgeLabels(byName, all);
            }
        }
    }

    private void drop(TableTransaction transaction, Table table, Kind kind, int number) {
        if (transaction.count(table, null, new KeyRange(table.primaryKey().size())) > 0) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "Elements were added to the label while it was removed; remove it again",
                    "table=" + table.name());
        }
        transaction.drop(table);
        system.remove(transaction, kind, number);
        transaction.commit();
    }

    /// The name in the database of an object `of` this graph.
    public String inGraph(String of) {
        return name.isEmpty() ? of : name + "." + of;
    }

    /// The name in this graph of the object `inDatabase` of the database.
    public String named(String inDatabase) {
        String prefix = name + ".";
        return name.isEmpty() || !inDatabase.regionMatches(true, 0, prefix, 0, prefix.length())
                ? inDatabase
                : inDatabase.substring(prefix.length());
    }

    /// A name for the table of a label: the label itself, if no table has that name.
    private String tableName(String label, TableTransaction transaction) {
        String wanted = inGraph(label);
        String free = wanted;
        for (int i = 2; transaction.catalog().table(SearchPath.named("", free)) != null; i++) {
            free = wanted + "~" + i;
        }
        return free;
    }

    /// Reserves numbers of a sequence on the disk.
    public Sequence.Reservation reservation(VertexLabel label, @Nullable TableTransaction own) {
        return system.reservation(Kind.VERTEX_SEQUENCE, label.number(), own);
    }

    public Sequence.Reservation hiddenReservation(
            VertexLabel label, @Nullable TableTransaction own) {
        return system.reservation(Kind.HIDDEN_SEQUENCE, label.number(), own);
    }

    public Sequence.Reservation reservation(EdgeLabel label, @Nullable TableTransaction own) {
        return system.reservation(Kind.EDGE_SEQUENCE, label.number(), own);
    }

    /// Writes the position of the sequences of `label` in `transaction`.
    ///
    /// @return to be run when the transaction has committed
    public Runnable keep(TableTransaction transaction, VertexLabel label) {
        int number = label.number();
        Runnable own = system.keep(transaction, Kind.VERTEX_SEQUENCE, number, label.sequence());
        Runnable hidden = system.keep(transaction, Kind.HIDDEN_SEQUENCE, number, label.hidden());
        return () -> {
            own.run();
            hidden.run();
        };
    }

    public Runnable keep(TableTransaction transaction, EdgeLabel label) {
        return system.keep(transaction, Kind.EDGE_SEQUENCE, label.number(), label.sequence());
    }

    private void write(TableTransaction transaction, PropertyKey key) {
        Bytes out = new Bytes();
        SchemaCodec.put(key, out);
        system.write(transaction, Kind.PROPERTY_KEY, key.number(), key.name(), out);
    }

    public void write(TableTransaction transaction, VertexLabel label) {
        Bytes out = new Bytes();
        out.putText(label.table().name());
        label.rules().encode(out);
        system.write(transaction, Kind.VERTEX_LABEL, label.number(), label.name(), out);
    }

    public void write(TableTransaction transaction, EdgeLabel label) {
        Bytes out = new Bytes();
        out.putText(label.table().name());
        out.put(label.single() ? 1 : 0);
        out.putText(label.link().source());
        out.putText(label.link().target());
        label.rules().encode(out);
        system.write(transaction, Kind.EDGE_LABEL, label.number(), label.name(), out);
    }
}
