package dev.oriel.graph.transaction;

import dev.oriel.store.ClosedException;
import dev.oriel.store.UsageException;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;

/// A TinkerPop transaction that is a face of a [dev.oriel.Transaction]. It is open as long as the other transaction, in
/// any thread, and refuses to commit and to roll back. Its listeners are notified when the other transaction ends. Its
/// close does nothing.
public abstract class FaceTransaction extends AbstractThreadedTransaction
        implements dev.oriel.Transaction.Face {
    private volatile boolean open = true;

    /// Whether a custom action runs whenever the graph is read or written.
    private volatile boolean custom;

    protected FaceTransaction(Graph graph) {
        super(graph);
    }

    /// Called when the enclosing transaction has ended.
    protected abstract void end(boolean committed);

    @Override
    public final void ended(boolean committed) {
        open = false;
        end(committed);
        if (committed) {
            fireOnCommit();
        } else {
            fireOnRollback();
        }
    }

    protected final void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended; begin another one", "");
        }
    }

    protected final boolean isCustom() {
        return custom;
    }

    protected static UsageException notOwn() {
        return new UsageException(
                "The graph belongs to a transaction over several faces: commit or roll back that one",
                "");
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    @Override
    public final synchronized Transaction onReadWrite(Consumer<Transaction> consumer) {
        custom |= consumer != READ_WRITE_BEHAVIOR.AUTO && consumer != READ_WRITE_BEHAVIOR.MANUAL;
        return super.onReadWrite(consumer);
    }

    @Override
    protected final void doOpen() {
        checkOpen();
    }

    @Override
    protected final void doCommit() {
        checkOpen();
        throw notOwn();
    }

    @Override
    protected final void doRollback() {
        checkOpen();
        throw notOwn();
    }

    @Override
    public final void close() {
        // The owner ends the transaction, and may continue in it.
    }
}
