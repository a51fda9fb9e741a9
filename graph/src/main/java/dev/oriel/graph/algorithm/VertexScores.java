package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A score for each vertex of a graph, computed by an algorithm.
public final class VertexScores {
    private final StoredGraph graph;
    private final DenseGraph vertices;
    private final double[] scores;

    VertexScores(StoredGraph graph, DenseGraph vertices, double... scores) {
        this.graph = graph;
        this.vertices = vertices;
        this.scores = scores;
    }

    /// A vertex and its score.
    public record Scored(Vertex vertex, double score) {}

    /// Number of vertices with a score.
    public int size() {
        return scores.length;
    }

    /// The score of `vertex`; 0 if it has none.
    public double of(Vertex vertex) {
        int place = vertices.place(((OrielVertex) vertex).number());
        return place < 0 ? 0 : scores[place];
    }

    /// The `count` vertices with the highest scores, or all, highest first; among equals, earlier added ones come
    /// first.
    public List<Scored> top(int count) {
        Comparator<Integer> lowestFirst =
                Comparator.<Integer>comparingDouble(place -> scores[place])
                        .thenComparing(Comparator.reverseOrder());
        PriorityQueue<Integer> best = new PriorityQueue<>(lowestFirst);
        for (int place = 0; place < scores.length && count > 0; place++) {
            if (best.size() < count) {
                best.add(place);
            } else if (lowestFirst.compare(best.peek(), place) < 0) {
                best.poll();
                best.add(place);
            }
        }
        List<Scored> top = new ArrayList<>(best.size());
        for (Integer place = best.poll(); place != null; place = best.poll()) {
            Vertex vertex = new OrielVertex(graph, vertices.vertex(place), null);
            top.add(new Scored(vertex, scores[place]));
        }
        return top.reversed();
    }
}
