package dev.oriel.graph;

import dev.oriel.Database;
import dev.oriel.internal.Layers;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;

/// Declares the tables of a graph. Each needs a primary key, which identifies its elements.
public final class TableGraphBuilder {
    private final Database database;
    private final String name;
    private final List<Wanted> vertices = new ArrayList<>();
    private final List<WantedEdges> edges = new ArrayList<>();

    /// A table and the columns that are properties; an empty list means all columns.
    private record Wanted(String label, String table, List<String> properties) {}

    private record WantedEdges(Wanted element, End source, End target) {}

    /// One end of edges: their source or target.
    ///
    /// @param label the label of the vertices at this end
    /// @param columns columns of the edge table that hold the vertices' primary key, in its order
    public record End(String label, List<String> columns) {
        public End {
            columns = List.copyOf(columns);
        }

        public static End of(String label, String... columns) {
            return new End(label, List.of(columns));
        }
    }

    TableGraphBuilder(Database database, String name) {
        this.database = database;
        this.name = name;
    }

    /// Declares the rows of `table` as vertices; the label is the table's name.
    public TableGraphBuilder vertices(String table) {
        return vertices(table, table);
    }

    /// Declares the rows of `table` as vertices of `label`; `properties` are columns, or none for all.
    public TableGraphBuilder vertices(String label, String table, String... properties) {
        vertices.add(new Wanted(label, table, List.of(properties)));
        return this;
    }

    /// Declares the rows of `table` as edges of `label`; `properties` are columns, or none for all.
    public TableGraphBuilder edges(
            String label, String table, End source, End target, String... properties) {
        edges.add(new WantedEdges(new Wanted(label, table, List.of(properties)), source, target));
        return this;
    }

    /// Creates the graph, and commits by itself. It waits until no other transaction writes.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if the tables do not make a graph, or the name is taken
    public void create() {
        try (TableTransaction transaction = Layers.tables(database).beginExclusive()) {
            List<PropertyGraph.Element> elements = new ArrayList<>();
            for (Wanted vertex : vertices) {
                elements.add(element(transaction, vertex, vertex.label));
            }
            List<PropertyGraph.EdgeTable> edgeTables = new ArrayList<>();
            for (WantedEdges edge : edges) {
                edgeTables.add(
                        new PropertyGraph.EdgeTable(
                                element(transaction, edge.element, alias(edge.element.label)),
                                end(edge.source),
                                end(edge.target)));
            }
            transaction.create(new PropertyGraph(0, name, elements, edgeTables));
            transaction.commit();
        }
    }

    private PropertyGraph.Element element(
            TableTransaction transaction, Wanted wanted, String alias) {
        Table table = transaction.catalog().table(wanted.table);
        if (table == null) {
            throw new IllegalArgumentException(
                    "There is no table %s for the label %s".formatted(wanted.table, wanted.label));
        }
        List<String> key =
                table.primaryKey().stream()
                        .map(column -> table.columns().get(column).name())
                        .toList();
        List<PropertyGraph.Property> properties = new ArrayList<>();
        List<String> names =
                wanted.properties.isEmpty()
                        ? table.columns().stream().map(Column::name).toList()
                        : wanted.properties;
        names.forEach(column -> properties.add(new PropertyGraph.Property(column, column)));
        return new PropertyGraph.Element(alias, wanted.label, table.id(), key, properties);
    }

    /// A vertex table and an edge table may share a label, but not an alias.
    private String alias(String label) {
        boolean taken = vertices.stream().anyMatch(vertex -> vertex.label.equalsIgnoreCase(label));
        return taken ? label + "~2" : label;
    }

    private static PropertyGraph.End end(End end) {
        return new PropertyGraph.End(end.label, end.columns);
    }
}
