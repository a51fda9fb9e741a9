package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Static analysis of the grouping keys: which of them determine the group, and whether the rows of a group are
/// adjacent.
///
/// The primary key of a table determines its other columns, and columns equated by an inner join determine each
/// other. With `GROUP BY c_custkey, c_name, n_name` and `c_nationkey = n_nationkey`, `c_custkey` alone determines
/// the group. Rows that an outer join extends have NULL in all columns of a side at once, so it holds for them
/// too.
final class GroupKeys {
    private final Plan.Aggregate plan;
    private final List<Source> sources = new ArrayList<>();

    /// Pairs of columns that are equal in all rows, or NULL.
    private final List<int[]> equal = new ArrayList<>();

    /// The table whose rows come in primary key order, each with its joined rows; null if there is none.
    private @Nullable Source leading;

    private final int[] telling;

    /// A table whose columns begin at `first`.
    private record Source(Plan.Scan scan, int first) {
        int width() {
            return scan.table().columns().size();
        }

        List<Integer> primaryKey() {
            return scan.table().primaryKey();
        }

        /// Whether rows come in the order of their primary key, each once.
        boolean isInOrder() {
            return scan.index() == null && scan.choices().isEmpty() && scan.among() == null;
        }
    }

    GroupKeys(Plan.Aggregate plan) {
        this.plan = plan;
        if (plan.sets().isEmpty() && !plan.keys().isEmpty()) {
            read(plan.input());
        }
        this.telling = found();
    }

    /// Positions of the keys that determine the group; the others depend on them.
    int[] telling() {
        return telling;
    }

    private void read(Plan input) {
        if (input instanceof Plan.Filter filter) {
            read(filter.input());
        } else if (input instanceof Plan.Scan scan) {
            Source source = new Source(scan, 0);
            sources.add(source);
            leading = source;
        } else if (input instanceof Plan.Joined joined) {
            read(joined.join(), joined.slots(), true);
        }
    }

    /// @param leads whether each of its rows comes once, in its order
    private void read(Join join, List<List<Type>> slots, boolean leads) {
        switch (join) {
            case Join.Source source -> {
                if (source.plan() instanceof Plan.Scan scan && source.lateral() == null) {
                    int first = first(source.slot(), slots);
                    Source read = new Source(scan, first);
                    sources.add(read);
                    bounds(read);
                    leading = leads ? read : leading;
                }
            }
            case Join.Filtered filtered -> {
                read(filtered.input(), slots, leads);
                equal(filtered.condition());
            }
            case Join.Loop loop -> {
                read(loop.outer(), slots, leads);
                int pairs = equal.size();
                read(loop.inner(), slots, false);
                if (loop.left()) {
                    dropOutside(loop.slots(), pairs, slots);
                }
            }
            case Join.Hash hash -> {
                int pairs = equal.size();
                read(hash.probe(), slots, leads && hash.kind() != BoundFrom.Kind.FULL);
                if (hash.kind() == BoundFrom.Kind.FULL) {
                    dropOutside(hash.probeSlots(), pairs, slots);
                }
                pairs = equal.size();
                read(hash.build(), slots, false);
                if (hash.kind() != BoundFrom.Kind.INNER) {
                    dropOutside(hash.buildSlots(), pairs, slots);
                }
                if (hash.kind() == BoundFrom.Kind.INNER) {
                    for (int i = 0; i < hash.probeKeys().size(); i++) {
                        equal(hash.probeKeys().get(i), hash.buildKeys().get(i));
                    }
                }
            }
        }
    }

    /// Drops the pairs from `from` on that have a column outside the slots `side`: they do not hold for the
    /// NULL-extended rows of an outer join.
    private void dropOutside(List<Integer> side, int from, List<List<Type>> slots) {
        BitSet inside = new BitSet();
        for (int slot : side) {
            int first = first(slot, slots);
            inside.set(first, first + slots.get(slot).size());
        }
        equal.subList(from, equal.size())
                .removeIf(pair -> !inside.get(pair[0]) || !inside.get(pair[1]));
    }

    private static int first(int slot, List<List<Type>> slots) {
        int first = 0;
        for (int i = 0; i < slot; i++) {
            first += slots.get(i).size();
        }
        return first;
    }

    /// A look-up equates the columns of its key with the values sought.
    private void bounds(Source source) {
        Plan.Scan scan = source.scan;
        if (!scan.choices().isEmpty()) {
            return;
        }
        List<@Nullable Scalar> values = scan.bounds().equal();
        for (int i = 0; i < values.size(); i++) {
            int column = scan.keyColumns().get(i);
            if (column < Plan.Scan.FIRST_TERM && values.get(i) instanceof Scalar.ColumnRef other) {
                equal.add(new int[] {source.first + column, other.column()});
            }
        }
    }

    private void equal(Scalar condition) {
        if (condition instanceof Condition.Logical all && all.and()) {
            all.terms().forEach(this::equal);
        } else if (condition instanceof Condition.Comparison c && c.operator() == Operator.EQUAL) {
            equal(c.left(), c.right());
        }
    }

    private void equal(Scalar a, Scalar b) {
        if (a instanceof Scalar.ColumnRef left && b instanceof Scalar.ColumnRef right) {
            equal.add(new int[] {left.column(), right.column()});
        }
    }

    /// Drops keys, the most expensive ones first, as long as the remaining keys determine them.
    private int[] found() {
        Set<Integer> rest = new TreeSet<>();
        for (int i = 0; i < plan.keys().size(); i++) {
            rest.add(i);
        }
        if (sources.isEmpty()) {
            return positions(rest);
        }
        for (boolean number : new boolean[] {false, true}) {
            for (int i = plan.keys().size() - 1; i >= 0; i--) {
                Scalar key = plan.keys().get(i);
                if (key instanceof Scalar.ColumnRef column
                        && number == (key.type().shape() == Type.Shape.LONG)
                        && rest.size() > 1) {
                    rest.remove(i);
                    if (!followsFrom(columns(rest)).get(column.column())) {
                        rest.add(i);
                    }
                }
            }
        }
        return positions(rest);
    }

    private static int[] positions(Set<Integer> keys) {
        return keys.stream().mapToInt(Integer::intValue).toArray();
    }

    private BitSet columns(Set<Integer> keys) {
        BitSet columns = new BitSet();
        for (int key : keys) {
            if (plan.keys().get(key) instanceof Scalar.ColumnRef column) {
                columns.set(column.column());
            }
        }
        return columns;
    }

    /// The closure of `columns` under the functional dependencies.
    private BitSet followsFrom(BitSet columns) {
        int before;
        do {
            before = columns.cardinality();
            for (int[] pair : equal) {
                if (columns.get(pair[0]) || columns.get(pair[1])) {
                    columns.set(pair[0]);
                    columns.set(pair[1]);
                }
            }
            for (Source source : sources) {
                List<Integer> key = source.primaryKey();
                if (!key.isEmpty()
                        && key.stream().allMatch(column -> columns.get(source.first + column))) {
                    columns.set(source.first, source.first + source.width());
                }
            }
        } while (columns.cardinality() > before);
        return columns;
    }

    /// Whether rows with equal keys are adjacent: the grouping keys and a prefix of the primary key, in whose
    /// order rows come, determine each other. Both directions are checked. Two columns of the primary key may
    /// equal the same grouping key, while another grouping key equals none.
    boolean isInOrder() {
        Source first = leading;
        if (first == null || !first.isInOrder() || telling.length > first.primaryKey().size()) {
            return false;
        }
        BitSet grouped = new BitSet();
        BitSet ordered = new BitSet();
        for (int key : telling) {
            if (!(plan.keys().get(key) instanceof Scalar.ColumnRef column)) {
                return false;
            }
            grouped.set(column.column());
        }
        for (int i = 0; i < telling.length; i++) {
            ordered.set(first.first + first.primaryKey().get(i));
        }
        return areAmong(ordered, grouped) && areAmong(grouped, ordered);
    }

    /// Whether each of `columns` is one of `others`, or equal to one.
    private boolean areAmong(BitSet columns, BitSet others) {
        return columns.stream()
                .allMatch(column -> others.get(column) || isEqualToOne(column, others));
    }

    private boolean isEqualToOne(int column, BitSet of) {
        for (int[] pair : equal) {
            if ((pair[0] == column && of.get(pair[1])) || (pair[1] == column && of.get(pair[0]))) {
                return true;
            }
        }
        return false;
    }
}
