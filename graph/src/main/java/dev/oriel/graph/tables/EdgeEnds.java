package dev.oriel.graph.tables;

import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An edge table with its two ends.
public record EdgeEnds(ElementTable edges, End source, End target) {
    /// One end of an edge table.
    ///
    /// @param vertices the vertex table of this end
    /// @param columns columns of the edge table that hold the vertices' key, in its order
    /// @param access an index that begins with these columns, in any order; null for the primary key
    /// @param indexed whether there is such an access path at all
    /// @param sure whether a foreign key guarantees that the vertices exist
    public record End(
            ElementTable vertices,
            List<Integer> columns,
            @Nullable Index access,
            boolean indexed,
            boolean sure) {
        /// The leading columns of the access path, as many as the end has.
        List<Integer> accessColumns(Table edges) {
            List<Integer> all = access == null ? edges.primaryKey() : access.columns();
            return all.subList(0, columns.size());
        }
    }

    public End end(boolean reverse) {
        return reverse ? target : source;
    }

    /// Whether each edge is known to lead to an existing vertex at that end, without reading it.
    boolean leads(boolean toSource) {
        End end = end(toSource);
        return end.sure() && edges.areFilled(end.columns());
    }

    boolean isEnd(int column) {
        return source.columns.contains(column) || target.columns.contains(column);
    }

    static End of(ElementTable edges, ElementTable vertices, PropertyGraph.End end) {
        Table table = edges.table();
        List<Integer> columns = end.columns().stream().map(table::column).toList();
        boolean sure = false;
        for (ForeignKey key : table.constraints().foreignKeys()) {
            sure |=
                    key.parent() == vertices.table().id()
                            && key.columns().containsAll(columns)
                            && columns.containsAll(key.columns());
        }
        boolean byKey = table.keyBeginsWith(columns);
        Index access = byKey ? null : table.indexOn(columns);
        return new End(vertices, columns, access, byKey || access != null, sure);
    }
}
