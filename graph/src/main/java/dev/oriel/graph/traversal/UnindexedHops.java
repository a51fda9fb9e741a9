package dev.oriel.graph.traversal;

import dev.oriel.graph.tables.EdgeEnds;
import dev.oriel.graph.tables.ElementTable;
import dev.oriel.graph.tables.RowGraph;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;

/// Hops of a property graph over edge tables without an index for them: each vertex causes a scan of all rows.
final class UnindexedHops {
    private UnindexedHops() {}

    /// Edge tables that `hops` scan, each with the leading columns of the missing index. Empty for a graph with
    /// tables of its own, whose edges are found by their ends.
    static Set<String> of(Traversal.Admin<?, ?> traversal, List<Hop> hops) {
        Set<String> tables = new TreeSet<>();
        if (traversal.getGraph().orElse(null) instanceof RowGraph graph) {
            for (Hop hop : hops) {
                for (ElementTable from : graph.vertexTables()) {
                    TableHops.ways(graph, hop, from).stream()
                            .filter(way -> !way.near().indexed())
                            .forEach(way -> tables.add(described(way.ends(), way.near())));
                }
            }
        }
        return tables;
    }

    private static String described(EdgeEnds ends, EdgeEnds.End near) {
        List<String> columns =
                near.columns().stream()
                        .map(column -> ends.edges().table().columns().get(column).name())
                        .toList();
        return ends.edges().table().name() + "(" + String.join(", ", columns) + ")";
    }

    /// Applies the setting for missing indexes if `hops` scan tables.
    ///
    /// @param step the step of the hops, for the message
    /// @throws IllegalArgumentException if the setting refuses the traversal
    static void check(Traversal.Admin<?, ?> traversal, List<Hop> hops, Object step) {
        Settings.Unindexed unindexed = Settings.unindexed(traversal);
        if (unindexed != Settings.Unindexed.ALLOW) {
            Set<String> tables = of(traversal, hops);
            if (!tables.isEmpty()) {
                unindexed.actOnHops(tables, step);
            }
        }
    }

    /// Note in the step of `hops` about tables that are scanned; empty if there are none.
    static String note(Traversal.Admin<?, ?> traversal, List<Hop> hops) {
        Set<String> tables = of(traversal, hops);
        return tables.isEmpty() ? "" : "no index begins with " + String.join(", ", tables);
    }
}
