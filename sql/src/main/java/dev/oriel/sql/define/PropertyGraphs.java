package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.GraphElement;
import dev.oriel.sql.syntax.GraphElement.GraphEnd;
import dev.oriel.sql.syntax.GraphElement.GraphProperties;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs CREATE and DROP PROPERTY GRAPH: resolves names, and leaves validation of the graph to the table layer.
final class PropertyGraphs {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog catalog;
    private final Execution execution;

    PropertyGraphs(SqlText source, Execution execution) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.catalog = transaction.catalog();
    }

    /// Creates the graph; OR REPLACE replaces an existing one of its name.
    void create(Statement.CreateGraph create) {
        PropertyGraph before = create.orReplace() ? catalog.graph(create.name().path()) : null;
        List<PropertyGraph.Element> vertices = new ArrayList<>();
        for (GraphElement vertex : create.vertices()) {
            vertices.add(element(vertex, table(vertex)));
        }
        List<PropertyGraph.EdgeTable> edges = new ArrayList<>();
        for (GraphElement edge : create.edges()) {
            Table table = table(edge);
            edges.add(
                    new PropertyGraph.EdgeTable(
                            element(edge, table),
                            indexed(end(create, table, edge.source()), table),
                            indexed(end(create, table, edge.target()), table)));
        }
        transaction.create(
                new PropertyGraph(
                        before == null ? 0 : before.id(), create.name().name(), vertices, edges));
    }

    private Table table(GraphElement element) {
        return SelectBinder.ordinary(source, catalog, element.table());
    }

    private PropertyGraph.Element element(GraphElement element, Table table) {
        List<String> key = new ArrayList<>();
        if (element.key().isEmpty()) {
            table.primaryKey().forEach(column -> key.add(table.columns().get(column).name()));
        }
        for (Identifier column : element.key()) {
            key.add(column(table, column).name());
        }
        return new PropertyGraph.Element(
                element.alias().name(),
                element.label().name(),
                table.id(),
                key,
                properties(table, element.properties()));
    }

    private List<PropertyGraph.Property> properties(Table table, @Nullable GraphProperties wanted) {
        List<PropertyGraph.Property> properties = new ArrayList<>();
        if (wanted instanceof GraphProperties.Listed listed) {
            for (int i = 0; i < listed.columns().size(); i++) {
                Column column = column(table, listed.columns().get(i));
                Identifier name = listed.names().get(i);
                String called =
                        name.name().equalsIgnoreCase(column.name()) ? column.name() : name.name();
                properties.add(new PropertyGraph.Property(called, column.name()));
            }
            return properties;
        }
        List<String> except = new ArrayList<>();
        if (wanted instanceof GraphProperties.All all) {
            all.except().forEach(name -> except.add(column(table, name).name()));
        }
        for (Column column : table.columns()) {
            if (!except.contains(column.name())) {
                properties.add(new PropertyGraph.Property(column.name(), column.name()));
            }
        }
        return properties;
    }

    private Column column(Table table, Identifier name) {
        int column = table.column(name.name());
        if (column < 0) {
            List<String> names = table.columns().stream().map(Column::name).toList();
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    name.position(),
                    "There is no column \""
                            + name.name()
                            + "\" in the table \""
                            + table.name()
                            + "\""
                            + Nearest.hint(name.name(), names));
        }
        return table.columns().get(column);
    }

    /// Returns `end`; warns if no index finds edges by it.
    private PropertyGraph.End indexed(PropertyGraph.End end, Table edges) {
        List<Integer> columns = end.columns().stream().map(edges::column).toList();
        if (!edges.keyBeginsWith(columns) && edges.indexOn(columns) == null) {
            String names = String.join(", ", end.columns());
            execution.warn(
                    "No index of %s begins with (%s), so each hop from %s over it reads all its rows; CREATE INDEX ON %s (%s) makes hops fast"
                            .formatted(edges.name(), names, end.vertex(), edges.name(), names));
        }
        return end;
    }

    private PropertyGraph.End end(
            Statement.CreateGraph create, Table edges, @Nullable GraphEnd end) {
        if (end == null) {
            throw new IllegalStateException("an edge table without ends");
        }
        Table vertices = vertices(create, end.vertex());
        if (end.columns().isEmpty()) {
            return new PropertyGraph.End(end.vertex().name(), byForeignKey(edges, vertices, end));
        }
        List<String> own = new ArrayList<>();
        end.columns().forEach(column -> own.add(column(edges, column).name()));
        if (end.referred().isEmpty()) {
            return new PropertyGraph.End(end.vertex().name(), own);
        }
        List<String> ordered = new ArrayList<>();
        for (int column : vertices.primaryKey()) {
            String key = vertices.columns().get(column).name();
            for (int i = 0; i < Math.min(own.size(), end.referred().size()); i++) {
                if (column(vertices, end.referred().get(i)).name().equals(key)) {
                    ordered.add(own.get(i));
                }
            }
        }
        if (ordered.size() != own.size() || own.size() != end.referred().size()) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    end.position(),
                    "An edge refers to the primary key of \"" + vertices.name() + "\", all of it");
        }
        return new PropertyGraph.End(end.vertex().name(), ordered);
    }

    private Table vertices(Statement.CreateGraph create, Identifier name) {
        List<String> names = new ArrayList<>();
        for (GraphElement vertex : create.vertices()) {
            if (vertex.alias().name().equalsIgnoreCase(name.name())) {
                return table(vertex);
            }
            names.add(vertex.alias().name());
        }
        throw source.error(
                Kind.UNKNOWN_TABLE,
                name.position(),
                "\""
                        + name.name()
                        + "\" is not a vertex table of the graph"
                        + Nearest.hint(name.name(), names));
    }

    /// The columns by which the only foreign key of `edges` refers to `vertices`, in the order of its primary key.
    private List<String> byForeignKey(Table edges, Table vertices, GraphEnd end) {
        List<ForeignKey> fitting =
                edges.constraints().foreignKeys().stream()
                        .filter(key ->
                                key.parent() == vertices.id()
                                        && key.parentColumns().size()
                                                == vertices.primaryKey().size()
                                        && key.parentColumns().containsAll(vertices.primaryKey()))
                        .toList();
        if (fitting.size() != 1) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    end.position(),
                    "\"%s\" has %s foreign key to \"%s\": say which columns refer to it by KEY (...) REFERENCES %s"
                            .formatted(
                                    edges.name(),
                                    fitting.isEmpty() ? "no" : "more than one",
                                    vertices.name(),
                                    end.vertex().name()));
        }
        ForeignKey key = fitting.getFirst();
        List<String> columns = new ArrayList<>();
        for (int column : vertices.primaryKey()) {
            int own = key.columns().get(key.parentColumns().indexOf(column));
            columns.add(edges.columns().get(own).name());
        }
        return columns;
    }

    void drop(Statement.DropGraph drop) {
        Identifier name = drop.name();
        PropertyGraph graph = catalog.graph(name.path());
        if (graph != null) {
            transaction.drop(graph);
            return;
        }
        if (!drop.ifExists()) {
            List<String> names = catalog.graphs().stream().map(PropertyGraph::name).toList();
            throw source.error(
                    catalog.table(name.path()) != null ? Kind.WRONG_OBJECT : Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no property graph \""
                            + name.name()
                            + "\""
                            + Nearest.hint(name.name(), names));
        }
    }
}
