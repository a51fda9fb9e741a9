package dev.oriel.graph.transaction;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.kv.Joined;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.PropertyGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Finds the graphs that transactions over several faces name.
public final class GraphFaces {
    private GraphFaces() {}

    /// Key of a graph among the faces of a transaction.
    ///
    /// @param kind "graph" or "tables"
    public record Key(String kind, String name) {
        public Key {
            name = name.toUpperCase(Locale.ROOT);
        }
    }

    /// Makes the tables of the graph `name` visible to the transaction. The first graph of a database, whose name
    /// is empty, is created if it is missing and the transaction writes.
    ///
    /// @throws IllegalArgumentException if there is no such graph
    /// @throws ConflictException if the graph is newer than the snapshot, and the transaction cannot take a newer one
    public static void find(Joined joined, String name) {
        TableTransaction rows = joined.newest();
        if (GraphCatalog.exists(rows.catalog(), name)) {
            return;
        }
        Catalog newest = joined.tables().catalog();
        if (!GraphCatalog.exists(newest, name)) {
            if (!name.isEmpty() || !rows.writable()) {
                throw missing(newest, name);
            }
            GraphCatalog.create(joined.tables(), name, rows);
        }
        if (!rows.writable() || rows.isolation() != Isolation.READ_COMMITTED) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "The graph was created after the transaction had begun to read; run it again",
                    "graph=" + name);
        }
        joined.refresh();
    }

    /// The error for a graph that does not exist.
    public static IllegalArgumentException missing(Catalog catalog, String name) {
        if (catalog.graph(name) != null) {
            return new IllegalArgumentException(
                    "%s is a property graph over tables; open it as a TableGraph".formatted(name));
        }
        if (GraphCatalog.exists(catalog, name)) {
            return new IllegalArgumentException(
                    "%s is a graph with labels of its own; open it as an OrielGraph"
                            .formatted(name.isEmpty() ? "\"\"" : name));
        }
        List<String> names = names(catalog);
        return new IllegalArgumentException(
                names.isEmpty()
                        ? "There is no graph %s; the database has none".formatted(name)
                        : "There is no graph %s; there are: %s"
                                .formatted(name, String.join(", ", names)));
    }

    /// The names of all graphs in `catalog`, including property graphs over tables; the empty name of the first
    /// graph is shown as `""`.
    public static List<String> names(Catalog catalog) {
        List<String> names = new ArrayList<>();
        GraphCatalog.names(catalog).forEach(name -> names.add(name.isEmpty() ? "\"\"" : name));
        catalog.graphs().stream().map(PropertyGraph::name).forEach(names::add);
        names.sort(null);
        return names;
    }
}
