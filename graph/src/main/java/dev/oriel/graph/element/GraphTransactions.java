package dev.oriel.graph.element;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.range.AddedRows;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Pool of the [GraphTransaction] objects of one graph: each transaction takes one, and gives it back for reuse.
/// One pool for all handles of the graph in this process.
public final class GraphTransactions {
    private static final int IDLE_MAX = 64;

    private final GraphCatalog catalog;
    private final Queue<GraphTransaction> idle = new ConcurrentLinkedQueue<>();

    /// Objects that have been used by threads' transactions, idle or not.
    private final Set<GraphTransaction> ofThreads = ConcurrentHashMap.newKeySet();

    private final OwnerWatch watch = new OwnerWatch(this);

    private GraphTransactions(GraphCatalog catalog) {
        this.catalog = catalog;
    }

    public static GraphTransactions of(GraphCatalog catalog) {
        return catalog.tables()
                .attached("works of graph " + catalog.name(), () -> new GraphTransactions(catalog));
    }

    public GraphCatalog catalog() {
        return catalog;
    }

    /// Takes an object, which belongs to one transaction until it is given back.
    public GraphTransaction take() {
        GraphTransaction kept = idle.poll();
        return kept != null ? kept : new GraphTransaction(catalog);
    }

    public void giveBack(GraphTransaction work) {
        if (idle.size() < IDLE_MAX) {
            idle.add(work);
        } else {
            drop(work);
        }
    }

    /// Drops `work` without reuse: another thread may be about to call it for the ended transaction.
    public void drop(GraphTransaction work) {
        ofThreads.remove(work);
    }

    /// Begins a transaction of the calling thread. If the thread ends first, it is rolled back.
    public GraphTransaction begin(boolean strict, AddedRows added) {
        GraphTransaction work = take();
        if (work.ownedBy(Thread.currentThread())) {
            ofThreads.add(work);
        }
        boolean begun = false;
        try {
            work.begin(strict, added);
            watch.begun();
            begun = true;
            return work;
        } finally {
            if (!begun) {
                work.end(false);
                work.disown();
                giveBack(work);
            }
        }
    }

    /// Rolls back the transactions of ended threads; returns whether a thread still has one.
    boolean endAbandoned() {
        ofThreads.removeIf(GraphTransaction::endAbandoned);
        return ofThreads.stream().anyMatch(work -> work.owner() != null);
    }
}
