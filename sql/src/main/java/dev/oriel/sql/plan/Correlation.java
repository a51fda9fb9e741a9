package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an inner query sees the row of the query around it: each outer expression that it uses is an
/// argument, evaluated in the outer query before the inner one runs.
public final class Correlation {
    /// Finds what names mean in the query around.
    public interface Names {
        /// What `name` means; null where it means nothing.
        @Nullable Scalar named(Expression.Name name);

        /// What `name` means for a row, whether or not there are groups; null where it means nothing. Nothing is noted
        /// of it.
        @Nullable Scalar meaning(Expression.Name name);

        /// An aggregate that belongs to the query around, or to one further out.
        ///
        /// @param hops how many queries lie between this one and the call
        Scalar aggregated(Expression.Call call, int hops);
    }

    private final Names outer;
    private final int number;
    private final boolean lateral;
    private final List<Scalar> arguments = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    /// @param outer binds names of the query around
    /// @param number of the inner query
    /// @param lateral whether the inner query is a table of a FROM: it is given what stands before it there, and takes
    ///     itself what the query of that FROM is given
    public Correlation(Names outer, int number, boolean lateral) {
        this.outer = outer;
        this.number = number;
        this.lateral = lateral;
    }

    /// One that gives the types of what is outside, and that nothing is asked of.
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
                    public Scalar aggregated(Expression.Call call, int hops) {
                        return outer.aggregated(call, hops);
                    }
                };
        return new Correlation(types, as, false);
    }

    public int number() {
        return number;
    }

    /// What the inner query asks for, so far.
    public List<Scalar> arguments() {
        return List.copyOf(arguments);
    }

    /// What `name` means outside, as the inner query reads it; null where it means nothing.
    public @Nullable Scalar resolve(Expression.Name name) {
        Scalar found = outer.named(name);
        return found == null ? null : given(found, called(name, found));
    }

    /// What `name` means outside for a row there; null where it means nothing.
    public @Nullable Scalar meaning(Expression.Name name) {
        return outer.meaning(name);
    }

    /// The aggregate `call` of a query outside, as the inner query reads it.
    ///
    /// @param hops how many queries lie between the inner query and the call
    public Scalar aggregate(Expression.Call call, int hops) {
        Scalar found = outer.aggregated(call, hops + 1);
        return given(found, ScalarText.of(found));
    }

    private Scalar given(Scalar found, String called) {
        if (lateral && found instanceof Scalar.Argument) {
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
