package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.element.RangeReads;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;

/// A reader does not meet elements added meanwhile by its own transaction.
final class AddedMeanwhileTest {
    @Test
    void aVertexThatIsAddedWhileOneLooksIsNotFound() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.addVertex("a", 1);
            graph.addVertex("a", 2);
            graph.traversal().V().addV().iterate();
            assertEquals(4L, graph.traversal().V().count().next());
            graph.traversal().V().as("v").addE("self").to("v").iterate();
            graph.traversal().E().outV().addE("self").to(__.V().limit(1)).iterate();
            assertEquals(8L, graph.traversal().E().count().next());
        }
    }

    /// Edges of a single-time label have no numbers that distinguish later ones.
    @Test
    void neighboursThatComeWhileTheyAreAskedForAreLeftForTheNextTime() {
        leavesNeighboursThatCome(false);
        leavesNeighboursThatCome(true);
    }

    private static void leavesNeighboursThatCome(boolean single) {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            if (single) {
                graph.schema().edgeLabel("e").create();
            }
            Vertex hub = graph.addVertex();
            for (int i = 0; i < 100; i++) {
                hub.addEdge("e", graph.addVertex());
            }
            graph.tx().commit();
            Iterator<Vertex> out = hub.vertices(Direction.OUT, "e");
            int count = 0;
            while (out.hasNext()) {
                out.next();
                count++;
                hub.addEdge("e", graph.addVertex());
                if (count % 7 == 0) {
                    graph.tx().commit();
                }
            }
            assertEquals(100, count);
            assertEquals(200, graph.traversal().V(hub).out("e").count().next());
        }
    }

    @Test
    void edgesOfASingleTimeLabelThatComeWhileOthersAreReadAreLeftForTheNextTime() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().edgeLabel("e").create();
            graph.schema().edgeLabel("f").create();
            GraphTraversalSource g = graph.traversal();
            Vertex hub = graph.addVertex(T.label, "hub");
            for (int i = 0; i < 20; i++) {
                hub.addEdge("e", graph.addVertex());
                graph.addVertex().addEdge("e", hub);
                hub.addEdge("f", graph.addVertex());
            }
            graph.tx().commit();
            // the edges that end there are read last
            g.V(hub).as("h").both("e").addV("p").as("n").addE("e").from("n").to("h").iterate();
            assertEquals(40L, g.V().hasLabel("p").count().next());
            // the same for edges of the other label
            g.V(hub).as("h").outE("e", "f").addV("q").as("n").addE("f").from("h").to("n").iterate();
            assertEquals(40L, g.V().hasLabel("q").count().next());
            assertEquals(80L, g.V(hub).outE("e", "f").count().next());
            // the same for the edges of all vertices
            g.E().hasLabel("f").addV("r").as("n").addE("f").from(__.V(hub)).to("n").iterate();
            assertEquals(60L, g.V().hasLabel("r").count().next());
            // the same for neighbours, of which there are several batches by now
            g.V(hub).as("h").out("f").addV("s").as("n").addE("f").from("h").to("n").iterate();
            assertEquals(120L, g.V().hasLabel("s").count().next());
        }
    }

    @Test
    void aHubWithManyEdgesOfASingleTimeLabelIsGoneOverOnceWhileMoreAreAdded() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().edgeLabel("e").create();
            GraphTraversalSource g = graph.traversal();
            Vertex hub = graph.addVertex(T.label, "hub");
            hub.addEdge("e", hub);
            for (int i = 0; i < 1_100; i++) {
                hub.addEdge("e", graph.addVertex());
            }
            graph.tx().commit();
            Iterator<Vertex> reached = twoHops(g, hub);
            int count = 0;
            while (reached.hasNext() && count < 10_000) {
                reached.next();
                hub.addEdge("e", graph.addVertex());
                count++;
            }
            assertEquals(1_101, count);
        }
    }

    /// The same if each edge is committed before the next is read.
    @Test
    void hopsDoNotMeetEdgesThatAreCommittedMeanwhile() {
        for (boolean single : new boolean[] {false, true}) {
            try (OrielGraph graph = OrielGraph.inMemory()) {
                if (single) {
                    graph.schema().edgeLabel("e").create();
                }
                Vertex hub = hub(graph, 100);
                hub.addEdge("e", hub);
                graph.tx().commit();
                Iterator<Vertex> reached = twoHops(graph.traversal(), hub);
                int count = 0;
                while (reached.hasNext() && count < 1_000) {
                    reached.next();
                    hub.addEdge("e", graph.addVertex());
                    graph.tx().commit();
                    count++;
                }
                assertEquals(101, count);
            }
        }
    }

    /// Adding an edge at a hub costs few reads, even if readers have stopped after one edge of the hub.
    @Test
    void edgesThatNobodyAsksForAnyMoreAreNotReadWhereOneIsAdded() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().edgeLabel("e").create();
            Vertex hub = hub(graph, 2_000);
            graph.tx().commit();
            Vertex other = graph.addVertex();
            GraphTraversalSource g = graph.traversal();
            assertEquals(1, g.V(hub).outE("e").limit(1).toList().size());
            Iterator<Edge> edges = hub.edges(Direction.OUT, "e");
            Iterator<Vertex> neighbours = hub.vertices(Direction.OUT, "e");
            assertTrue(edges.hasNext() && neighbours.hasNext());
            RangeReads reads = graph.work().reads();
            long before = reads.rows();
            other.addEdge("e", hub);
            hub.addEdge("e", other);
            long read = reads.rows() - before;
            assertTrue(read < 100, () -> read + " rows");
            assertEquals(2_000, size(edges));
            assertEquals(2_000, size(neighbours));
            assertEquals(2_001, size(hub.edges(Direction.OUT, "e")));
        }
    }

    /// A rolled back edge counts as never added, and a replaced edge is not an added one.
    @Test
    void anEdgeThatWasThereBeforeIsMet() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("n").asInt().create();
            graph.schema().edgeLabel("e").properties("n").nullableKeys("n").create();
            Vertex hub = hub(graph, 100);
            Vertex last = graph.addVertex();
            hub.addEdge("e", last);
            graph.tx().commit();
            Iterator<Edge> edges = hub.edges(Direction.OUT, "e");
            Iterator<Edge> others = hub.edges(Direction.OUT, "e");
            assertTrue(edges.hasNext() && others.hasNext());
            hub.addEdge("e", last, "n", 1);
            assertEquals(101, size(edges));
            graph.traversal().V(last).inE("e").drop().iterate();
            hub.addEdge("e", last);
            graph.tx().rollback();
            assertEquals(101, size(others));
        }
    }

    /// One step, which returns a portion before it reads on.
    private static Iterator<Vertex> twoHops(GraphTraversalSource g, Vertex from) {
        String plan = g.V(from).out("e").out("e").dedup().explain().toString();
        assertTrue(plan.contains("OrielHopsStep"), plan);
        return g.V(from).out("e").out("e").dedup();
    }

    private static Vertex hub(OrielGraph graph, int edges) {
        Vertex hub = graph.addVertex();
        for (int i = 0; i < edges; i++) {
            hub.addEdge("e", graph.addVertex());
        }
        return hub;
    }

    private static int size(Iterator<?> of) {
        int size = 0;
        while (of.hasNext()) {
            of.next();
            size++;
        }
        return size;
    }
}
