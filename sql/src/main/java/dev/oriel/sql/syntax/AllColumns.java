package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;

/// GROUP BY ALL, by every column of the select list without an aggregate, and ORDER BY ALL, by every column from left to
/// right.
final class AllColumns {
    private AllColumns() {}

    /// Whether `next`, after GROUP BY ALL, ends the clause. Else ALL is PostgreSQL's opposite of GROUP BY DISTINCT.
    static boolean ends(Token next) {
        return next.kind() == Token.Kind.END
                || next.isSymbol(")")
                || next.isSymbol(";")
                || next.is(Keyword.HAVING)
                || next.is(Keyword.WINDOW)
                || next.is(Keyword.QUALIFY)
                || next.is(Keyword.ORDER)
                || next.is(Keyword.LIMIT)
                || next.is(Keyword.FETCH)
                || next.is(Keyword.OFFSET)
                || next.is(Keyword.FOR)
                || next.is(Keyword.UNION)
                || next.is(Keyword.INTERSECT)
                || next.is(Keyword.EXCEPT);
    }

    /// The keys of GROUP BY ALL.
    static List<Statement.GroupElement> keys(
            TokenReader tokens, int position, List<Statement.Item> items) {
        List<Statement.GroupElement> keys = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Statement.Item.Value value)) {
                throw unnamed(tokens, position, "GROUP BY ALL");
            }
            if (!aggregates(value.expression())) {
                keys.add(new Statement.GroupElement.Key(number(position, i)));
            }
        }
        return List.copyOf(keys);
    }

    private static boolean aggregates(Expression expression) {
        boolean own =
                expression instanceof Expression.Call call
                        && (call.over() != null
                                || call.name().equalsIgnoreCase("GROUPING")
                                || AggregateFunction.of(call.name()) != null);
        return own || Expression.operands(expression).stream().anyMatch(AllColumns::aggregates);
    }

    /// `tail` with the columns of `query` in place of ALL.
    static Statement.Tail ordered(TokenReader tokens, Statement.Query query, Statement.Tail tail) {
        Statement.Order all = tail.orderBy().getFirst();
        int position = all.expression().position();
        List<Statement.Order> orders = new ArrayList<>();
        for (int i = 0; i < width(tokens, query, position); i++) {
            orders.add(
                    new Statement.Order(number(position, i), all.descending(), all.nullsFirst()));
        }
        return new Statement.Tail(orders, tail.limit(), tail.offset(), tail.ties(), tail.percent());
    }

    private static int width(TokenReader tokens, Statement.Query query, int position) {
        return switch (query) {
            case Statement.Select select -> {
                if (!select.items().stream().allMatch(Statement.Item.Value.class::isInstance)) {
                    throw unnamed(tokens, position, "ORDER BY ALL");
                }
                yield select.items().size();
            }
            case Statement.SetOperation operation -> width(tokens, operation.left(), position);
            case Statement.RowList list -> list.rows().getFirst().expressions().size();
            default -> throw unnamed(tokens, position, "ORDER BY ALL");
        };
    }

    private static Expression number(int position, int column) {
        return new Expression.Literal(
                position, Expression.Literal.Kind.INTEGER, Integer.toString(column + 1));
    }

    private static SqlException unnamed(TokenReader tokens, int position, String clause) {
        return tokens.error(
                Kind.NOT_SUPPORTED,
                position,
                clause + " needs a select list without \"*\"; name the columns");
    }
}
