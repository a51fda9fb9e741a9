package dev.oriel.graph.computer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.tinkerpop.gremlin.process.computer.MessageCombiner;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.computer.Messenger;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.StartStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.wrapped.WrappedVertex;
import org.jspecify.annotations.Nullable;

/// Messages between vertices: messages sent in one round are received in the next. If the program has a combiner,
/// messages to one vertex are combined as they arrive.
final class Mailboxes<M> {
    private final ComputedGraph graph;
    private final @Nullable MessageCombiner<M> combiner;
    private final ComputerBudget budget;
    private final LongAdder sentCount = new LongAdder();
    private long receivedCount;
    private Map<Long, List<M>> received = Map.of();
    private Map<Long, List<M>> sent = new ConcurrentHashMap<>();

    Mailboxes(ComputedGraph graph, @Nullable MessageCombiner<M> combiner, ComputerBudget budget) {
        this.graph = graph;
        this.combiner = combiner;
        this.budget = budget;
    }

    /// Ends a round.
    void turn() {
        received = sent;
        sent = new ConcurrentHashMap<>();
        budget.giveBack(receivedCount);
        receivedCount = sentCount.sumThenReset();
    }

    private void send(long to, M message) {
        sent.compute(
                to,
                (number, before) -> {
                    List<M> box = before == null ? new ArrayList<>(1) : before;
                    if (combiner != null && !box.isEmpty()) {
                        box.set(0, combiner.combine(box.getFirst(), message));
                    } else {
                        box.add(message);
                        sentCount.increment();
                        budget.take(1);
                    }
                    return box;
                });
    }

    /// The messenger of one vertex, for one round.
    Messenger<M> of(ComputedVertex vertex) {
        return new Messenger<>() {
            @Override
            public Iterator<M> receiveMessages() {
                return received.getOrDefault(vertex.number(), List.of()).iterator();
            }

            @Override
            public void sendMessage(MessageScope scope, M message) {
                if (scope instanceof MessageScope.Global global) {
                    global.vertices().forEach(each -> send(numberOf(each), message));
                } else {
                    sendAlong(vertex, local(scope), message);
                }
            }
        };
    }

    /// Programs pass vertices in wrappers, or by id only.
    private long numberOf(Vertex vertex) {
        Vertex known = vertex;
        while (known instanceof WrappedVertex<?> wrapped
                && wrapped.getBaseVertex() instanceof Vertex inner) {
            known = inner;
        }
        return graph.numberOf(known);
    }

    @SuppressWarnings("unchecked") // the scope is of the program's messages
    private static <M> MessageScope.Local<M> local(MessageScope scope) {
        return (MessageScope.Local<M>) scope;
    }

    /// Sends along the edges that the scope's traversal finds around `vertex`, to their other ends.
    private void sendAlong(ComputedVertex vertex, MessageScope.Local<M> scope, M message) {
        Traversal.Admin<Vertex, Edge> edges = scope.getIncidentTraversal().get().asAdmin();
        Direction direction =
                TraversalHelper.getLastStepOfAssignableClass(VertexStepContract.class, edges)
                        .map(step -> step.getDirection())
                        .orElseThrow();
        edges.addStep(0, new StartStep<>(edges, vertex));
        edges.forEachRemaining(edge -> {
            M along = scope.getEdgeFunction().apply(message, edge);
            send(((ComputedEdge) edge).otherEnd(vertex, direction).number(), along);
        });
    }
}
