package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Outer references of an inner query: each outer expression that it uses is an argument, evaluated in the outer
/// query before the inner one runs.
public final class Correlation {
    /// Resolves names in the outer query.
    public interface Names {
        /// The expression for `name`; null if it is unknown.
        @Nullable Scalar named(Expression.Name name);

        /// The expression for `name` over a row, even in a grouped query; null if it is unknown. Nothing is
        /// recorded.
        @Nullable Scalar meaning(Expression.Name name);

        /// The table called `name`; null if there is none.
        @Nullable WholeRow row(String name);

        /// An aggregate that belongs to the outer query, or to one further out.
        ///
        /// @param hops number of queries between this one and the call
        Scalar aggregated(Expression.Call call, int hops);

        /// Whether they are values of a body, not of a query.
        default boolean isBody() {
            return false;
        }
    }

    /// Whether the outer names are values of a body, not of a query.
    public boolean isOfBody() {
        return outer.isBody();
    }

    /// A table of a FROM, as a row.
    ///
    /// @param padded whether an outer join may have padded it with NULLs
    public record WholeRow(List<Column> columns, boolean padded) {}

    private final Names outer;
    private final int number;
    private final boolean lateral;
    private final List<Scalar> arguments = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    /// @param outer resolves names of the outer query
    /// @param number of the inner query
    /// @param lateral whether the inner query is a table of a FROM: its arguments are columns of earlier tables
    ///     there, and it also reads the arguments of that FROM's query itself
    public Correlation(Names outer, int number, boolean lateral) {
        this.outer = outer;
        this.number = number;
        this.lateral = lateral;
    }

    /// A correlation that gives the types of outer expressions, without adding arguments here.
    ///
    /// @param as its number
    public Correlation probing(int as) {
        Names types =
                new Names() {
                    @Override
                    public @Nullable Scalar named(Expression.Name name) {
                        return outer.meaning(name);
                    }

                    @Override
                    public @Nullable Scalar meaning(Expression.Name name) {
                        return outer.meaning(name);
                    }

                    @Override
                    public @Nullable WholeRow row(String name) {
                        return outer.row(name);
                    }

                    @Override
                    public Scalar aggregated(Expression.Call call, int hops) {
                        return outer.aggregated(call, hops);
                    }
                };
        return new Correlation(types, as, false);
    }

    public int number() {
        return number;
    }

    /// The arguments of the inner query so far.
    public List<Scalar> arguments() {
        return List.copyOf(arguments);
    }

    /// The outer expression for `name`, as the inner query reads it; null if it is unknown.
    public @Nullable Scalar resolve(Expression.Name name) {
        Scalar found = outer.named(name);
        return found == null ? null : given(found, called(name, found));
    }

    /// The outer expression for `name` over an outer row; null if it is unknown.
    public @Nullable Scalar meaning(Expression.Name name) {
        return outer.meaning(name);
    }

    /// The table called `name` of an outer query; null if there is none.
    public @Nullable WholeRow row(String name) {
        return outer.row(name);
    }

    /// The aggregate `call` of an outer query, as the inner query reads it.
    ///
    /// @param hops number of queries between the inner query and the call
    public Scalar aggregate(Expression.Call call, int hops) {
        Scalar found = outer.aggregated(call, hops + 1);
        return given(found, ScalarText.of(found));
    }

    /// The expression `outside` of the outer query, as the inner query reads it.
    public Scalar argument(Scalar outside) {
        return given(outside, ScalarText.of(outside));
    }

    private Scalar given(Scalar found, String called) {
        if (found instanceof Scalar.Constant
                || found instanceof Scalar.ParameterRef
                || (lateral && found instanceof Scalar.Argument)) {
            return found;
        }
        String identity = ScalarText.identity(found);
        int index = identities.indexOf(identity);
        if (index < 0) {
            index = arguments.size();
            arguments.add(found);
            identities.add(identity);
        }
        return new Scalar.Argument(number, index, found.type(), found.nullable(), called);
    }

    private static String called(Expression.Name name, Scalar found) {
        return name.qualifier() == null
                ? ScalarText.of(found)
                : name.qualifier() + "." + name.name();
    }
}
