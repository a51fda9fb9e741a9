package dev.oriel.sql;

import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an expression begins with: constants, names, calls, and all in parentheses.
final class PrimaryParser {
    private final TokenReader tokens;
    private final TypeParser types;
    private final ExpressionParser expressions;

    PrimaryParser(TokenReader tokens, TypeParser types, ExpressionParser expressions) {
        this.tokens = tokens;
        this.types = types;
        this.expressions = expressions;
    }

    Expression primary() {
        Token token = tokens.peek();
        expressions.height(1);
        return switch (token.kind()) {
            case INTEGER -> literal(Expression.Literal.Kind.INTEGER);
            case DECIMAL -> literal(Expression.Literal.Kind.DECIMAL);
            case DOUBLE -> literal(Expression.Literal.Kind.DOUBLE);
            case STRING -> literal(Expression.Literal.Kind.STRING);
            case BYTES -> literal(Expression.Literal.Kind.BYTES);
            case PARAMETER -> {
                tokens.take();
                yield new Expression.Parameter(token.position(), expressions.nextParameter());
            }
            case SYMBOL -> {
                if (!token.text().equals("(")) {
                    throw noExpression();
                }
                tokens.take();
                if (expressions.atQuery(0)) {
                    yield new Expression.Subquery(token.position(), expressions.subquery());
                }
                Expression inner = expressions.expression();
                tokens.expect(")");
                yield inner;
            }
            case QUOTED -> name();
            case WORD -> token.keyword() == null ? name() : keyword(token, token.keyword());
            case END -> throw noExpression();
        };
    }

    private SqlException noExpression() {
        tokens.expected("an expression");
        return tokens.unexpected();
    }

    private Expression literal(Expression.Literal.Kind kind) {
        Token token = tokens.take();
        return new Expression.Literal(token.position(), kind, token.text());
    }

    private Expression keyword(Token token, Keyword keyword) {
        return switch (keyword) {
            case NULL -> literal(Expression.Literal.Kind.NULL);
            case TRUE, FALSE -> literal(Expression.Literal.Kind.BOOLEAN);
            case CASE -> caseOf();
            case CAST -> cast();
            case CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, LOCALTIMESTAMP -> {
                tokens.take();
                yield new Expression.Call(
                        token.position(), keyword.name(), List.of(), false, false);
            }
            case DATE, TIME, TIMESTAMP -> temporal(token);
            case EXISTS -> {
                if (tokens.peek(1).isSymbol("(") && expressions.atWholeQuery(2)) {
                    tokens.take();
                    tokens.take();
                    yield new Expression.Exists(token.position(), expressions.subquery());
                }
                yield name();
            }
            case SUBSTRING -> tokens.peek(1).isSymbol("(") ? substring() : name();
            case TRIM -> tokens.peek(1).isSymbol("(") ? trim() : name();
            case LEFT, RIGHT, IF -> {
                if (!tokens.peek(1).isSymbol("(") && keyword.reserved()) {
                    throw noExpression();
                }
                yield name();
            }
            default -> {
                if (keyword.reserved()) {
                    throw noExpression();
                }
                yield name();
            }
        };
    }

    /// `DATE '2024-02-29'` is a cast; DATE alone may be a column.
    private Expression temporal(Token token) {
        boolean zoned =
                tokens.peek(1).is(Keyword.WITH)
                        || tokens.peek(1).is(Keyword.WITHOUT)
                        || tokens.peek(1).isSymbol("(");
        if (tokens.peek(1).kind() != Token.Kind.STRING
                && !(zoned && !token.is(Keyword.DATE) && tokens.peek(2).is(Keyword.TIME))) {
            return name();
        }
        Type type = types.type();
        if (tokens.peek().kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        }
        Expression text = literal(Expression.Literal.Kind.STRING);
        return expressions.grown(
                expressions.height(), new Expression.Cast(text.position(), text, type));
    }

    private Expression name() {
        Token first = tokens.take();
        if (tokens.peek().isSymbol("(")) {
            return call(first);
        }
        if (!tokens.peek().isSymbol(".")) {
            return new Expression.Name(first.position(), null, first.text());
        }
        tokens.take();
        Statement.Identifier column = tokens.name("a column name");
        return new Expression.Name(first.position(), first.text(), column.name());
    }

    private Expression call(Token name) {
        tokens.take();
        if (tokens.peek().isSymbol("*")) {
            tokens.take();
            tokens.expect(")");
            return new Expression.Call(name.position(), name.text(), List.of(), false, true);
        }
        if (tokens.accept(")")) {
            return new Expression.Call(name.position(), name.text(), List.of(), false, false);
        }
        boolean distinct = tokens.accept(Keyword.DISTINCT);
        if (!distinct) {
            tokens.accept(Keyword.ALL);
        }
        List<Expression> arguments = expressions.expressions();
        tokens.expect(")");
        return called(name, arguments, distinct);
    }

    private Expression called(Token name, List<Expression> arguments, boolean distinct) {
        return expressions.grown(
                expressions.height(),
                new Expression.Call(name.position(), name.text(), arguments, distinct, false));
    }

    private Expression substring() {
        Token name = tokens.take();
        tokens.expect("(");
        List<Expression> arguments = new ArrayList<>();
        arguments.add(expressions.expression());
        int below = expressions.height();
        boolean words = tokens.accept(Keyword.FROM);
        if (words || tokens.accept(",")) {
            arguments.add(expressions.expression());
            below = Math.max(below, expressions.height());
            if (words ? tokens.accept(Keyword.FOR) : tokens.accept(",")) {
                arguments.add(expressions.expression());
                below = Math.max(below, expressions.height());
            }
        }
        tokens.expect(")");
        expressions.height(below);
        return called(name, arguments, false);
    }

    private Expression trim() {
        Token name = tokens.take();
        tokens.expect("(");
        String function = "TRIM";
        if (tokens.accept(Keyword.LEADING)) {
            function = "LTRIM";
        } else if (tokens.accept(Keyword.TRAILING)) {
            function = "RTRIM";
        } else {
            tokens.accept(Keyword.BOTH);
        }
        List<Expression> arguments = new ArrayList<>();
        int below = 0;
        if (!tokens.accept(Keyword.FROM)) {
            arguments.add(expressions.expression());
            below = expressions.height();
            if (tokens.accept(Keyword.FROM)) {
                arguments.addFirst(expressions.expression());
                below = Math.max(below, expressions.height());
            } else if (tokens.accept(",")) {
                arguments.add(expressions.expression());
                below = Math.max(below, expressions.height());
            }
        } else {
            arguments.add(expressions.expression());
            below = expressions.height();
        }
        tokens.expect(")");
        expressions.height(below);
        return expressions.grown(
                expressions.height(),
                new Expression.Call(name.position(), function, arguments, false, false));
    }

    private Expression cast() {
        int position = tokens.take().position();
        tokens.expect("(");
        Expression operand = expressions.expression();
        int below = expressions.height();
        tokens.expect(Keyword.AS);
        Type type = types.type();
        tokens.expect(")");
        return expressions.grown(below, new Expression.Cast(position, operand, type));
    }

    private Expression caseOf() {
        int position = tokens.take().position();
        int below = 0;
        @Nullable Expression operand = null;
        if (!tokens.peek().is(Keyword.WHEN)) {
            tokens.expected("WHEN");
            operand = expressions.expression();
            below = expressions.height();
        }
        List<Expression.When> whens = new ArrayList<>();
        tokens.expect(Keyword.WHEN);
        do {
            Expression condition = expressions.expression();
            below = Math.max(below, expressions.height());
            tokens.expect(Keyword.THEN);
            whens.add(new Expression.When(condition, expressions.expression()));
            below = Math.max(below, expressions.height());
        } while (tokens.accept(Keyword.WHEN));
        @Nullable Expression otherwise = null;
        if (tokens.accept(Keyword.ELSE)) {
            otherwise = expressions.expression();
            below = Math.max(below, expressions.height());
        }
        tokens.expect(Keyword.END);
        return expressions.grown(below, new Expression.Case(position, operand, whens, otherwise));
    }
}
