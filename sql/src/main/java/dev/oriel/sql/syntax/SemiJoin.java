package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.JoinKind;
import dev.oriel.sql.text.Keyword;
import java.util.ArrayList;
import java.util.List;

/// Parses LEFT and RIGHT SEMI JOIN and ANTI JOIN, as in Spark and DataFusion. A semi join keeps the rows of its side
/// that have a partner, an anti join the others; the other side has no columns.
///
/// `a LEFT SEMI JOIN b ON condition` becomes `a JOIN (SELECT) ON EXISTS (SELECT FROM b WHERE condition)`.
record SemiJoin(int position, boolean left, boolean anti) {

    /// Whether one follows, as LEFT or RIGHT does.
    static boolean follows(TokenReader tokens) {
        return (tokens.atWord(1, "SEMI") || tokens.atWord(1, "ANTI"))
                && tokens.peek(2).is(Keyword.JOIN);
    }

    /// Takes the words up to JOIN.
    static SemiJoin begin(TokenReader tokens) {
        int position = tokens.position();
        boolean left = tokens.take().is(Keyword.LEFT);
        boolean anti = tokens.take().text().equalsIgnoreCase("ANTI");
        tokens.take();
        return new SemiJoin(position, left, anti);
    }

    /// Parses the condition of the join of `first` and `second`.
    From of(TokenReader tokens, ExpressionParser expressions, From first, From second) {
        From kept = left ? first : second;
        From tested = left ? second : first;
        Expression condition;
        if (tokens.accept(Keyword.USING)) {
            condition = using(tokens, first, second);
        } else {
            tokens.expect(Keyword.ON);
            condition = expressions.expression();
        }
        Statement.Select partners = QueryParser.rows(position, List.of(), tested);
        partners =
                new Statement.Select(
                        position,
                        false,
                        List.of(),
                        partners.from(),
                        condition,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        Expression test = new Expression.Exists(position, partners);
        if (anti) {
            test = new Expression.Not(position, test);
        }
        From nothing =
                new From.Derived(
                        position,
                        QueryParser.rows(position, List.of(), null),
                        new Identifier(position, "?"),
                        List.of(),
                        false);
        return new From.Join(
                position, JoinKind.INNER, false, kept, nothing, test, null, tokens.position());
    }

    private static Expression using(TokenReader tokens, From first, From second) {
        tokens.expect("(");
        List<Expression> equal = new ArrayList<>();
        do {
            Identifier column = tokens.name("a column name");
            int at = column.position();
            equal.add(
                    new Expression.Binary(
                            at,
                            Expression.Operator.EQUAL,
                            new Expression.Name(at, name(tokens, first), column.name()),
                            new Expression.Name(at, name(tokens, second), column.name())));
        } while (tokens.accept(","));
        tokens.expect(")");
        return equal.size() == 1
                ? equal.getFirst()
                : new Expression.Logical(equal.getFirst().position(), true, List.copyOf(equal));
    }

    /// The name of a table of the join.
    private static String name(TokenReader tokens, From from) {
        Identifier name =
                switch (from) {
                    case From.Named table -> table.alias() == null ? table.table() : table.alias();
                    case From.Derived query -> query.alias();
                    default -> null;
                };
        if (name == null) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    from.position(),
                    "USING of a SEMI or ANTI JOIN needs a table with a name on each side; write"
                            + " ON");
        }
        return name.name();
    }
}
