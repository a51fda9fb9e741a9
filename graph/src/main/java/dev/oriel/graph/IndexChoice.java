package dev.oriel.graph;

import dev.oriel.table.Index;
import dev.oriel.table.KeyRange;
import dev.oriel.table.Table;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.jspecify.annotations.Nullable;

/// An index by which the elements of a label are found, and the range of it that some conditions leave:
/// equal values of leading columns, then perhaps a range of the next one. The conditions that the range
/// says are met by all that is in it.
///
/// @param met conditions that need no look at the element
record IndexChoice(Index index, KeyRange range, List<HasContainer> met) {
    /// The index that leaves least, by the number of columns that are bound, or null.
    static @Nullable IndexChoice best(
            Table table, Columns columns, PropertyKeys keys, List<HasContainer> conditions) {
        IndexChoice best = null;
        int most = 0;
        for (Index index : table.indexes()) {
            Choosing choosing = new Choosing(table, index, keys, conditions);
            IndexChoice choice = choosing.choose();
            if (choice != null && choosing.score > most) {
                best = choice;
                most = choosing.score;
            }
        }
        return best;
    }

    /// Tries one index.
    private static final class Choosing {
        private final Table table;
        private final Index index;
        private final PropertyKeys keys;
        private final List<HasContainer> conditions;
        private final KeyRange range;
        private final List<HasContainer> met = new ArrayList<>();
        private int score;

        Choosing(Table table, Index index, PropertyKeys keys, List<HasContainer> conditions) {
            this.table = table;
            this.index = index;
            this.keys = keys;
            this.conditions = conditions;
            this.range = new KeyRange(index.columns().size());
        }

        @Nullable IndexChoice choose() {
            int bound = 0;
            while (bound < index.columns().size() && bindEqual(bound)) {
                bound++;
                score += 2;
            }
            if (bound > 0) {
                range.from(bound, true);
                range.to(bound, true);
            }
            if (bound < index.columns().size() && bindRange(bound)) {
                score++;
            }
            return score == 0 ? null : new IndexChoice(index, range, met);
        }

        private @Nullable PropertyKey key(int place) {
            return keys.byName(table.columns().get(index.columns().get(place)).name());
        }

        /// The value in a condition, as the column has it; null where it has no such values.
        private static @Nullable Object value(PropertyKey key, P<?> condition) {
            DataType type = key.type();
            Object value = condition.getValue();
            return type == null || value == null ? null : type.convert(value);
        }

        private boolean bindEqual(int place) {
            PropertyKey key = key(place);
            for (HasContainer condition : conditions) {
                if (key == null || !key.name().equals(condition.getKey())) {
                    continue;
                }
                Object value = value(key, condition.getPredicate());
                if (condition.getBiPredicate() == Compare.eq && value != null) {
                    put(key, range.lower(), place, value);
                    put(key, range.upper(), place, value);
                    met.add(condition);
                    return true;
                }
            }
            return false;
        }

        private static void put(PropertyKey key, Tuple to, int place, Object value) {
            DataType type = key.type();
            if (type != null) {
                type.put(to, place, value);
            }
        }

        private boolean bindRange(int place) {
            PropertyKey key = key(place);
            boolean low = false;
            boolean high = false;
            for (HasContainer condition : conditions) {
                if (key == null || !key.name().equals(condition.getKey())) {
                    continue;
                }
                List<P<?>> parts = parts(condition.getPredicate());
                boolean fits = !parts.isEmpty();
                for (P<?> part : parts) {
                    boolean lower = isLower(part);
                    fits &= value(key, part) != null && (lower ? !low : isUpper(part) && !high);
                    low |= lower;
                    high |= !lower;
                }
                if (!fits) {
                    return false; // two bounds on one side, or another kind: the usual way
                }
                parts.forEach(part -> bind(key, place, part));
                met.add(condition);
            }
            if (high || !low) {
                return low || high;
            }
            range.upper().setNull(place); // NULL comes last, and is no value that a condition meets
            range.to(place + 1, false);
            return true;
        }

        private void bind(PropertyKey key, int place, P<?> part) {
            Object value = value(key, part);
            if (value == null) {
                return;
            }
            boolean inclusive =
                    part.getBiPredicate() == Compare.gte || part.getBiPredicate() == Compare.lte;
            if (isLower(part)) {
                put(key, range.lower(), place, value);
                range.from(place + 1, inclusive);
            } else {
                put(key, range.upper(), place, value);
                range.to(place + 1, inclusive);
            }
        }

        private static boolean isLower(P<?> part) {
            return part.getBiPredicate() == Compare.gt || part.getBiPredicate() == Compare.gte;
        }

        private static boolean isUpper(P<?> part) {
            return part.getBiPredicate() == Compare.lt || part.getBiPredicate() == Compare.lte;
        }

        /// The comparisons that a predicate is made of, all of which must hold.
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
