package dev.oriel.sql.plan;

import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An aggregate of a query.
///
/// @param arguments empty for COUNT(*)
/// @param order in which the rows are added; empty if it does not matter
/// @param filter FILTER predicate; null if all rows count
/// @param java the Java aggregate, whose name is the first argument; null for a built-in one
public record AggregateCall(
        AggregateFunction kind,
        List<Scalar> arguments,
        boolean distinct,
        List<SortTerm> order,
        @Nullable Scalar filter,
        Type type,
        SqlText.Place place,
        @Nullable JavaAggregate java) {
    /// A sort key that has no column of its own yet.
    public record SortTerm(Scalar scalar, boolean descending, boolean nullsFirst) {}

    /// Whether its state grows with the number of rows.
    public boolean grows() {
        return !order.isEmpty() || kind.collects() || (distinct && !kind.sameForOnce());
    }

    /// The expressions that it evaluates on each row.
    public List<Scalar> scalars() {
        List<Scalar> scalars = new ArrayList<>(arguments);
        order.forEach(term -> scalars.add(term.scalar()));
        if (filter != null) {
            scalars.add(filter);
        }
        return scalars;
    }

    /// A copy with each column reference replaced by the result of `leaf`.
    AggregateCall replaced(UnaryOperator<Scalar> leaf) {
        return new AggregateCall(
                kind,
                Replacement.of(arguments, leaf),
                distinct,
                replaced(order, leaf),
                filter == null ? null : Replacement.of(filter, leaf),
                type,
                place,
                java);
    }

    /// A copy of `terms` with each column reference replaced by the result of `leaf`.
    static List<SortTerm> replaced(List<SortTerm> terms, UnaryOperator<Scalar> leaf) {
        List<SortTerm> replaced = new ArrayList<>();
        for (SortTerm term : terms) {
            Scalar scalar = Replacement.of(term.scalar(), leaf);
            replaced.add(new SortTerm(scalar, term.descending(), term.nullsFirst()));
        }
        return List.copyOf(replaced);
    }

    /// The call as SQL, for comparison if `identity` is set, else for users.
    public String text(boolean identity) {
        StringBuilder text = new StringBuilder(kind.name()).append('(');
        text.append(distinct ? "DISTINCT " : "");
        boolean star = kind == AggregateFunction.COUNT && arguments.isEmpty();
        List<String> written = new ArrayList<>();
        arguments.forEach(argument -> written.add(written(argument, identity)));
        text.append(star ? "*" : String.join(", ", written));
        if (!order.isEmpty()) {
            text.append(kind.ordered() ? ") WITHIN GROUP (ORDER BY " : " ORDER BY ");
            text.append(written(order, identity));
        }
        text.append(')');
        if (filter != null) {
            text.append(" FILTER (").append(written(filter, identity)).append(')');
        }
        if (identity) {
            text.append(':').append(type);
        }
        return text.toString();
    }

    /// The terms of an ORDER BY as SQL.
    static String written(List<SortTerm> terms, boolean identity) {
        List<String> written = new ArrayList<>();
        for (SortTerm term : terms) {
            written.add(
                    written(term.scalar(), identity)
                            + (term.descending() ? " DESC" : "")
                            + (term.nullsFirst() == term.descending()
                                    ? ""
                                    : term.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"));
        }
        return String.join(", ", written);
    }

    private static String written(Scalar scalar, boolean identity) {
        return identity ? ScalarText.identity(scalar) : ScalarText.of(scalar);
    }
}
