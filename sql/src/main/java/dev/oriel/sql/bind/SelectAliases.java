package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names of a select list, for HAVING and QUALIFY, where no column has them. Names that occur twice are left out.
final class SelectAliases {
    private final Map<String, Expression> expressions = new HashMap<>();

    SelectAliases(List<Statement.Item> items) {
        Set<String> twice = new HashSet<>();
        for (Statement.Item item : items) {
            if (item instanceof Statement.Item.Value value && value.alias() != null) {
                String name = value.alias().name().toUpperCase(Locale.ROOT);
                if (expressions.put(name, value.expression()) != null) {
                    twice.add(name);
                }
            }
        }
        expressions.keySet().removeAll(twice);
    }

    /// The expression called `name`; null if there is none.
    @Nullable Expression of(Expression.Name name) {
        return name.qualifier() == null
                ? expressions.get(name.name().toUpperCase(Locale.ROOT))
                : null;
    }

    /// Whether a part of `expression` is such a name, which `binder` does not know.
    boolean isUsed(Expression expression, ScalarBinder binder) {
        boolean own =
                expression instanceof Expression.Name name
                        && of(name) != null
                        && binder.named(name) == null;
        for (Expression part : Expression.operands(expression)) {
            own |= isUsed(part, binder);
        }
        return own;
    }
}
