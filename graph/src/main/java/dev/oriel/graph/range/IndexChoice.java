package dev.oriel.graph.range;

import dev.oriel.graph.value.Words;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.SearchTerms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.jspecify.annotations.Nullable;

/// An index over the elements of a label, with the ranges that the conditions select. A range fixes the values of
/// leading columns, and may bound the next column. All elements in the ranges satisfy the conditions in `met`. Ranges
/// do not overlap.
///
/// @param met conditions that need not be checked for each element
/// @param ordered whether the index has the requested order
/// @param descending whether it is to be read backwards
public record IndexChoice(
        Index index,
        List<KeyRange> ranges,
        List<HasContainer> met,
        boolean ordered,
        boolean descending) {
    /// Maximum number of ranges; more do not pay off.
    private static final int RANGES_MAX = 1000;

    /// A requested order by the values of `key`; elements without a value are left out.
    public record Order(String key, boolean descending) {}

    /// The most selective index, by the number of bound columns, or null. Among equals, the one in the order
    /// `order` wins.
    public static @Nullable IndexChoice best(
            Table table,
            List<Index> indexes,
            IndexedProperty.OfTable properties,
            List<HasContainer> conditions,
            @Nullable Order order) {
        IndexChoice best = null;
        int most = 0;
        for (Index index : indexes) {
            Choosing choosing = new Choosing(table, index, properties, conditions, order);
            boolean words = index.kind() == Index.Kind.SEARCH;
            IndexChoice choice = words ? choosing.chooseWord() : choosing.choose();
            if (choice != null && choosing.score > most) {
                best = choice;
                most = choosing.score;
            }
        }
        return best;
    }

    /// The ranges of `index` selected by `conditions`, or null if they bound none of its columns.
    static @Nullable IndexChoice of(
            Table table,
            Index index,
            IndexedProperty.OfTable properties,
            List<HasContainer> conditions) {
        return new Choosing(table, index, properties, conditions, null).choose();
    }

    /// Examines one index.
    private static final class Choosing {
        private final Table table;
        private final Index index;
        private final IndexedProperty.OfTable properties;
        private final List<HasContainer> conditions;
        private final @Nullable Order order;
        private List<KeyRange> ranges = new ArrayList<>();
        private final List<HasContainer> met = new ArrayList<>();
        private int score;

        Choosing(
                Table table,
                Index index,
                IndexedProperty.OfTable properties,
                List<HasContainer> conditions,
                @Nullable Order order) {
            this.table = table;
            this.index = index;
            this.properties = properties;
            this.conditions = conditions;
            this.order = order;
            this.ranges.add(range());
        }

        private KeyRange range() {
            return new KeyRange(IndexPlace.columns(table, index).size());
        }

        @Nullable IndexChoice choose() {
            int bound = 0;
            while (bound < index.columns().size() && bindEqual(bound)) {
                bound++;
                score += 4;
            }
            if (bound > 0) {
                for (KeyRange range : ranges) {
                    range.from(bound, true);
                    range.to(bound, true);
                }
            }
            boolean more =
                    bound < index.columns().size() && index.entryOrder(bound) == KeyOrder.ASC;
            IndexedProperty next = more ? key(bound) : null;
            if (next != null && next.isOrdered() && bindRange(next, bound)) {
                score += 2;
            }
            boolean ordered =
                    order != null
                            && next != null
                            && next.isOrdered()
                            && ranges.size() == 1
                            && next.name().equals(order.key());
            if (ordered) {
                KeyRange range = ranges.getFirst();
                if (range.upperColumns() <= bound) {
                    range.upper().setNull(bound); // elements without a value come last
                    range.to(bound + 1, false);
                }
                score++;
            }
            return score == 0
                    ? null
                    : new IndexChoice(
                            index,
                            ranges,
                            met,
                            ordered,
                            order != null && ordered && order.descending());
        }

        /// The range of the longest wanted word. The condition is still to be checked, because the elements must
        /// have the other words too.
        @Nullable IndexChoice chooseWord() {
            IndexedProperty key = key(0);
            String longest = "";
            for (HasContainer condition : conditions) {
                if (key != null
                        && key.name().equals(condition.getKey())
                        && Words.CONTAIN.equals(condition.getBiPredicate())
                        && condition.getValue() instanceof String text) {
                    for (String word : SearchTerms.of(text)) {
                        longest = word.length() > longest.length() ? word : longest;
                    }
                }
            }
            if (longest.isEmpty()) {
                return null;
            }
            score = 2;
            KeyRange range = ranges.getFirst();
            range.lower().setText(0, longest);
            range.upper().setText(0, longest);
            range.from(1, true);
            range.to(1, true);
            return new IndexChoice(index, ranges, met, false, false);
        }

        private @Nullable IndexedProperty key(int place) {
            return properties.at(index.columns().get(place));
        }

        private boolean bindEqual(int place) {
            IndexedProperty key = key(place);
            for (HasContainer condition : conditions) {
                if (key == null || !key.name().equals(condition.getKey())) {
                    continue;
                }
                if (condition.getBiPredicate() == Compare.eq) {
                    Object value = key.value(condition.getPredicate().getValue());
                    if (value != null) {
                        bindEqual(key, place, Set.of(value));
                        met.add(condition);
                        return true;
                    }
                }
                if (condition.getBiPredicate() == Contains.within
                        && bindWithin(key, place, condition.getPredicate().getValue())) {
                    met.add(condition);
                    return true;
                }
            }
            return false;
        }

        /// Makes one range for each of the values.
        private boolean bindWithin(IndexedProperty key, int place, @Nullable Object values) {
            if (!(values instanceof Collection<?> several)
                    || (long) several.size() * ranges.size() > RANGES_MAX) {
                return false;
            }
            Set<Object> converted = new LinkedHashSet<>();
            for (Object each : several) {
                Object value = key.value(each);
                if ((each != null && value == null) || value instanceof byte[]) {
                    return false; // may still be equal for Gremlin; arrays have no value equality
                }
                if (value != null) {
                    converted.add(value);
                }
            }
            bindEqual(key, place, converted);
            return true;
        }

        private void bindEqual(IndexedProperty key, int place, Set<Object> values) {
            List<KeyRange> bound = new ArrayList<>(ranges.size() * values.size());
            for (KeyRange range : ranges) {
                int left = values.size();
                for (Object value : values) {
                    KeyRange copy = --left == 0 ? range : copy(range, place);
                    key.put(copy.lower(), place, value);
                    key.put(copy.upper(), place, value);
                    bound.add(copy);
                }
            }
            ranges = bound;
        }

        /// A range with the values of `from` before `place`.
        private KeyRange copy(KeyRange from, int place) {
            KeyRange copy = range();
            for (int i = 0; i < place; i++) {
                int column = index.columns().get(i);
                copy.lower().copy(i, from.lower(), i, shape(column));
                copy.upper().copy(i, from.upper(), i, shape(column));
            }
            return copy;
        }

        private Type.Shape shape(int column) {
            return table.columns().get(column).type().shape();
        }

        private boolean bindRange(IndexedProperty key, int place) {
            boolean low = false;
            boolean high = false;
            for (HasContainer condition : conditions) {
                if (!key.name().equals(condition.getKey())) {
                    continue;
                }
                List<P<?>> parts = parts(condition.getPredicate());
                boolean fits = !parts.isEmpty();
                boolean lows = low;
                boolean highs = high;
                for (P<?> part : parts) {
                    boolean lower = isLower(part);
                    boolean upper = isUpper(part);
                    boolean prefix = successor(key, part) != null;
                    fits &= key.value(part.getValue()) != null && (lower || upper || prefix);
                    fits &= !(lows && (lower || prefix)) && !(highs && (upper || prefix));
                    lows |= lower || prefix;
                    highs |= upper || prefix;
                }
                if (!fits) {
                    continue; // two bounds on one side, or another kind: checked for each element
                }
                parts.forEach(part -> bind(key, place, part));
                met.add(condition);
                low = lows;
                high = highs;
            }
            if (low && !high) {
                endBeforeNone(key, place);
            }
            return low || high;
        }

        /// Ends the range before the values that satisfy no comparison: NULL comes last, after NaN.
        private void endBeforeNone(IndexedProperty key, int place) {
            for (KeyRange range : ranges) {
                if (key.hasFractions()) {
                    range.upper().setDouble(place, Double.NaN);
                } else {
                    range.upper().setNull(place);
                }
                range.to(place + 1, false);
            }
        }

        private void bind(IndexedProperty key, int place, P<?> part) {
            Object value = key.value(part.getValue());
            if (value == null) {
                return;
            }
            boolean inclusive =
                    part.getBiPredicate() == Compare.gte || part.getBiPredicate() == Compare.lte;
            String successor = successor(key, part);
            for (KeyRange range : ranges) {
                if (successor != null) {
                    key.put(range.lower(), place, value);
                    range.from(place + 1, true);
                    key.put(range.upper(), place, successor);
                    range.to(place + 1, false);
                } else if (isLower(part)) {
                    key.put(range.lower(), place, value);
                    range.from(place + 1, inclusive);
                } else {
                    key.put(range.upper(), place, value);
                    range.to(place + 1, inclusive);
                }
            }
        }

        private static boolean isLower(P<?> part) {
            return part.getBiPredicate() == Compare.gt || part.getBiPredicate() == Compare.gte;
        }

        private static boolean isUpper(P<?> part) {
            return part.getBiPredicate() == Compare.lt || part.getBiPredicate() == Compare.lte;
        }

        /// The least text greater than all with the prefix of `part`; null if it is no prefix condition, or there
        /// is none.
        private static @Nullable String successor(IndexedProperty key, P<?> part) {
            if (!key.isText()
                    || part.getBiPredicate() != Text.startingWith
                    || !(part.getValue() instanceof String prefix)
                    || prefix.isEmpty()) {
                return null;
            }
            int last = prefix.codePointBefore(prefix.length());
            if (last >= Character.MAX_CODE_POINT
                    || (last >= Character.MIN_SURROGATE - 1 && last <= 0xFFFF)) {
                return null;
            }
            int start = prefix.length() - Character.charCount(last);
            return prefix.substring(0, start) + Character.toString(last + 1);
        }

        /// The comparisons of a conjunction.
        private static List<P<?>> parts(P<?> predicate) {
            List<P<?>> parts = new ArrayList<>();
            if (predicate instanceof AndP<?> and) {
                for (P<?> part : and.getPredicates()) {
                    parts.addAll(parts(part));
                }
            } else {
                parts.add(predicate);
            }
            return parts;
        }
    }
}
