package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Equivalence classes of columns, derived from the predicates of inner joins. As `a.x = b.y` and `b.y = c.z`
/// imply `a.x = c.z`, `a` and `c` can be joined before `b`. A join of a table to others then needs one condition
/// on each of its columns, not all: the others are equal to one another already. That holds because equal columns
/// of one table are compared in its own rows, too.
final class EqualColumns {
    /// Maximum size of a class; the pairs of a class grow with its square.
    private static final int CLASS_MAX = 8;

    /// Join side of a column; negative if it belongs to none.
    private final IntUnaryOperator sides;

    /// The columns of each class, by any of its members.
    private final Map<Integer, List<Scalar.ColumnRef>> classes = new LinkedHashMap<>();

    EqualColumns(IntUnaryOperator sides) {
        this.sides = sides;
    }

    /// Adds the implied equalities to `conditions`; returns the added ones.
    List<Scalar> imply(List<Scalar> conditions) {
        Set<Long> said = new HashSet<>();
        for (Scalar condition : conditions) {
            Condition.Comparison pair = pair(condition);
            if (pair != null) {
                Scalar.ColumnRef a = (Scalar.ColumnRef) pair.left();
                Scalar.ColumnRef b = (Scalar.ColumnRef) pair.right();
                said.add(key(a, b));
                unite(a, b);
            }
        }
        List<Scalar> implied = new ArrayList<>();
        Set<List<Scalar.ColumnRef>> different = Collections.newSetFromMap(new IdentityHashMap<>());
        for (List<Scalar.ColumnRef> all : classes.values()) {
            if (!different.add(all)) {
                continue;
            }
            for (int i = 0; i < all.size() && all.size() <= CLASS_MAX; i++) {
                for (int j = i + 1; j < all.size(); j++) {
                    Scalar.ColumnRef a = all.get(i);
                    Scalar.ColumnRef b = all.get(j);
                    if (said.add(key(a, b))) {
                        implied.add(new Condition.Comparison(Operator.EQUAL, a, b));
                    }
                }
            }
        }
        conditions.addAll(implied);
        return implied;
    }

    /// The join conditions of `side` within `conditions` that the rest does not imply.
    List<Scalar> needed(List<Scalar> conditions, int side) {
        Set<Integer> joined = new HashSet<>();
        List<Scalar> needed = new ArrayList<>();
        for (Scalar condition : conditions) {
            Condition.Comparison pair = pair(condition);
            if (pair != null) {
                Scalar.ColumnRef a = (Scalar.ColumnRef) pair.left();
                Scalar.ColumnRef b = (Scalar.ColumnRef) pair.right();
                Scalar.ColumnRef own = side(a) == side ? a : b;
                boolean across = side(a) != side(b) && side(own) == side;
                if (across && size(own) <= CLASS_MAX && !joined.add(own.column())) {
                    continue;
                }
            }
            needed.add(condition);
        }
        return needed;
    }

    private int side(Scalar.ColumnRef column) {
        return sides.applyAsInt(column.column());
    }

    private int size(Scalar.ColumnRef column) {
        List<Scalar.ColumnRef> all = classes.get(column.column());
        return all == null ? 1 : all.size();
    }

    private static long key(Scalar.ColumnRef a, Scalar.ColumnRef b) {
        long low = Math.min(a.column(), b.column());
        return low << Integer.SIZE | Math.max(a.column(), b.column());
    }

    /// `condition`, if it equates two columns of one type, both in sides of the joins.
    private Condition.@Nullable Comparison pair(Scalar condition) {
        return condition instanceof Condition.Comparison comparison
                        && comparison.operator() == Operator.EQUAL
                        && comparison.left() instanceof Scalar.ColumnRef a
                        && comparison.right() instanceof Scalar.ColumnRef b
                        && a.type().name() == b.type().name()
                        && a.type().shape() != Type.Shape.DOUBLE
                        && side(a) >= 0
                        && side(b) >= 0
                ? comparison
                : null;
    }

    @SuppressWarnings("ReferenceEquality") // identity is meant
    private void unite(Scalar.ColumnRef a, Scalar.ColumnRef b) {
        List<Scalar.ColumnRef> of = classOf(a);
        List<Scalar.ColumnRef> other = classOf(b);
        if (of != other) {
            of.addAll(other);
            other.forEach(column -> classes.put(column.column(), of));
        }
    }

    private List<Scalar.ColumnRef> classOf(Scalar.ColumnRef column) {
        return classes.computeIfAbsent(column.column(), _ -> new ArrayList<>(List.of(column)));
    }
}
