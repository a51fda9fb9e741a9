package dev.oriel.sql.syntax;

import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;

/// Gives names in the text of an expression another name, and leaves the rest as it is.
public final class Renaming {
    private final List<Integer> places = new ArrayList<>();
    private final Kind kind;
    private final String from;

    private enum Kind {
        COLUMN,
        TABLE,
        SEQUENCE
    }

    private Renaming(Kind kind, String from) {
        this.kind = kind;
        this.from = from;
    }

    /// `text` where the column `from` is called `to`.
    public static String column(String text, String from, String to) {
        return new Renaming(Kind.COLUMN, from).rename(text, to);
    }

    /// `text` where the table `from` is called `to`.
    public static String table(String text, String from, String to) {
        return new Renaming(Kind.TABLE, from).rename(text, to);
    }

    /// `text` where the sequence `from` is called `to`, in NEXTVAL and the like, and in NEXT VALUE FOR.
    public static String sequence(String text, String from, String to) {
        return new Renaming(Kind.SEQUENCE, from).rename(text, to);
    }

    private String rename(String text, String to) {
        SqlText source = new SqlText(text);
        List<Token> tokens = Lexer.tokens(source);
        Expression expression = Parser.expression(source, UserTypes.ANY);
        LargeStack.run(
                Nesting.isDeep(tokens),
                () -> {
                    places.clear();
                    find(expression, tokens);
                });
        StringBuilder renamed = new StringBuilder(text);
        places.sort((a, b) -> Integer.compare(b, a));
        for (int place : places) {
            int token = indexOf(tokens, place);
            if (tokens.get(token).kind() == Token.Kind.STRING) {
                // However it is written, it ends before what follows.
                renamed.replace(place, tokens.get(token + 1).position(), literal(to));
            } else {
                renamed.replace(place, end(text, tokens.get(token)), quoted(to));
            }
        }
        return renamed.toString();
    }

    private void find(Expression expression, List<Token> tokens) {
        switch (kind) {
            case COLUMN -> {
                if (expression instanceof Expression.Name name
                        && from.equalsIgnoreCase(name.name())) {
                    places.add(
                            name.qualifier() == null
                                    ? name.position()
                                    : behindPoint(tokens, name.position()));
                }
            }
            case TABLE -> {
                if (expression instanceof Expression.Name name
                        && from.equalsIgnoreCase(name.qualifier())) {
                    places.add(name.position());
                }
            }
            case SEQUENCE -> {
                if (expression instanceof Expression.Call call
                        && isOfSequences(call.name())
                        && !call.arguments().isEmpty()
                        && call.arguments().getFirst() instanceof Expression.Literal literal
                        && from.equalsIgnoreCase(literal.text())) {
                    places.add(literal.position());
                }
            }
        }
        Expression.operands(expression).forEach(operand -> find(operand, tokens));
    }

    private static boolean isOfSequences(String function) {
        Function called = Function.of(function);
        return called == Function.NEXTVAL
                || called == Function.CURRVAL
                || called == Function.SETVAL;
    }

    private static int behindPoint(List<Token> tokens, int position) {
        return tokens.get(indexOf(tokens, position) + 2).position();
    }

    private static int indexOf(List<Token> tokens, int position) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).position() == position) {
                return i;
            }
        }
        throw new IllegalStateException("nothing begins at " + position);
    }

    /// Where `name` ends.
    private static int end(String text, Token name) {
        if (name.kind() != Token.Kind.QUOTED) {
            return name.position() + name.text().length();
        }
        int at = name.position() + 1;
        while (text.charAt(at) != '"' || (at + 1 < text.length() && text.charAt(at + 1) == '"')) {
            at += text.charAt(at) == '"' ? 2 : 1;
        }
        return at + 1;
    }

    private static String literal(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
