package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an inner query sees the row of the query around it: each outer expression that it uses is an
/// argument, evaluated in the outer query before the inner one runs.
public final class Correlation {
    /// Finds what names mean in the query around.
    @FunctionalInterface
    public interface Names {
        /// What `name` means; null where it means nothing.
        @Nullable Scalar named(Expression.Name name);
    }

    private final Names outer;
    private final int number;
    private final List<Scalar> arguments = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    /// @param outer binds names of the query around
    /// @param number of the inner query
    public Correlation(Names outer, int number) {
        this.outer = outer;
        this.number = number;
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
        if (found == null) {
            return null;
        }
        String identity = ScalarText.identity(found);
        int index = identities.indexOf(identity);
        if (index < 0) {
            index = arguments.size();
            arguments.add(found);
            identities.add(identity);
        }
        return new Scalar.Argument(
                number, index, found.type(), found.nullable(), called(name, found));
    }

    private static String called(Expression.Name name, Scalar found) {
        return name.qualifier() == null
                ? ScalarText.of(found)
                : name.qualifier() + "." + name.name();
    }
}
