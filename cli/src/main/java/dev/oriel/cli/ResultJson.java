package dev.oriel.cli;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;

/// Writes the results of traversals as JSON for programs without knowledge of Gremlin. Numbers are numbers, maps
/// are objects with text keys, vertices and edges are objects with their properties. Types beyond JSON's are
/// texts; `io()` writes them exactly, as GraphSON.
final class ResultJson {
    private ResultJson() {}

    static void append(StringBuilder out, @Nullable Object value) {
        switch (value) {
            case null -> out.append("null");
            case Double number -> finite(out, number, number.isNaN() || number.isInfinite());
            case Float number -> finite(out, number, number.isNaN() || number.isInfinite());
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case Vertex vertex -> vertex(out, vertex);
            case Edge edge -> edge(out, edge);
            case VertexProperty<?> property -> {
                out.append("{\"id\":");
                append(out, property.id());
                out.append(",\"key\":").append(JsonPrinter.quoted(property.key()));
                out.append(",\"value\":");
                append(out, property.value());
                out.append('}');
            }
            case Property<?> property -> {
                out.append("{\"key\":").append(JsonPrinter.quoted(property.key()));
                out.append(",\"value\":");
                append(out, property.value());
                out.append('}');
            }
            case Path path -> append(out, path.objects());
            case Map<?, ?> map -> map(out, map);
            case Map.Entry<?, ?> entry ->
                    map(out, Collections.singletonMap(entry.getKey(), entry.getValue()));
            case Collection<?> values -> list(out, values.iterator());
            default -> out.append(JsonPrinter.quoted(ResultText.of(value)));
        }
    }

    private static void finite(StringBuilder out, Number number, boolean not) {
        out.append(not ? "\"" + number + "\"" : number.toString());
    }

    private static void list(StringBuilder out, Iterator<?> values) {
        out.append('[');
        while (values.hasNext()) {
            append(out, values.next());
            if (values.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private static void map(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            out.append(JsonPrinter.quoted(ResultText.of(entry.getKey()))).append(':');
            append(out, entry.getValue());
            if (entries.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private static void vertex(StringBuilder out, Vertex vertex) {
        out.append("{\"id\":");
        append(out, vertex.id());
        out.append(",\"label\":").append(JsonPrinter.quoted(vertex.label()));
        properties(out, ResultText.properties(vertex));
        out.append('}');
    }

    private static void edge(StringBuilder out, Edge edge) {
        out.append("{\"id\":");
        append(out, edge.id());
        out.append(",\"label\":").append(JsonPrinter.quoted(edge.label()));
        out.append(",\"from\":");
        append(out, edge.outVertex().id());
        out.append(",\"to\":");
        append(out, edge.inVertex().id());
        properties(out, ResultText.properties(edge));
        out.append('}');
    }

    /// Writes a single value as itself, several as an array.
    private static void properties(StringBuilder out, Map<String, List<Object>> properties) {
        out.append(",\"properties\":{");
        boolean first = true;
        for (Map.Entry<String, List<Object>> each : properties.entrySet()) {
            out.append(first ? "" : ",").append(JsonPrinter.quoted(each.getKey())).append(':');
            first = false;
            append(out, each.getValue().size() == 1 ? each.getValue().getFirst() : each.getValue());
        }
        out.append('}');
    }
}
