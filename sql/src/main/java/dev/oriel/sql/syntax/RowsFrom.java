package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `ROWS FROM (f(), g())` and `UNNEST(a, b)`: the rows of functions side by side. They become a query that numbers
/// the rows of each function and joins rows of equal numbers. The numbers are columns that `*` hides.
final class RowsFrom {
    private final int position;
    private final List<From> functions;

    RowsFrom(int position, List<From> functions) {
        this.position = position;
        this.functions = functions;
    }

    /// The functions of UNNEST of one or several arrays.
    static List<From> unnest(Expression.Call call) {
        List<From> functions = new ArrayList<>();
        for (Expression array : call.arguments()) {
            Expression.Call one = new Expression.Call(call.position(), call.name(), List.of(array));
            functions.add(new From.Function(one, null, List.of(), true, false));
        }
        return functions;
    }

    /// The rows as an item of FROM.
    ///
    /// @param numbered whether a column with their numbers follows
    From from(boolean numbered, Identifier alias, List<Identifier> columns) {
        From joined = null;
        List<Expression> numbers = new ArrayList<>();
        for (From function : functions) {
            Identifier name =
                    new Identifier(
                            position, SelectedRows.HIDDEN + "function " + (numbers.size() + 1));
            Identifier number = new Identifier(position, SelectedRows.HIDDEN + numbers.size());
            From rows =
                    new From.Derived(position, numbered(function, number), name, List.of(), true);
            Expression own = new Expression.Name(position, name.name(), number.name());
            joined = joined == null ? rows : joined(joined, rows, first(numbers), own);
            numbers.add(own);
        }
        List<Item> items = new ArrayList<>(List.of(new Item.Star(position, null)));
        if (numbered) {
            items.add(new Item.Value(first(numbers), new Identifier(position, "ordinality")));
        }
        Statement.Order order = new Statement.Order(first(numbers), false, null);
        Statement.Tail tail = new Statement.Tail(List.of(order), null, null, false, false);
        return new From.Derived(position, select(items, joined, tail), alias, columns, true);
    }

    /// The first of `numbers` that is not NULL.
    private Expression first(List<Expression> numbers) {
        return numbers.size() == 1
                ? numbers.getFirst()
                : new Expression.Call(position, Function.COALESCE.called(), List.copyOf(numbers));
    }

    private From joined(From left, From right, Expression number, Expression other) {
        Expression same = new Expression.Binary(position, Expression.Operator.EQUAL, number, other);
        return new From.Join(
                position, Statement.JoinKind.FULL, false, left, right, same, null, position);
    }

    private Statement.Select numbered(From function, Identifier number) {
        return select(
                List.of(
                        new Item.Star(position, null),
                        new Item.Value(FromParser.rowNumber(position), number)),
                function,
                Statement.Tail.NONE);
    }

    private Statement.Select select(List<Item> items, @Nullable From from, Statement.Tail tail) {
        return new Statement.Select(
                position, false, items, from, null, List.of(), null, List.of(), null, tail);
    }
}
