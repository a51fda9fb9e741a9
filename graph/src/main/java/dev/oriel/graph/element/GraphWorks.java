package dev.oriel.graph.element;

import dev.oriel.graph.catalog.GraphCatalog;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What the transactions of one graph work with: each takes one, and gives it back for the next. One object for
/// all handles of the graph in this process.
public final class GraphWorks {
    private static final int IDLE_MAX = 64;

    private final GraphCatalog catalog;
    private final Queue<GraphWork> idle = new ConcurrentLinkedQueue<>();

    private GraphWorks(GraphCatalog catalog) {
        this.catalog = catalog;
    }

    public static GraphWorks of(GraphCatalog catalog) {
        return catalog.tables()
                .attached("works of graph " + catalog.name(), () -> new GraphWorks(catalog));
    }

    public GraphCatalog catalog() {
        return catalog;
    }

    /// It belongs to one transaction until it is given back.
    public GraphWork take() {
        GraphWork kept = idle.poll();
        return kept != null ? kept : new GraphWork(catalog);
    }

    public void giveBack(GraphWork work) {
        if (idle.size() < IDLE_MAX) {
            idle.add(work);
        }
    }
}
