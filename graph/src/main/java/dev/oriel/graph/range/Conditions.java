package dev.oriel.graph.range;

import dev.oriel.graph.catalog.LabelRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/// Evaluation of conditions that steps have taken over from the steps after them.
public final class Conditions {
    private Conditions() {}

    /// The elements of `all` that satisfy all conditions. Matches may be rare, so `limit` is checked for each
    /// element.
    public static <X extends Element> Iterator<X> filtered(
            Iterator<X> all, List<HasContainer> conditions, TraversalDeadline limit) {
        return conditions.isEmpty()
                ? all
                : IteratorUtils.filter(
                        all,
                        each -> {
                            limit.check();
                            return HasContainer.testAll(each, conditions);
                        });
    }

    /// Number of elements of `all` that satisfy all conditions.
    public static <X extends Element> long count(
            Iterator<X> all, List<HasContainer> conditions, TraversalDeadline limit) {
        Iterator<X> counted = filtered(all, conditions, limit);
        long count = 0;
        while (counted.hasNext()) {
            counted.next();
            limit.check();
            count++;
        }
        return count;
    }

    /// Whether a condition is on a property, not on an id or a label.
    public static boolean isOfProperty(HasContainer condition) {
        String key = condition.getKey();
        return key != null && !key.equals(T.id.getAccessor()) && !key.equals(T.label.getAccessor());
    }

    /// Whether elements of a label with these rules can have all properties in `conditions`; a declared label
    /// excludes all others.
    public static boolean mayBeMet(List<HasContainer> conditions, LabelRules rules) {
        for (HasContainer condition : conditions) {
            boolean has = !rules.declared() || rules.properties().contains(condition.getKey());
            if (isOfProperty(condition) && !has) {
                return false;
            }
        }
        return true;
    }

    /// Whether the conditions on labels accept `label`.
    public static boolean pass(List<HasContainer> conditions, String label) {
        for (HasContainer condition : conditions) {
            if (isOfLabel(condition) && !passes(condition, label)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked") // the predicate of a condition on labels is of labels
    private static boolean passes(HasContainer condition, String label) {
        if (condition.getBiPredicate() == Compare.eq
                && condition.getPredicate().getValue() instanceof String wanted) {
            return wanted.equals(label); // the same as the predicate, but faster
        }
        return ((java.util.function.Predicate<Object>) (Object) condition.getPredicate())
                .test(label);
    }

    private static boolean isOfLabel(HasContainer condition) {
        return T.label.getAccessor().equals(condition.getKey())
                && (condition.getBiPredicate() == Compare.eq
                        || condition.getBiPredicate() instanceof Contains);
    }

    /// The conditions that are neither in `met` nor on labels.
    public static List<HasContainer> rest(
            List<HasContainer> conditions, Collection<HasContainer> met) {
        List<HasContainer> rest = new ArrayList<>();
        for (HasContainer condition : conditions) {
            if (!isOfLabel(condition) && !met.contains(condition)) {
                rest.add(condition);
            }
        }
        return rest;
    }

    /// The concatenation of `parts`.
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
    public static <X> Iterator<X> concat(List<Iterator<X>> parts) {
        return switch (parts.size()) {
            case 0 -> CloseableIterator.empty();
            case 1 -> parts.getFirst();
            default -> IteratorUtils.concat(parts.toArray(new Iterator[0]));
        };
    }

    /// Description of the reads of `choice`.
    public static String words(IndexChoice choice, long first) {
        int count = choice.ranges().size();
        String ranges = count == 1 ? "" : " " + count + " ranges";
        String ordered =
                choice.ordered()
                        ? (choice.descending() ? " descending" : " ascending") + ", first " + first
                        : "";
        return "index " + choice.index().name() + ranges + ordered;
    }
}
