package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Iterator;
import java.util.Objects;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Steps on vertices and edges ([Step]).
final class GraphSteps {
    private static final int PEOPLE = 6;

    private GraphSteps() {}

    private static String person(Random random) {
        return "p" + random.nextInt(PEOPLE);
    }

    static void run(boolean person, World world, Random random) throws Exception {
        if (person) {
            person(world, random);
        } else {
            friend(world, random);
        }
    }

    private static void person(World world, Random random) throws Exception {
        Model model = world.model();
        String id = person(random);
        Long there = model.people.get(id);
        long score = random.nextInt(100);
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                boolean wanted = model.putPerson(id, score);
                world.run(
                        wanted,
                        () ->
                                world.graph(graph -> {
                                    if (there == null) {
                                        Vertex _ =
                                                graph.addVertex(
                                                        T.label, "person", T.id, id, "score",
                                                        score);
                                    } else {
                                        Vertex vertex = graph.traversal().V(id).next();
                                        assertEquals(there, vertex.<Long>value("score"));
                                        vertex.property("score", score);
                                    }
                                }));
            }
            case 2 -> {
                model.removePerson(id);
                world.graph(graph -> graph.traversal().V(id).drop().iterate());
            }
            case 3 -> {
                boolean wanted = there == null || model.putPerson(id, there + 20);
                world.run(
                        wanted,
                        () -> {
                            int rows = there == null ? 0 : 1;
                            // SQL identifies a vertex by the number of its position in the graph.
                            assertEquals(rows, bySql(world, id));
                        });
            }
            default ->
                    world.graph(graph -> {
                        Iterator<Vertex> found = graph.vertices(id);
                        assertEquals(there != null, found.hasNext());
                        if (there != null) {
                            assertEquals(there, found.next().<Long>value("score"));
                        }
                    });
        }
    }

    /// Changes a person by SQL, after Gremlin has found it; returns the number of changed rows.
    private static int bySql(World world, String id) throws Exception {
        long[] number = {-1};
        world.graph(graph -> {
            Iterator<Vertex> found = graph.vertices(id);
            if (found.hasNext()) {
                number[0] = ((dev.oriel.graph.element.OrielVertex) found.next()).number();
            }
        });
        return world.sql("UPDATE \"person\" SET score = score + 20 WHERE \"_id\" = ?", number[0]);
    }

    private static void friend(World world, Random random) throws Exception {
        Model model = world.model();
        String from = person(random);
        String to = person(random);
        String key = Model.friends(from, to);
        long score = random.nextInt(100);
        switch (random.nextInt(3)) {
            case 0, 1 -> {
                if (model.people.containsKey(from) && model.people.containsKey(to)) {
                    model.friends.put(key, score);
                    world.graph(graph ->
                            graph.traversal()
                                    .V(from)
                                    .addE("friend")
                                    .to(__.V(to))
                                    .property("score", score)
                                    .iterate());
                }
            }
            default -> {
                boolean there = model.friends.remove(key) != null;
                world.graph(graph -> {
                    Iterator<Vertex> source = graph.vertices(from);
                    boolean[] found = {false};
                    if (source.hasNext()) {
                        source.next()
                                .edges(Direction.OUT, "friend")
                                .forEachRemaining(edge -> {
                                    if (Objects.equals(edge.inVertex().id(), to)) {
                                        edge.remove();
                                        found[0] = true;
                                    }
                                });
                    }
                    assertEquals(there, found[0]);
                });
            }
        }
        assertTrue(model.friends.size() <= PEOPLE * PEOPLE);
    }
}
