package dev.oriel.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;

/// The labels used in a traversal, to report unknown ones: TinkerPop silently finds nothing for them.
record NamedLabels(Set<String> ofElements, Set<String> ofEdges) {
    static NamedLabels of(@Nullable Object statement) {
        NamedLabels labels = new NamedLabels(new TreeSet<>(), new TreeSet<>());
        if (statement instanceof Traversal<?, ?> traversal) {
            labels.collect(traversal.asAdmin());
        }
        return labels;
    }

    boolean isEmpty() {
        return ofElements.isEmpty() && ofEdges.isEmpty();
    }

    private void collect(Traversal.Admin<?, ?> traversal) {
        for (Step<?, ?> step : traversal.getSteps()) {
            if (step instanceof HasContainerHolder<?, ?> conditions) {
                for (HasContainer condition : conditions.getHasContainers()) {
                    if (T.label.getAccessor().equals(condition.getKey())) {
                        collect(condition.getPredicate());
                    }
                }
            }
            if (step instanceof VertexStepContract<?> hop) {
                ofEdges.addAll(List.of(hop.getEdgeLabels()));
            }
            if (step instanceof TraversalParent parent) {
                parent.getLocalChildren().forEach(this::collect);
                parent.getGlobalChildren().forEach(this::collect);
            }
        }
    }

    private void collect(P<?> predicate) {
        Object value = predicate.getValue();
        if (predicate.getBiPredicate() == Compare.eq && value instanceof String label) {
            ofElements.add(label);
        } else if (predicate.getBiPredicate() == Contains.within
                && value instanceof Collection<?> labels) {
            labels.forEach(label -> ofElements.add(String.valueOf(label)));
        }
    }

    /// Returns a line for each label that `names` lacks.
    List<String> unknown(GraphNames names) {
        List<String> lines = new ArrayList<>();
        for (String label : ofElements) {
            if (!names.vertexLabels().contains(label) && !names.edgeLabels().contains(label)) {
                lines.add(line("label", label, all(names)));
            }
        }
        for (String label : ofEdges) {
            if (!names.edgeLabels().contains(label)) {
                lines.add(line("edge label", label, names.edgeLabels()));
            }
        }
        return lines;
    }

    private static List<String> all(GraphNames names) {
        List<String> all = new ArrayList<>(names.vertexLabels());
        all.addAll(names.edgeLabels());
        return all;
    }

    private static String line(String what, String label, List<String> known) {
        String there =
                known.isEmpty() ? "the graph has none" : "there are: " + String.join(", ", known);
        return "(there is no %s %s; %s)".formatted(what, label, there);
    }
}
