package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A number for each vertex of a graph, as an algorithm found them.
public final class VertexScores {
    private final StoredGraph graph;
    private final DenseGraph vertices;
    private final double[] scores;

    VertexScores(StoredGraph graph, DenseGraph vertices, double... scores) {
        this.graph = graph;
        this.vertices = vertices;
        this.scores = scores;
    }

    /// A vertex and its number.
    public record Scored(Vertex vertex, double score) {}

    /// How many vertices have one.
    public int size() {
        return scores.length;
    }

    /// The number of `vertex`; 0 of one that was not there.
    public double of(Vertex vertex) {
        int place = vertices.place(((OrielVertex) vertex).number());
        return place < 0 ? 0 : scores[place];
    }

    /// The `count` vertices with the highest numbers, or all, highest first; of equal ones those that were
    /// added first.
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
