package dev.oriel.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an inner query sees the row of the query around it: each outer expression that it uses is an
/// argument, evaluated in the outer query before the inner one runs.
final class Correlation {
    private final ScalarBinder outer;
    private final int number;
    private final List<Scalar> arguments = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    /// @param outer binds names of the query around
    /// @param number of the inner query
    Correlation(ScalarBinder outer, int number) {
        this.outer = outer;
        this.number = number;
    }

    int number() {
        return number;
    }

    /// What the inner query asks for, so far.
    List<Scalar> arguments() {
        return List.copyOf(arguments);
    }

    /// What `name` means outside, as the inner query reads it; null where it means nothing.
    @Nullable Scalar resolve(Expression.Name name) {
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
