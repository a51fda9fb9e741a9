package dev.oriel.graph.transaction;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.GraphTransactions;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.store.ConflictException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;
import org.jspecify.annotations.Nullable;

/// A committed snapshot of a graph, read by any number of threads. Threads that have called [#enter()] use a
/// [GraphTransaction] of their own, all others share one. It is read-only.
///
/// It is open as long as it is held; its creator is the first holder.
public final class SnapshotTransaction extends AbstractThreadedTransaction
        implements WorkTransaction {
    private final StoredGraph graph;
    private final GraphTransactions works;
    private final GraphCatalog catalog;
    private final GraphTransaction shared;
    private final Set<String> vertexLabels;
    private final Set<String> edgeLabels;

    @SuppressWarnings("ThreadLocalUsage") // one for each snapshot
    private final ThreadLocal<@Nullable GraphTransaction> own = new ThreadLocal<>();

    private volatile int holders = 1;

    /// A transaction on one snapshot, for a view of the graph.
    ///
    /// @param graph the view that reads in it
    public SnapshotTransaction(StoredGraph graph, GraphTransactions works) {
        super(graph);
        this.graph = graph;
        this.works = works;
        this.catalog = works.catalog();
        // Labels added after this are empty in the snapshot; labels known by now are in it.
        this.vertexLabels = Set.copyOf(catalog.vertexLabels().byName().keySet());
        this.edgeLabels = new TreeSet<>(catalog.edgeLabels().byName().keySet());
        this.shared = works.take();
        shared.beginFixed();
    }

    /// The graph of the snapshot.
    public StoredGraph graph() {
        return graph;
    }

    /// The vertex labels of the snapshot.
    ///
    /// @throws ConflictException if one has been removed since
    public Set<String> vertexLabels() {
        return checkedLabels(vertexLabels, catalog.vertexLabels().byName().keySet());
    }

    /// The edge labels of the snapshot.
    ///
    /// @throws ConflictException if one has been removed since
    public Set<String> edgeLabels() {
        return checkedLabels(edgeLabels, catalog.edgeLabels().byName().keySet());
    }

    private static Set<String> checkedLabels(Set<String> known, Set<String> now) {
        if (!now.containsAll(known)) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "A label was removed after a graph computer had begun to read; run it again",
                    "");
        }
        return known;
    }

    /// Adds a holder.
    public synchronized void hold() {
        checkHeld();
        holders++;
    }

    /// Removes a holder; the transaction ends with the last.
    public synchronized void release() {
        checkHeld();
        holders--;
        if (holders == 0) {
            shared.end(false);
            works.drop(shared);
        }
    }

    private void checkHeld() {
        if (holders == 0) {
            throw new IllegalStateException(
                    "The graph that a graph computer answered with was closed; compute it again");
        }
    }

    /// Gives the calling thread a [GraphTransaction] of its own, until [#leave()].
    public void enter() {
        GraphTransaction work = works.take();
        work.beginFixed(shared);
        own.set(work);
    }

    public void leave() {
        GraphTransaction work = own.get();
        if (work != null) {
            own.remove();
            work.end(false);
            works.giveBack(work);
        }
    }

    @Override
    public GraphTransaction work() {
        GraphTransaction work = own.get();
        if (work == null) {
            checkHeld();
            work = shared;
        }
        return work;
    }

    @Override
    public boolean isOpen() {
        return holders > 0;
    }

    @Override
    protected void doOpen() {
        checkHeld();
    }

    @Override
    protected void doCommit() {
        throw new UnsupportedOperationException(
                "A graph that a graph computer reads cannot be changed");
    }

    @Override
    protected void doRollback() {
        throw new UnsupportedOperationException(
                "A graph that a graph computer reads cannot be changed");
    }
}
