package dev.oriel.cli;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// Completes Gremlin's steps and predicates, and the labels and property keys of a graph.
final class GremlinCompleter implements Completer {
    /// Methods that Java requires, and that are no Gremlin steps.
    private static final Set<String> NO_STEPS =
            Set.of(
                    "asAdmin",
                    "clone",
                    "close",
                    "equals",
                    "forEachRemaining",
                    "getClass",
                    "getGraph",
                    "getStrategies",
                    "hashCode",
                    "notify",
                    "notifyAll",
                    "wait",
                    "getBytecode",
                    "getGremlinLang",
                    "getConnection",
                    "getAnonymousTraversalClass");

    private static final Set<String> STEPS = steps();

    /// The shell's own commands.
    static final List<String> COMMANDS =
            List.of(
                    ":begin",
                    ":commit",
                    ":explain",
                    ":format",
                    ":help",
                    ":load",
                    ":profile",
                    ":quit",
                    ":rollback",
                    ":schema",
                    ":timing");

    private final Supplier<GraphNames> names;

    GremlinCompleter(Supplier<GraphNames> names) {
        this.names = names;
    }

    private static Set<String> steps() {
        Set<String> steps = new TreeSet<>();
        for (Class<?> type :
                List.of(GraphTraversalSource.class, GraphTraversal.class, P.class, TextP.class)) {
            for (Method method : type.getMethods()) {
                if (!NO_STEPS.contains(method.getName())) {
                    steps.add(method.getName());
                }
            }
        }
        return steps;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        if (line.word().isEmpty()) {
            return;
        }
        if (line.word().startsWith(":")) {
            COMMANDS.forEach(command -> candidates.add(new Candidate(command)));
            return;
        }
        Set<String> words = new TreeSet<>(STEPS);
        GraphNames known = names.get();
        words.addAll(known.vertexLabels());
        words.addAll(known.edgeLabels());
        words.addAll(known.propertyKeys());
        words.forEach(word -> candidates.add(new Candidate(word)));
    }
}
