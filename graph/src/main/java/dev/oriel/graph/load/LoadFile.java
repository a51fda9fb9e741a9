package dev.oriel.graph.load;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.value.DataType;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// A file to be loaded, and its header. The property keys and labels that it names are defined by then.
record LoadFile(CsvLoad.Input input, char delimiter, CsvHeader header) {
    /// Reads the header, and defines missing property keys and labels; a strict graph refuses them.
    static LoadFile of(
            CsvLoad.Input input, CsvHeader.Titles titles, char delimiter, StoredGraph graph)
            throws IOException {
        LoadFile file;
        Set<String> labels = new LinkedHashSet<>();
        try (CsvSource in = new CsvSource(Files.newInputStream(input.file()), delimiter)) {
            file = new LoadFile(input, delimiter, header(in, input, titles));
            if (input.label().isEmpty()) {
                file.collectLabels(in, labels);
            } else {
                labels.add(input.label());
            }
        }
        file.define(graph.catalog(), labels, graph.isStrict());
        return file;
    }

    private static CsvHeader header(CsvSource in, CsvLoad.Input input, CsvHeader.Titles titles)
            throws IOException {
        List<String> words = new ArrayList<>();
        try {
            if (!in.next()) {
                throw refused("The file is empty; it needs a header", input.file(), null);
            }
            for (int i = 0; i < in.count(); i++) {
                words.add(in.text(i));
            }
        } catch (RejectedRow e) {
            throw refused("The header cannot be read: " + e.reason(), input.file(), e);
        }
        CsvHeader header;
        try {
            header = CsvHeader.parse(words, titles);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()), input.file(), e);
        }
        if (input.ofEdges() && !header.isOfEdges()) {
            throw refused(
                    "A file of edges needs columns of their sources and targets, ~from and ~to, or as you name them",
                    input.file(),
                    null);
        }
        if (input.label().isEmpty() && header.label() < 0) {
            throw refused(
                    "The file has no column of labels; name the label of all its rows",
                    input.file(),
                    null);
        }
        return header;
    }

    private static UsageException refused(String message, Path file, @Nullable Exception cause) {
        return new UsageException(message, "file=" + file, cause);
    }

    private void collectLabels(CsvSource in, Set<String> labels) throws IOException {
        while (true) {
            try {
                if (!in.next()) {
                    return;
                }
                if (in.count() > header.label() && !in.isAbsent(header.label())) {
                    labels.add(in.text(header.label()));
                }
            } catch (RejectedRow _) {
                // The record is rejected during the load.
            }
        }
    }

    private void define(GraphCatalog catalog, Set<String> labels, boolean strict) {
        List<PropertyKey> typed = new ArrayList<>();
        for (CsvColumn column : header.columns()) {
            if (column.role() != CsvColumn.Role.PROPERTY) {
                continue;
            }
            PropertyKey key = catalog.key(column.name(), strict, null);
            DataType type = column.type();
            if (!key.isDeclared() && type != null && !strict) {
                Cardinality cardinality = column.several() ? Cardinality.list : Cardinality.single;
                key = catalog.declare(column.name(), type, cardinality);
            }
            if (key.fitsColumn()) {
                typed.add(key);
            }
        }
        for (String label : labels) {
            if (input.ofEdges()) {
                if (!catalog.edgeLabels().byName().containsKey(label)) {
                    checkMayAdd("edge label", label, strict);
                    catalog.addEdgeLabel(
                            label, VertexLabel.free(), EdgeLabel.Link.ANY, false, typed, null);
                }
            } else if (!catalog.vertexLabels().byName().containsKey(label)) {
                checkMayAdd("vertex label", label, strict);
                catalog.addVertexLabel(label, VertexLabel.free(), typed, null);
            }
        }
    }

    private static void checkMayAdd(String what, String name, boolean strict) {
        if (strict) {
            throw GraphCatalog.undeclared(what, name);
        }
    }

    CsvSource open() throws IOException {
        return new CsvSource(Files.newInputStream(input.file()), delimiter);
    }
}
