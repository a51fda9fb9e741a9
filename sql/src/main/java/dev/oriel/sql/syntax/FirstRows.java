package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Literal;
import java.util.ArrayList;
import java.util.List;

/// Rewrites DISTINCT ON as `QUALIFY ROW_NUMBER() OVER (PARTITION BY expressions ORDER BY ...) = 1`. It keeps the
/// first row in ORDER BY's order of each group of rows equal in the expressions. The expressions may contain window
/// functions of the select list or of ORDER BY.
final class FirstRows {
    private final TokenReader tokens;
    private final List<Statement.Item> items;

    private FirstRows(TokenReader tokens, List<Statement.Item> items) {
        this.tokens = tokens;
        this.items = items;
    }

    /// `select`, which has no QUALIFY, reduced to the first row for each value of `on`.
    ///
    /// @param tokens for errors
    static Statement.Select of(
            TokenReader tokens,
            Statement.Select select,
            List<Expression> on,
            List<Statement.Order> orderBy) {
        FirstRows names = new FirstRows(tokens, select.items());
        List<Expression> partitionBy = on.stream().map(names::meant).toList();
        List<Statement.Order> order = new ArrayList<>();
        for (Statement.Order key : orderBy) {
            Expression meant = names.meant(key.expression());
            order.add(new Statement.Order(meant, key.descending(), key.nullsFirst()));
        }
        int position = on.getFirst().position();
        Expression.Over over =
                new Expression.Over(
                        position, null, false, partitionBy, List.copyOf(order), null, true);
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

    /// The expression of a key. As in ORDER BY, an integer is the number of a select item, and a name may be its
    /// alias.
    private Expression meant(Expression key) {
        if (key instanceof Literal literal && literal.kind() == Literal.Kind.INTEGER) {
            return counted(literal);
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

    /// Whether `value` is an output column called `name`: by its alias, or as a column without one.
    private static boolean isCalled(Statement.Item.Value value, String name) {
        Statement.Identifier alias = value.alias();
        String own =
                alias != null
                        ? alias.name()
                        : value.expression() instanceof Expression.Name column ? column.name() : "";
        return own.equalsIgnoreCase(name);
    }

    private Expression counted(Literal number) {
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Statement.Item.Value value)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        number.position(),
                        "With DISTINCT ON a position after \"*\" is unknown; use a name");
            }
            if (number.text().equals(Integer.toString(i + 1))) {
                return value.expression();
            }
        }
        throw tokens.error(
                Kind.SYNTAX,
                number.position(),
                "DISTINCT ON position " + number.text() + " is not in the select list");
    }
}
