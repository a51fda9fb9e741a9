package dev.oriel.sql;

import dev.oriel.table.TableTransaction;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What EXPLAIN ANALYZE sees of one run of a statement: which operator ran when.
///
/// At every moment one node is the current one; whenever that changes, the time since the last change
/// goes to the node that was. So each stretch of time counts for exactly one node, and the self times
/// add up to the whole, to the nanosecond. The clock is read once a change: [MeasuredOperator] changes
/// it twice a call. Pages are counted in the same way.
///
/// Belongs to the thread that runs the statement.
final class Analysis {
    /// What is counted for one node of the plan.
    static final class Node {
        /// The class of the operator, as stacks name it.
        final String operator;

        /// Within whose call it is called; null for the statement.
        @Nullable Node caller;

        long selfNanos;
        long pages;
        long opens;
        long rows;
        long calls;
        long firstRowNanos = -1;
        long memoryBytes;

        Node(String operator) {
            this.operator = operator;
        }
    }

    /// All of the statement that is no operator: beginning, writing, ending.
    final Node statement = new Node("");

    /// Ending the transaction, where the statement does that.
    final Node commit = new Node("");

    private final boolean timing;
    private final IdentityHashMap<Object, Node> nodes = new IdentityHashMap<>();
    private final List<Node> order = new ArrayList<>();
    private Node current = statement;
    private @Nullable TableTransaction transaction;
    private long pagesBefore;
    private long begun;
    private long last;
    private long ended;
    private long changes;

    Analysis(boolean timing) {
        this.timing = timing;
    }

    void begin() {
        begun = System.nanoTime();
        last = begun;
    }

    void end() {
        ended = System.nanoTime();
        current.selfNanos += ended - last;
        last = ended;
        reads(null);
    }

    /// The statement reads `now` from here on.
    void reads(@Nullable TableTransaction now) {
        if (transaction != null) {
            current.pages += transaction.pagesRead() - pagesBefore;
        }
        transaction = now;
        pagesBefore = now == null ? 0 : now.pagesRead();
    }

    /// The node of what is found in the plan at `key`, which `operator` runs.
    Node node(Object key, Class<?> operator) {
        Node known = nodes.get(key);
        if (known == null) {
            known = new Node(operator.getSimpleName());
            nodes.put(key, known);
            order.add(known);
        }
        return known;
    }

    /// The node of `key`, or null where nothing has run it.
    @Nullable Node find(Object key) {
        return nodes.get(key);
    }

    /// All nodes, but for those of the statement itself.
    List<Node> nodes() {
        return order;
    }

    /// `node` runs from here on; returns which one did.
    Node enter(Node node) {
        Node before = current;
        if (node.caller == null && before != node) {
            node.caller = before;
        }
        change(node);
        return before;
    }

    /// `before` runs again.
    void leave(Node before) {
        change(before);
    }

    private void change(Node to) {
        changes++;
        TableTransaction read = transaction;
        if (read != null) {
            long pages = read.pagesRead();
            current.pages += pages - pagesBefore;
            pagesBefore = pages;
        }
        if (timing) {
            long now = System.nanoTime();
            current.selfNanos += now - last;
            last = now;
        }
        current = to;
    }

    /// When the node that runs has its first row.
    long sinceBegin() {
        return timing ? last - begun : 0;
    }

    long totalNanos() {
        return ended - begun;
    }

    boolean timing() {
        return timing;
    }

    /// What measuring has cost, about: measured after the run, by the same changes again.
    long measuringNanos() {
        Analysis probe = new Analysis(timing);
        Node node = new Node("");
        long best = Long.MAX_VALUE;
        int rounds = 2_000;
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            for (int j = 0; j < rounds; j++) {
                probe.leave(probe.enter(node));
            }
            best = Math.min(best, System.nanoTime() - start);
        }
        return Math.min(best * changes / (2L * rounds), totalNanos());
    }
}
