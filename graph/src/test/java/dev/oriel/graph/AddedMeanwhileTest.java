package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;

/// Who reads does not meet what the same transaction adds meanwhile.
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

    /// Edges of a single-time label have no numbers by which the later ones are known.
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
            // those that end there are read last
            g.V(hub).as("h").both("e").addV("p").as("n").addE("e").from("n").to("h").iterate();
            assertEquals(40L, g.V().hasLabel("p").count().next());
            // so are those of the other label
            g.V(hub).as("h").outE("e", "f").addV("q").as("n").addE("f").from("h").to("n").iterate();
            assertEquals(40L, g.V().hasLabel("q").count().next());
            assertEquals(80L, g.V(hub).outE("e", "f").count().next());
            // and those of all vertices
            g.E().hasLabel("f").addV("r").as("n").addE("f").from(__.V(hub)).to("n").iterate();
            assertEquals(60L, g.V().hasLabel("r").count().next());
            // and neighbours, of which there are several batches by now
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
            // two hops in a row are one step, which hands out a portion before it reads on
            Iterator<Vertex> reached = g.V(hub).out("e").out("e");
            int count = 0;
            while (reached.hasNext() && count < 10_000) {
                reached.next();
                hub.addEdge("e", graph.addVertex());
                count++;
            }
            assertEquals(1_101, count);
        }
    }
}
