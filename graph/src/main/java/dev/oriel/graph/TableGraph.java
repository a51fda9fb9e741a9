package dev.oriel.graph;

import dev.oriel.Database;
import dev.oriel.graph.tables.RowGraph;
import dev.oriel.graph.tables.TableFace;
import dev.oriel.graph.transaction.GraphFaces;
import dev.oriel.graph.traversal.OrielStrategies;
import dev.oriel.internal.Layers;
import dev.oriel.kv.Joined;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.SearchPath;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Graph;

/// Ordinary tables as a graph, declared by SQL:2023's `CREATE PROPERTY GRAPH` or by [#define].
///
/// ```java
/// TableGraph.define(database, "social")
///         .vertices("person")
///         .edges("knows", "knows", End.of("person", "a"), End.of("person", "b"))
///         .create();
/// try (TableGraph graph = TableGraph.open(database, "social")) {
///     graph.traversal().V().has("person", "name", "marko").out("knows").values("name");
/// }
/// ```
/// It stores no rows: Gremlin reads and writes the rows of the tables, under all their constraints. SQL sees each
/// change when it is committed, and the other way round. Ids are `label:key`, with the values of the primary key.
/// Removing a vertex removes its edges too.
///
/// Transactions work like [OrielGraph]'s. Any number of threads may use the graph, each in its own transaction.
public final class TableGraph extends RowGraph {
    static {
        TraversalStrategies.GlobalCache.registerStrategies(
                TableGraph.class, OrielStrategies.of(Graph.class));
    }

    private TableGraph(Database database, String name) {
        super(database, name, configuration(name));
    }

    private static Configuration configuration(String name) {
        Configuration configuration = new BaseConfiguration();
        configuration.setProperty(GRAPH, TableGraph.class.getName());
        configuration.setProperty(OrielGraph.NAME, name);
        return configuration;
    }

    private TableGraph(String name, Joined joined) {
        super(name, configuration(name), joined);
    }

    /// The property graph `name` as a face of `transaction`: see [OrielGraph#in].
    ///
    /// @throws IllegalArgumentException if there is none
    public static TableGraph in(dev.oriel.Transaction transaction, String name) {
        GraphFaces.Key key = new GraphFaces.Key("tables", name);
        return (TableGraph)
                transaction
                        .face(key, "graph " + name, TableFace.class, joined -> joined(name, joined))
                        .graph();
    }

    private static TableFace joined(String name, Joined joined) {
        Catalog catalog = joined.newest().catalog();
        if (catalog.graph(name) == null) {
            throw GraphFaces.missing(catalog, name);
        }
        return (TableFace) new TableGraph(name, joined).tx();
    }

    /// Whether `database` has a property graph `name`.
    public static boolean exists(Database database, String name) {
        return Layers.tables(database).catalog().graph(name) != null;
    }

    /// The property graph `name` of `database`. Closing it leaves the database open.
    ///
    /// @throws IllegalArgumentException if there is none
    public static TableGraph open(Database database, String name) {
        if (!exists(database, name)) {
            throw GraphFaces.missing(Layers.tables(database).catalog(), name);
        }
        return new TableGraph(database, name);
    }

    /// Declares a property graph, as `CREATE PROPERTY GRAPH` does.
    public static TableGraphBuilder define(Database database, String name) {
        return new TableGraphBuilder(database, name);
    }

    /// Removes the declaration; the tables stay.
    ///
    /// @throws IllegalArgumentException if there is none
    public static void drop(Database database, String name) {
        try (TableTransaction transaction = Layers.tables(database).beginExclusive()) {
            PropertyGraph graph = transaction.catalog().graph(SearchPath.named("", name));
            if (graph == null) {
                throw new IllegalArgumentException("There is no property graph " + name);
            }
            transaction.drop(graph);
            transaction.commit();
        }
    }
}
