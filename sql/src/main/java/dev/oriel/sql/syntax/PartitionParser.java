package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.IndexTerm;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Partition.Strategy;
import java.util.ArrayList;
import java.util.List;

/// Parses PARTITION BY and the bounds of partitions.
final class PartitionParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;

    PartitionParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    PartitionBy partitionBy() {
        tokens.expectWord("PARTITION");
        tokens.expect(Keyword.BY);
        int position = tokens.position();
        Strategy strategy = strategy(tokens.name("RANGE, LIST or HASH"));
        List<IndexTerm> key = new ArrayList<>();
        tokens.expect("(");
        do {
            key.add(term());
        } while (tokens.accept(","));
        tokens.expect(")");
        return new PartitionBy(position, strategy, List.copyOf(key));
    }

    private Strategy strategy(Identifier name) {
        for (Strategy strategy : Strategy.values()) {
            if (strategy != Strategy.NONE && strategy.name().equalsIgnoreCase(name.name())) {
                return strategy;
            }
        }
        throw tokens.error(
                Kind.INVALID_PARAMETER,
                name.position(),
                "There is no way to partition called \""
                        + name.name()
                        + "\"; choose RANGE, LIST or HASH");
    }

    private IndexTerm term() {
        int position = tokens.position();
        Token next = tokens.peek(1);
        boolean column =
                tokens.peek().isName()
                        && (next.kind() != Token.Kind.SYMBOL
                                || next.isSymbol(",")
                                || next.isSymbol(")"));
        Expression expression;
        Identifier name = null;
        if (column) {
            name = tokens.name("a column name");
            expression = new Expression.Name(position, null, name.name());
        } else {
            expression = expressions.expression();
        }
        String text = tokens.textFrom(position);
        if (tokens.atWord(0, "COLLATE")) {
            new TypeParser(tokens).collated();
        }
        if (tokens.peek().isName() && tokens.peek().text().endsWith("_ops")) {
            tokens.take(); // the order of the type, which is the only one
        }
        return new IndexTerm(name, expression, text);
    }

    PartitionBound bound() {
        int position = tokens.position();
        if (tokens.acceptWord("DEFAULT")) {
            return new PartitionBound.Default(position);
        }
        tokens.expected("DEFAULT");
        tokens.expect(Keyword.FOR);
        tokens.expect(Keyword.VALUES);
        if (tokens.accept(Keyword.FROM)) {
            List<PartitionBound.Datum> lower = data();
            tokens.expect(Keyword.TO);
            return new PartitionBound.Range(position, lower, data());
        } else if (tokens.accept(Keyword.IN)) {
            List<Expression> values = new ArrayList<>();
            tokens.expect("(");
            do {
                values.add(expressions.expression());
            } while (tokens.accept(","));
            tokens.expect(")");
            return new PartitionBound.Values(position, List.copyOf(values));
        }
        tokens.expected("IN");
        tokens.expected("FROM");
        tokens.expect(Keyword.WITH);
        tokens.expect("(");
        tokens.expectWord("MODULUS");
        long modulus = tokens.integer("an integer");
        tokens.expect(",");
        tokens.expectWord("REMAINDER");
        long remainder = tokens.integer("an integer");
        tokens.expect(")");
        return new PartitionBound.Remainder(position, modulus, remainder);
    }

    private List<PartitionBound.Datum> data() {
        List<PartitionBound.Datum> data = new ArrayList<>();
        tokens.expect("(");
        do {
            int position = tokens.position();
            if (tokens.acceptWord("MINVALUE")) {
                data.add(new PartitionBound.Datum(position, null, -1));
            } else if (tokens.acceptWord("MAXVALUE")) {
                data.add(new PartitionBound.Datum(position, null, 1));
            } else {
                data.add(new PartitionBound.Datum(position, expressions.expression(), 0));
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        return List.copyOf(data);
    }
}
