package dev.oriel.graph;

import dev.oriel.Database;
import dev.oriel.graph.algorithm.AlgorithmService;
import dev.oriel.graph.algorithm.GraphAlgorithms;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.computer.OrielGraphComputer;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.GraphTransactions;
import dev.oriel.graph.element.OrielVariables;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.element.VertexIterator;
import dev.oriel.graph.load.CsvLoad;
import dev.oriel.graph.load.GraphLoad;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.transaction.GraphFaces;
import dev.oriel.graph.transaction.JoinedTransaction;
import dev.oriel.graph.transaction.SharedTransaction;
import dev.oriel.graph.transaction.SnapshotTransaction;
import dev.oriel.graph.transaction.ThreadTransaction;
import dev.oriel.graph.transaction.WorkTransaction;
import dev.oriel.graph.traversal.OrielStrategies;
import dev.oriel.graph.traversal.Settings;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.internal.Layers;
import dev.oriel.kv.Joined;
import dev.oriel.store.UsageException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A property graph in a database, for TinkerPop's Gremlin.
///
/// ```java
/// try (OrielGraph graph = OrielGraph.open(Path.of("data"))) {
///     graph.traversal().addV("person").property("name", "marko").iterate();
///     graph.tx().commit();
/// }
/// ```
/// Vertex and edge labels are tables, which SQL sees too; docs/graph-layout.md describes them. Labels and keys are
/// created at first use, or declared by [#schema()]. Any number of threads may use a graph, each in transactions
/// of its own; [Transaction#createThreadedTx()] begins one that several threads share.
///
/// Closing a graph rolls back the transaction of the calling thread. It also closes the database if the graph was
/// opened by a path, but not if it was opened in a database.
@Graph.OptIn(Graph.OptIn.SUITE_STRUCTURE_STANDARD)
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_STANDARD)
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_COMPUTER)
public final class OrielGraph implements StoredGraph {
    /// Path of the database; without it the graph is in memory.
    public static final String PATH = "oriel.path";

    /// The name of the graph in its database; empty for the first one.
    public static final String NAME = "oriel.name";

    /// Cardinality of a key that neither the call nor the schema gives.
    public static final String CARDINALITY = "oriel.cardinality";

    /// Whether labels and property keys must be declared before their first use: `true` or `false`, the default.
    /// Bulk loads obey it too.
    public static final String STRICT = "oriel.strict";

    /// Action of a traversal that no index serves, so that it scans a label: `allow`, the default, `warn` (through
    /// `System.Logger`) or `refuse`. Also `g.with(UNINDEXED, ...)`.
    public static final String UNINDEXED = Settings.UNINDEXED;

    /// Time limit of a traversal in milliseconds; 0, the default, for none. Also `g.with("evaluationTimeout",
    /// ...)`.
    public static final String TIMEOUT_MILLIS = Settings.TIMEOUT_MILLIS;

    static {
        TraversalStrategies.GlobalCache.registerStrategies(
                OrielGraph.class, OrielStrategies.of(Graph.class));
        TraversalStrategies.GlobalCache.registerStrategies(
                OrielGraphComputer.class,
                TraversalStrategies.GlobalCache.getStrategies(GraphComputer.class));
    }

    private final @Nullable Database database;
    private final boolean ownsDatabase;
    private final GraphCatalog catalog;
    private final GraphTransactions works;

    /// Made at first use within a transaction over several faces.
    private volatile @Nullable Configuration configuration;

    private final Cardinality usual;
    private final boolean strict;
    private final OrielFeatures features;
    private final WorkTransaction transaction;
    private volatile @Nullable ServiceRegistry services;

    private OrielGraph(
            Database database, boolean ownsDatabase, String name, Configuration configuration) {
        this.database = database;
        this.ownsDatabase = ownsDatabase;
        this.catalog = GraphCatalog.of(Layers.tables(database), name);
        this.works = GraphTransactions.of(catalog);
        this.configuration = configuration;
        this.usual = Cardinality.valueOf(configuration.getString(CARDINALITY, "single"));
        this.strict = configuration.getBoolean(STRICT, false);
        this.features = new OrielFeatures(configuration.containsKey(PATH), this::cardinality);
        this.transaction = new ThreadTransaction(this, works);
        if (catalog.expires()) {
            database.keepSwept();
        }
    }

    /// A view of `of` in which all threads share one transaction.
    ///
    /// @param fixed whether they read one snapshot and write nothing
    private OrielGraph(OrielGraph of, boolean fixed) {
        this.database = of.database;
        this.ownsDatabase = false;
        this.catalog = of.catalog;
        this.works = of.works;
        this.configuration = of.configuration;
        this.usual = of.usual;
        this.strict = of.strict;
        this.features = of.features;
        this.transaction =
                fixed ? new SnapshotTransaction(this, works) : new SharedTransaction(this, works);
    }

    /// A view of the graph within a transaction over several faces.
    private OrielGraph(GraphCatalog catalog, Joined joined) {
        this.database = null;
        this.ownsDatabase = false;
        this.catalog = catalog;
        this.works = GraphTransactions.of(catalog);
        this.usual = Cardinality.single;
        this.strict = false;
        this.features = new OrielFeatures(false, this::cardinality);
        this.transaction =
                new JoinedTransaction(this, GraphTransaction.joining(catalog, joined, strict));
    }

    private static Configuration configuration(String name) {
        Configuration configuration = new BaseConfiguration();
        configuration.setProperty(GRAPH, OrielGraph.class.getName());
        configuration.setProperty(NAME, name);
        return configuration;
    }

    /// The graph `name` as a face of `transaction`. Its traversals and elements see the writes of SQL, buckets and
    /// maps in the transaction, and the other way round. They commit and roll back together, in any thread. `tx()`
    /// refuses to commit and to roll back. Labels and property keys created at first use are committed by
    /// themselves, as always. The graph is valid until the transaction ends.
    ///
    /// ```java
    /// db.transact(tx -> {
    ///     GraphTraversalSource g = OrielGraph.in(tx, "").traversal();
    ///     return g.V(1).addE("paid").to(__.V(2)).next();
    /// });
    /// ```
    ///
    /// @throws IllegalArgumentException if there is no such graph; `open(database, name)` creates one
    /// @throws dev.oriel.store.ConflictException if it was created after the transaction had begun to read, at a
    ///     level above READ COMMITTED
    public static OrielGraph in(dev.oriel.Transaction transaction, String name) {
        GraphFaces.Key key = new GraphFaces.Key("graph", name);
        String shown = name.isEmpty() ? "graph" : "graph " + name;
        return (OrielGraph)
                transaction
                        .face(key, shown, JoinedTransaction.class, joined -> joined(name, joined))
                        .graph();
    }

    private static JoinedTransaction joined(String name, Joined joined) {
        GraphFaces.find(joined, name);
        GraphCatalog catalog = GraphCatalog.of(joined.tables(), name);
        return (JoinedTransaction) new OrielGraph(catalog, joined).transaction;
    }

    /// Whether `database` has a graph `name` with labels of its own; for graphs over existing tables see
    /// [TableGraph#exists].
    public static boolean exists(Database database, String name) {
        return GraphCatalog.exists(Layers.tables(database).catalog(), name);
    }

    /// The names of the graphs of `database` that have labels of their own.
    public static List<String> names(Database database) {
        return GraphCatalog.names(Layers.tables(database).catalog());
    }

    /// Opens the graph in the database in the folder `path`; creates both if they are missing.
    public static OrielGraph open(Path path) {
        Configuration configuration = new BaseConfiguration();
        configuration.setProperty(GRAPH, OrielGraph.class.getName());
        configuration.setProperty(PATH, path.toString());
        return open(configuration);
    }

    /// Opens the graph `name` in `database`; creates it if it is missing. The graph with the empty name stores
    /// each label in a table of the same name; other graphs prefix their tables with their name and a dot.
    public static OrielGraph open(Database database, String name) {
        return new OrielGraph(database, false, name, configuration(name));
    }

    /// Like [#open(Database, String)], but labels and property keys must be declared before they are used: an
    /// undeclared one is an error that names it.
    public static OrielGraph openStrict(Database database, String name) {
        Configuration configuration = configuration(name);
        configuration.setProperty(STRICT, true);
        return new OrielGraph(database, false, name, configuration);
    }

    /// A graph without files; it ends when it is closed.
    public static OrielGraph inMemory() {
        Configuration configuration = new BaseConfiguration();
        configuration.setProperty(GRAPH, OrielGraph.class.getName());
        return open(configuration);
    }

    /// Opens a graph for TinkerPop's `GraphFactory`, with [#PATH], [#NAME], [#CARDINALITY] and
    /// [#STRICT].
    public static OrielGraph open(Configuration configuration) {
        String path = configuration.getString(PATH, null);
        Database database = path == null ? Database.inMemory() : Database.open(Path.of(path));
        boolean opened = false;
        try {
            String name = configuration.getString(NAME, "");
            OrielGraph graph = new OrielGraph(database, true, name, configuration);
            opened = true;
            return graph;
        } finally {
            if (!opened) {
                database.close();
            }
        }
    }

    /// For this module only, see [StoredGraph].
    @Override
    public GraphCatalog catalog() {
        return catalog;
    }

    /// The database of the graph.
    ///
    /// @throws UsageException if the graph belongs to a transaction over several faces
    @Override
    public Database database() {
        Database known = database;
        if (known == null) {
            throw noFace("use the handle that began that");
        }
        return known;
    }

    /// For this module only, see [StoredGraph].
    @Override
    public GraphTransaction work() {
        GraphTransaction opened = transaction.opened();
        if (opened != null) {
            return opened;
        }
        transaction.readWrite();
        return transaction.work();
    }

    /// The cardinality of `key` if a call does not give one: the declared one, or the graph's default.
    private Cardinality cardinality(String key) {
        PropertyKey known = catalog.keys().byName(key);
        Cardinality declared = known == null ? null : known.cardinality();
        return declared == null ? usual : declared;
    }

    @Override
    public Cardinality usualCardinality() {
        return usual;
    }

    @Override
    public boolean isStrict() {
        return strict;
    }

    @Override
    public Vertex addVertex(Object... keyValues) {
        String label = Vertex.DEFAULT_LABEL;
        Object id = null;
        checkPairs(keyValues);
        for (int i = 0; i < keyValues.length; i += 2) {
            Object key = keyValues[i];
            Object value = keyValues[i + 1];
            if (key == T.label) {
                if (value == null) {
                    throw Element.Exceptions.labelCanNotBeNull();
                }
                label = (String) value;
            } else if (key == T.id) {
                id = checkedId(value);
            } else if (!(key instanceof String)) {
                throw Element.Exceptions.providedKeyValuesMustHaveALegalKeyOnEvenIndices();
            }
        }
        GraphTransaction work = work();
        long vertex = work.vertices().insert(label, id, keyValues);
        return new OrielVertex(
                this, vertex, VertexLabel.isHidden(vertex) ? id : (Object) vertex, work);
    }

    private static void checkPairs(Object... keyValues) {
        if ((keyValues.length & 1) != 0) {
            throw Element.Exceptions.providedKeyValuesMustBeAMultipleOfTwo();
        }
    }

    private static Object checkedId(@Nullable Object id) {
        if (id == null || !ValueCodec.isId(id)) {
            throw Vertex.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
        }
        return id;
    }

    @Override
    public Iterator<Vertex> vertices(Object... ids) {
        return ids.length == 0
                ? new VertexIterator(this, catalog.vertexLabels().byName().values())
                : VertexIterator.of(this, ids);
    }

    /// The vertex with this number, or null if it does not exist or was removed. It is the fastest lookup: a single
    /// fetch of its row. See [OrielVertex#number].
    public @Nullable OrielVertex vertexByNumber(long number) {
        return work().vertices().exists(number) ? new OrielVertex(this, number, null) : null;
    }

    /// A query for vertices of a label, to be refined by conditions and then counted or iterated.
    public VertexQuery find(String label) {
        return new VertexQuery(this, label, List.of());
    }

    @Override
    public Iterator<Edge> edges(Object... ids) {
        return ids.length == 0
                ? EdgeIterator.all(this, catalog.edgeLabels().byName().values())
                : EdgeIterator.of(this, ids);
    }

    @Override
    public Transaction tx() {
        return transaction.asTransaction();
    }

    @Override
    public OrielGraph threaded() {
        checkNoFace("threads share that as it is");
        OrielGraph view = new OrielGraph(this, false);
        view.tx().open();
        return view;
    }

    /// A snapshot of the committed state, for any number of threads to read.
    private SnapshotTransaction snapshot() {
        return (SnapshotTransaction) new OrielGraph(this, true).transaction;
    }

    /// Refuses an operation that commits by itself within a transaction over several faces.
    private void checkNoFace(String remedy) {
        if (transaction instanceof JoinedTransaction) {
            throw noFace(remedy);
        }
    }

    private static UsageException noFace(String remedy) {
        return new UsageException(
                "The graph belongs to a transaction over several faces; " + remedy, "");
    }

    /// Declares property keys, labels and indexes.
    public OrielSchema schema() {
        checkNoFace("declare its schema before, by OrielGraph.open(database, name)");
        return new OrielSchema(this);
    }

    /// Searches and computations over the edge tables.
    public GraphAlgorithms algorithms() {
        return new GraphAlgorithms(this);
    }

    /// The services of `call()`: the algorithms, see docs/graph.md.
    @Override
    public ServiceRegistry getServiceRegistry() {
        ServiceRegistry made = services;
        if (made == null) {
            synchronized (this) {
                made = services;
                if (made == null) {
                    made = AlgorithmService.registry(this);
                    services = made;
                }
            }
        }
        return made;
    }

    /// Begins a bulk load of vertices and edges made by the program, without logging. It waits until no other
    /// transaction writes.
    public GraphLoad load() {
        checkNoFace("load before or after it");
        return new GraphLoad(this);
    }

    /// Bulk load of vertices and edges from CSV files, without logging.
    public CsvLoad loadCsv() {
        checkNoFace("load before or after it");
        return new CsvLoad(this);
    }

    @Override
    public Variables variables() {
        return new OrielVariables(this);
    }

    @Override
    public Configuration configuration() {
        Configuration made = configuration;
        if (made == null) {
            made = configuration(catalog.name());
            configuration = made;
        }
        return made;
    }

    @Override
    public Features features() {
        return features;
    }

    @Override
    public <C extends GraphComputer> C compute(Class<C> type) {
        if (!type.equals(OrielGraphComputer.class)) {
            throw Graph.Exceptions.graphDoesNotSupportProvidedGraphComputer(type);
        }
        return type.cast(compute());
    }

    /// Runs vertex programs over the committed state, see [OrielGraphComputer].
    @Override
    public GraphComputer compute() {
        checkNoFace("a graph computer reads what is committed, so run it outside");
        return new OrielGraphComputer(this, this::snapshot);
    }

    @Override
    public void close() {
        try {
            tx().close();
        } finally {
            if (ownsDatabase && database != null) {
                database.close();
            }
        }
    }

    @Override
    public String toString() {
        return StringFactory.graphString(
                this, database == null ? "transaction" : "database:" + database);
    }
}
