package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The vertices of a graph in groups found by an algorithm. A group is represented by its vertex that was added
/// first.
public final class VertexGroups {
    private final StoredGraph graph;
    private final DenseGraph vertices;

    /// Place of the representative, by place of a vertex.
    private final int[] first;

    VertexGroups(StoredGraph graph, DenseGraph vertices, int... first) {
        this.graph = graph;
        this.vertices = vertices;
        this.first = first;
    }

    /// A group.
    ///
    /// @param first the representative
    /// @param size the number of vertices
    public record Group(Vertex first, int size) {}

    /// A vertex and the representative of its group.
    public record Member(Vertex vertex, Vertex first) {}

    /// The representative of the group of `vertex`; the vertex itself if it is in none.
    public Vertex of(Vertex vertex) {
        int place = vertices.place(((OrielVertex) vertex).number());
        return place < 0 ? vertex : vertex(first[place]);
    }

    /// All groups, the largest first.
    public List<Group> groups() {
        int[] sizes = new int[first.length];
        for (int each : first) {
            sizes[each]++;
        }
        List<Group> groups = new ArrayList<>();
        for (int place = 0; place < sizes.length; place++) {
            if (sizes[place] > 0) {
                groups.add(new Group(vertex(place), sizes[place]));
            }
        }
        groups.sort(Comparator.comparingInt(Group::size).reversed());
        return groups;
    }

    /// All vertices with their groups; each member is made on access.
    public List<Member> members() {
        return new AbstractList<>() {
            @Override
            public Member get(int place) {
                return new Member(vertex(place), vertex(first[place]));
            }

            @Override
            public int size() {
                return first.length;
            }
        };
    }

    private Vertex vertex(int place) {
        return new OrielVertex(graph, vertices.vertex(place), null);
    }
}
