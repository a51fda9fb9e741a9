package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes DISTINCT ON as what it means: of the rows that are equal in some expressions the one that ORDER BY puts
/// first, `QUALIFY ROW_NUMBER() OVER (PARTITION BY expressions ORDER BY ...) = 1`.
final class FirstRows {
    private final List<Statement.Item> items;

    private FirstRows(List<Statement.Item> items) {
        this.items = items;
    }

    /// `select`, which has no QUALIFY, with the first row for all values of `on`.
    static Statement.Select of(
            Statement.Select select, List<Expression> on, List<Statement.Order> orderBy) {
        FirstRows names = new FirstRows(select.items());
        List<Expression> partitionBy = on.stream().map(names::meant).toList();
        List<Statement.Order> order = new ArrayList<>();
        for (Statement.Order key : orderBy) {
            Expression meant = names.meant(key.expression());
            order.add(new Statement.Order(meant, key.descending(), key.nullsFirst()));
        }
        int position = on.getFirst().position();
        Expression.Over over =
                new Expression.Over(position, null, false, partitionBy, List.copyOf(order), null);
        Expression number =
                new Expression.Call(
                        position,
                        WindowFunction.ROW_NUMBER.name(),
                        List.of(),
                        false,
                        false,
                        new Expression.Extras(List.of(), false, null, false, over));
        Expression first =
                new Expression.Binary(
                        position,
                        Expression.Operator.EQUAL,
                        number,
                        new Literal(position, Literal.Kind.INTEGER, "1"));
        return new Statement.Select(
                select.position(),
                false,
                select.items(),
                select.from(),
                select.where(),
                select.groupBy(),
                select.having(),
                select.windows(),
                first,
                select.tail());
    }

    /// What a key stands for: as in ORDER BY an integer is the entry of the select list with that number, and a
    /// name may be that of one.
    private Expression meant(Expression key) {
        if (key instanceof Literal literal && literal.kind() == Literal.Kind.INTEGER) {
            Expression counted = counted(literal.text());
            return counted == null ? key : counted;
        }
        if (key instanceof Expression.Name name && name.qualifier() == null) {
            for (Statement.Item item : items) {
                if (item instanceof Statement.Item.Value value && isCalled(value, name.name())) {
                    return value.expression();
                }
            }
        }
        return key;
    }

    private static boolean isCalled(Statement.Item.Value value, String name) {
        Statement.Identifier alias = value.alias();
        return alias != null && alias.name().equalsIgnoreCase(name);
    }

    private @Nullable Expression counted(String number) {
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Statement.Item.Value value)) {
                return null; // behind a star nobody knows here what comes
            }
            if (number.equals(Integer.toString(i + 1))) {
                return value.expression();
            }
        }
        return null;
    }
}
