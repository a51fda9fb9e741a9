package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resolves the names of parameters in the body of a function: `name`, `function.name` and `$1`. They are the
/// outermost names there, so that columns of the body's own tables hide them.
final class ArgumentBinder extends ScalarBinder {
    private final SqlFunction function;
    private final List<Scalar> given;
    private final int[] uses;

    /// @param inside context of the body
    ArgumentBinder(BindContext inside, InlinedCall call) {
        super(inside, Scope.EMPTY);
        this.function = call.function();
        this.given = call.given();
        this.uses = new int[given.size()];
    }

    /// Number of times that the body reads the argument `position`.
    int uses(int position) {
        return uses[position];
    }

    @Override
    public @Nullable Scalar named(Expression.Name name) {
        int position = position(name);
        if (position < 0) {
            return null;
        }
        uses[position]++;
        return given.get(position);
    }

    @Override
    public @Nullable Scalar meaning(Expression.Name name) {
        int position = position(name);
        return position < 0 ? null : given.get(position);
    }

    private int position(Expression.Name name) {
        String qualifier = name.qualifier();
        boolean own =
                qualifier == null
                        || qualifier.equalsIgnoreCase(function.name())
                        || qualifier.equalsIgnoreCase(
                                SearchPath.named(function.schema(), function.name()));
        for (int i = 0; own && i < given.size(); i++) {
            String called = function.parameters().get(i).name();
            boolean numbered = qualifier == null && name.name().equals("$" + (i + 1));
            if (numbered || (!called.isEmpty() && called.equalsIgnoreCase(name.name()))) {
                return i;
            }
        }
        return -1;
    }
}
