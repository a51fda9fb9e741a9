package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinQueryParser;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver.DirectVariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.ReadWriting;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// Runs Gremlin that a person has typed. The text is parsed by TinkerPop's grammar, which accepts only traversals
/// of `g`: it cannot run code.
final class Traversals {
    private static final int ELEMENTS_MAX = 5_000;
    private static final int DEPTH_MAX = 16;
    private static final Pattern PLACE =
            Pattern.compile("at line (\\d{1,6}), character position at (\\d{1,6})");

    private final Database database;
    private final StudioOptions options;
    private final Questions questions;

    Traversals(Database database, StudioOptions options, Questions questions) {
        this.database = database;
        this.options = options;
        this.questions = questions;
    }

    /// `{"gremlin", "graph"?: NAME, "id"?: NAME, "create"?: BOOLEAN}`: results in order; vertices, edges and
    /// paths as objects. A graph that is missing is made only if `create` says so.
    @SuppressWarnings("try") // our graphs throw nothing else on close
    void run(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String text = Names.required(body, "gremlin");
        String name = body.path("graph").asText();
        String id = body.path("id").isTextual() ? body.path("id").asText() : null;
        Thread thread = Thread.currentThread();
        try (Deadline _ = new Deadline(thread, options.timeoutSeconds());
                Graph graph = graph(name, body.path("create").asBoolean())) {
            exchange.json(questions.cancellable(id, thread::interrupt, () -> run(graph, text)));
        } catch (TraversalInterruptedException e) {
            throw new RequestException(
                    408,
                    "The traversal was cancelled, or took longer than "
                            + options.timeoutSeconds()
                            + " s; ask for less.");
        } catch (SQLException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // from closing, which our graphs do not throw
            throw new IOException(e);
        }
    }

    private Graph graph(String name, boolean create) {
        if (TableGraph.exists(database, name)) {
            return TableGraph.open(database, name);
        }
        if (!OrielGraph.exists(database, name) && (options.readOnly() || !create)) {
            throw new RequestException(
                    404,
                    "There is no graph '"
                            + name
                            + "'; there are "
                            + OrielGraph.names(database)
                            + ". Send create to make it.");
        }
        return OrielGraph.open(database, name);
    }

    private ObjectNode run(Graph graph, String text) {
        long begun = System.nanoTime();
        ObjectNode json = Exchange.JSON.createObjectNode();
        ArrayNode results = json.putArray("results");
        boolean done = false;
        try {
            Object parsed = parsed(graph, text);
            boolean more = false;
            if (parsed instanceof GraphTraversal<?, ?> traversal) {
                check(traversal);
                more = take(traversal, results);
            } else {
                results.add(value(parsed, 0));
            }
            json.put("more", more);
            json.put("ms", (System.nanoTime() - begun) / (double) TimeUnit.MILLISECONDS.toNanos(1));
            done = !options.readOnly();
        } finally {
            if (done) {
                graph.tx().commit();
            } else {
                graph.tx().rollback();
            }
        }
        return json;
    }

    /// Interrupts a thread that works for too long, unless it is closed earlier.
    private static final class Deadline implements AutoCloseable {
        private final Thread thread;
        private boolean closed;

        Deadline(Thread thread, int seconds) {
            this.thread = thread;
            CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(this::pass);
        }

        private synchronized void pass() {
            if (!closed) {
                thread.interrupt();
            }
        }

        /// Clears an interrupt too, so that the answer can be written.
        @Override
        public synchronized void close() {
            closed = true;
            Thread.interrupted();
        }
    }

    private static Object parsed(Graph graph, String text) {
        try {
            return GremlinQueryParser.parse(
                    text,
                    new GremlinAntlrToJava(
                            graph.traversal(), new DirectVariableResolver(Map.of())));
        } catch (GremlinParserException e) {
            throw new RequestException(
                    400,
                    "The text is not a traversal of g: " + e.getMessage() + "; correct it.",
                    position(text, String.valueOf(e.getMessage())));
        }
    }

    /// The index of the line and column that a message names; -1 if it names none.
    static int position(String text, String message) {
        Matcher place = PLACE.matcher(message);
        if (!place.find()) {
            return -1;
        }
        int at = 0;
        for (int line = Integer.parseInt(place.group(1)); line > 1; line--) {
            at = text.indexOf('\n', at) + 1;
            if (at == 0) {
                return -1;
            }
        }
        int points =
                Math.min(Integer.parseInt(place.group(2)), text.codePointCount(at, text.length()));
        return text.offsetByCodePoints(at, points);
    }

    /// Refuses steps that read or write files, and changes if the studio is read-only.
    private void check(GraphTraversal<?, ?> traversal) {
        if (TraversalHelper.anyStepRecursively(
                step -> step instanceof ReadWriting, traversal.asAdmin())) {
            throw new RequestException(
                    403, "The step io reaches files; run it by oriel gremlin instead.");
        }
        if (options.readOnly()
                && TraversalHelper.anyStepRecursively(
                        step -> step instanceof Mutating, traversal.asAdmin())) {
            throw new RequestException(
                    403, "The studio is read-only; start it without --read-only.");
        }
    }

    private static boolean take(Iterator<?> traversal, ArrayNode results) {
        while (traversal.hasNext()) {
            if (results.size() == ELEMENTS_MAX) {
                return true;
            }
            results.add(value(traversal.next(), 0));
        }
        return false;
    }

    private static JsonNode value(@Nullable Object value, int depth) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        if (depth > DEPTH_MAX) {
            return json.textNode("...");
        }
        return switch (value) {
            case null -> json.nullNode();
            case Vertex vertex -> element("vertex", vertex);
            case Edge edge -> {
                ObjectNode all = element("edge", edge);
                all.put("out", edge.outVertex().id().toString());
                all.put("in", edge.inVertex().id().toString());
                yield all;
            }
            case Property<?> property -> json.put(property.key(), String.valueOf(property.value()));
            case Path path -> {
                json.put("kind", "path");
                ArrayNode steps = json.putArray("steps");
                path.objects().forEach(step -> steps.add(value(step, depth + 1)));
                yield json;
            }
            case Map<?, ?> map -> {
                map.forEach((key, one) -> json.set(String.valueOf(key), value(one, depth + 1)));
                yield json;
            }
            case Collection<?> all -> {
                ArrayNode array = json.arrayNode();
                all.forEach(one -> array.add(value(one, depth + 1)));
                yield array;
            }
            case Boolean truth -> json.booleanNode(truth);
            case Integer number -> json.numberNode(number);
            default -> json.textNode(value.toString());
        };
    }

    private static ObjectNode element(String kind, Element element) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("kind", kind);
        json.put("id", element.id().toString());
        json.put("label", element.label());
        ObjectNode properties = json.putObject("properties");
        element.properties()
                .forEachRemaining(property ->
                        properties.put(property.key(), String.valueOf(property.value())));
        return json;
    }
}
