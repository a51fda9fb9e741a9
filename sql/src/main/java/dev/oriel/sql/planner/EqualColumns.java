package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.Type;
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

/// Columns that are equal because conditions of inner joins say so: of `a.x = b.y` and `b.y = c.z` follows
/// `a.x = c.z`, so that `a` and `c` can be joined before `b`. Whoever joins a table to others then needs one of the
/// conditions about each of its columns, not all: the others are equal to one another already. That holds because
/// columns of one table that must be equal are compared in its own rows, too.
final class EqualColumns {
    /// Nobody is in a larger class without a reason; the pairs of one grow with the square.
    private static final int CLASS_MAX = 8;

    /// In which side of the joins a column is; negative where it is in none.
    private final IntUnaryOperator sides;

    /// The columns of each class, by any of them.
    private final Map<Integer, List<Scalar.ColumnRef>> classes = new LinkedHashMap<>();

    EqualColumns(IntUnaryOperator sides) {
        this.sides = sides;
    }

    /// Adds to `conditions` what follows from them; returns what was added.
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

    /// Those of `conditions`, by which `side` is joined to others, that do not follow from the rest.
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

    /// `condition`, if it is an equality of two columns of one type, in sides of the joins.
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

    @SuppressWarnings("ReferenceEquality") // the very class
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
