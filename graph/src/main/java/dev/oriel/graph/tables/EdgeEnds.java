package dev.oriel.graph.tables;

import dev.oriel.table.ForeignKey;
import dev.oriel.table.Index;
import dev.oriel.table.PropertyGraph;
import dev.oriel.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of edges and where they begin and end.
public record EdgeEnds(ElementTable edges, End source, End target) {
    /// One end.
    ///
    /// @param vertices the table of the vertices there
    /// @param columns of the edges' table: the values of the vertices' key, in its order
    /// @param access an index that begins with these columns, in whatever order; null for the primary key
    /// @param indexed whether there is such an access at all
    /// @param sure whether a foreign key sees to it that the vertices are there
    public record End(
            ElementTable vertices,
            List<Integer> columns,
            @Nullable Index access,
            boolean indexed,
            boolean sure) {
        /// The columns of the key that it is found by, as many as belong to the end.
        List<Integer> accessColumns(Table edges) {
            List<Integer> all = access == null ? edges.primaryKey() : access.columns();
            return all.subList(0, columns.size());
        }
    }

    public End end(boolean reverse) {
        return reverse ? target : source;
    }

    /// Whether each edge leads to a vertex at that end, without a look at it.
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
