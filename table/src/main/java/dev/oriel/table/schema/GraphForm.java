package dev.oriel.table.schema;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Names;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tests that a [PropertyGraph] can be read and written as a graph of its tables.
public final class GraphForm {
    private final Schema schema;
    private final PropertyGraph graph;

    private GraphForm(Schema schema, PropertyGraph graph) {
        this.schema = schema;
        this.graph = graph;
    }

    /// Checks that `graph` can be defined over the tables of `schema`.
    ///
    /// @throws ConstraintException if it cannot
    public static void check(Schema schema, PropertyGraph graph) {
        CatalogCodec.checkName(graph.name());
        new GraphForm(schema, graph).check();
    }

    private void check() {
        Set<String> aliases = new HashSet<>();
        Set<String> vertexLabels = new HashSet<>();
        Set<String> edgeLabels = new HashSet<>();
        for (PropertyGraph.Element vertex : graph.vertices()) {
            checkElement(vertex, aliases, vertexLabels);
        }
        for (PropertyGraph.EdgeTable edge : graph.edges()) {
            Table table = checkElement(edge.element(), aliases, edgeLabels);
            checkEnd(table, edge.source());
            checkEnd(table, edge.target());
        }
    }

    private Table checkElement(
            PropertyGraph.Element element, Set<String> aliases, Set<String> labels) {
        CatalogCodec.checkName(element.alias());
        CatalogCodec.checkName(element.label());
        if (!aliases.add(Names.folded(element.alias()))) {
            throw refused(
                    Kind.DUPLICATE_NAME,
                    "A property graph has a table twice; give one of them another name by AS",
                    "table=" + element.alias());
        }
        if (!labels.add(element.label())) {
            throw refused(
                    Kind.DUPLICATE_NAME,
                    "A property graph has a label twice",
                    "label=" + element.label());
        }
        Table table = table(element);
        checkKey(table, element);
        Set<String> names = new HashSet<>();
        for (PropertyGraph.Property property : element.properties()) {
            CatalogCodec.checkName(property.name());
            column(table, property.column());
            if (!names.add(property.name())) {
                throw refused(
                        Kind.DUPLICATE_NAME,
                        "A label of a property graph has a property twice",
                        "label=" + element.label() + " property=" + property.name());
            }
        }
        return table;
    }

    private Table table(PropertyGraph.Element element) {
        TableEntry entry = schema.entries().get(element.table());
        if (entry == null) {
            throw refused(
                    Kind.UNKNOWN_NAME,
                    "A property graph is of tables that exist",
                    "table=" + element.alias());
        }
        return entry.table();
    }

    private void checkKey(Table table, PropertyGraph.Element element) {
        List<String> key = new ArrayList<>();
        for (int column : table.primaryKey()) {
            key.add(table.columns().get(column).name());
        }
        boolean same = key.size() == element.key().size() && !key.isEmpty();
        for (int i = 0; same && i < key.size(); i++) {
            same = key.get(i).equalsIgnoreCase(element.key().get(i));
        }
        if (!same) {
            throw refused(
                    Kind.NO_KEY,
                    "The key of a table of a property graph must be its primary key, in its order",
                    "table=" + table.name() + " key=" + element.key() + " primary=" + key);
        }
    }

    private int column(Table table, String name) {
        int column = table.column(name);
        if (column < 0) {
            List<String> names = table.columns().stream().map(Column::name).toList();
            throw refused(
                    Kind.UNKNOWN_NAME,
                    "A property graph is of columns that exist",
                    "table=" + table.name() + " column=" + name + Names.nearest(name, names));
        }
        return column;
    }

    private void checkEnd(Table edges, PropertyGraph.End end) {
        PropertyGraph.Element vertex = graph.vertex(end.vertex());
        if (vertex == null) {
            List<String> names =
                    graph.vertices().stream().map(PropertyGraph.Element::alias).toList();
            throw refused(
                    Kind.UNKNOWN_NAME,
                    "An edge table refers to one of the vertex tables of its graph",
                    "table="
                            + edges.name()
                            + " vertices="
                            + end.vertex()
                            + Names.nearest(end.vertex(), names));
        }
        Table parent = table(vertex);
        boolean fits = end.columns().size() == parent.primaryKey().size();
        for (int i = 0; fits && i < end.columns().size(); i++) {
            Type own = edges.columns().get(column(edges, end.columns().get(i))).type();
            Type key = parent.columns().get(parent.primaryKey().get(i)).type();
            fits = own.name() == key.name() || (own.shape() == key.shape() && isText(own));
        }
        if (!fits) {
            throw refused(
                    Kind.TYPE_MISMATCH,
                    "An edge table refers to a vertex by columns of the types of its primary key",
                    "table="
                            + edges.name()
                            + " columns="
                            + end.columns()
                            + " vertices="
                            + parent.name());
        }
    }

    private static boolean isText(Type type) {
        return type.shape().isText();
    }

    private ConstraintException refused(Kind kind, String message, String context) {
        return new ConstraintException(kind, message, "graph=" + graph.name() + " " + context);
    }

    /// Checks that no graph uses columns or a key that the table has lost.
    ///
    /// @param before the table as it was
    /// @param now the table as it is; null if it is dropped
    public static void checkUse(Schema schema, Table before, @Nullable Table now) {
        for (PropertyGraph graph : schema.catalog().graphs()) {
            if (!graph.uses(before.id())) {
                continue;
            }
            if (now == null) {
                throw needed(graph, "table=" + before.name());
            }
            for (Column column : before.columns()) {
                int place = now.column(column.name());
                boolean changed =
                        place < 0 || now.columns().get(place).type().name() != column.type().name();
                if (changed && graph.uses(before.id(), column.name())) {
                    throw needed(graph, "table=" + before.name() + " column=" + column.name());
                }
            }
            if (!keyNames(before).equals(keyNames(now))) {
                throw needed(graph, "table=" + before.name() + " primaryKey=" + keyNames(before));
            }
        }
    }

    private static List<String> keyNames(Table table) {
        return table.primaryKey().stream()
                .map(column -> Names.folded(table.columns().get(column).name()))
                .toList();
    }

    private static ConstraintException needed(PropertyGraph graph, String context) {
        return new ConstraintException(
                Kind.DEPENDENT,
                "A property graph uses it; drop that one first",
                "graph=" + graph.name() + " " + context);
    }
}
