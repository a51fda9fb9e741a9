package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.GroupParser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Binds the elements of GROUP BY. The elements are multiplied: each grouping set of one is combined with each set
/// of the next, and plain keys are in all sets.
final class KeyBinder {
    private final SqlText source;
    private final Function<Expression, Scalar> binder;
    private final List<Scalar> scalars = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    /// @param binder binds one key
    KeyBinder(SqlText source, Function<Expression, Scalar> binder) {
        this.source = source;
        this.binder = binder;
    }

    /// The keys, and if there is more than one grouping set, the keys of each.
    record Keys(List<Scalar> scalars, List<List<Integer>> sets) {}

    Keys bind(List<Statement.GroupElement> elements) {
        List<List<Integer>> sets = List.of(List.of());
        boolean plain = true;
        boolean distinct = false;
        for (Statement.GroupElement element : elements) {
            switch (element) {
                case Statement.GroupElement.Key key -> {
                    if (key.expression() instanceof Expression.RowValue row) {
                        sets = product(sets, List.of(indexes(row.values())));
                    } else {
                        sets = product(sets, List.of(indexes(List.of(key.expression()))));
                    }
                }
                case Statement.GroupElement.Distinct _ -> distinct = true;
                case Statement.GroupElement.Sets several -> {
                    plain = false;
                    List<List<Integer>> bound = new ArrayList<>();
                    several.sets().forEach(set -> bound.add(indexes(set)));
                    if (sets.size() * (long) bound.size() > GroupParser.SETS_MAX) {
                        throw source.error(
                                Kind.TOO_COMPLEX,
                                several.position(),
                                "GROUP BY has more than "
                                        + GroupParser.SETS_MAX
                                        + " grouping sets; unite several queries");
                    }
                    sets = product(sets, bound);
                }
            }
        }
        if (distinct) {
            Set<Set<Integer>> seen = new HashSet<>();
            sets = sets.stream().filter(set -> seen.add(new HashSet<>(set))).toList();
        }
        return new Keys(List.copyOf(scalars), plain ? List.of() : List.copyOf(sets));
    }

    private List<Integer> indexes(List<Expression> keys) {
        List<Integer> indexes = new ArrayList<>();
        for (Expression key : keys) {
            Scalar scalar = binder.apply(key);
            String identity = ScalarText.identity(scalar);
            int index = identities.indexOf(identity);
            if (index < 0) {
                index = scalars.size();
                scalars.add(scalar);
                identities.add(identity);
            }
            if (!indexes.contains(index)) {
                indexes.add(index);
            }
        }
        return List.copyOf(indexes);
    }

    private static List<List<Integer>> product(
            List<List<Integer>> first, List<List<Integer>> second) {
        List<List<Integer>> product = new ArrayList<>();
        for (List<Integer> a : first) {
            for (List<Integer> b : second) {
                List<Integer> both = new ArrayList<>(a);
                for (int key : b) {
                    if (!both.contains(key)) {
                        both.add(key);
                    }
                }
                product.add(List.copyOf(both));
            }
        }
        return product;
    }
}
