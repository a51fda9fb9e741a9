package dev.oriel.sql.syntax;

import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Renames columns, tables, sequences or schemas in the text of an expression, and leaves the rest as it is.
public final class Renaming {
    private final List<Integer> places = new ArrayList<>();
    private final Kind kind;
    private final String from;

    /// Maps the name of a sequence to its new name.
    private final UnaryOperator<String> renamed;

    private enum Kind {
        COLUMN,
        TABLE,
        SEQUENCE
    }

    private Renaming(Kind kind, String from) {
        this(kind, from, name -> name);
    }

    private Renaming(Kind kind, String from, UnaryOperator<String> renamed) {
        this.kind = kind;
        this.from = from;
        this.renamed = renamed;
    }

    /// `text` with the column `from` renamed to `to`.
    public static String column(String text, String from, String to) {
        return new Renaming(Kind.COLUMN, from).rename(text, to);
    }

    /// `text` with the table `from` renamed to `to`.
    public static String table(String text, String from, String to) {
        return new Renaming(Kind.TABLE, from).rename(text, to);
    }

    /// `text` with each sequence in NEXTVAL and similar calls renamed by `renamed`.
    public static String sequences(String text, UnaryOperator<String> renamed) {
        return new Renaming(Kind.SEQUENCE, "", renamed).rename(text, "");
    }

    /// The query `text` with the schema `from` renamed to `to`.
    public static String schema(String text, String from, String to) {
        List<Token> tokens = Lexer.tokens(new SqlText(text));
        StringBuilder renamed = new StringBuilder(text);
        for (int i = tokens.size() - 3; i >= 0; i--) {
            Token token = tokens.get(i);
            boolean first = i == 0 || !tokens.get(i - 1).isSymbol(".");
            if (first
                    && token.isName()
                    && token.text().equalsIgnoreCase(from)
                    && tokens.get(i + 1).isSymbol(".")) {
                renamed.replace(token.position(), end(text, token), quoted(to));
            }
        }
        return renamed.toString();
    }

    private String rename(String text, String to) {
        SqlText source = new SqlText(text);
        List<Token> tokens = Lexer.tokens(source);
        Expression expression = Parser.expression(source, _ -> Typing.TEXT);
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
            boolean ofSequence = kind == Kind.SEQUENCE;
            if (tokens.get(token).kind() == Token.Kind.STRING) {
                // Whatever the literal's form, it ends before the next token.
                String other = literal(this.renamed.apply(tokens.get(token).text()));
                renamed.replace(place, tokens.get(token + 1).position(), other);
            } else if (ofSequence && tokens.get(token + 1).isSymbol(".")) {
                String whole = quoted(tokens.get(token)) + "." + quoted(tokens.get(token + 2));
                String other = name(this.renamed.apply(whole));
                renamed.replace(place, end(text, tokens.get(token + 2)), other);
            } else {
                String other =
                        ofSequence
                                ? name(this.renamed.apply(tokens.get(token).text()))
                                : quoted(to);
                renamed.replace(place, end(text, tokens.get(token)), other);
            }
        }
        return renamed.toString();
    }

    private void find(Expression expression, List<Token> tokens) {
        switch (kind) {
            case COLUMN -> {
                if (expression instanceof Expression.Name name
                        && from.equalsIgnoreCase(name.name())) {
                    places.add(behindPoints(tokens, name.position(), name.qualifier(), 1));
                }
            }
            case TABLE -> {
                if (expression instanceof Expression.Name name
                        && name.qualifier() != null
                        && from.equalsIgnoreCase(table(name.qualifier()))) {
                    places.add(behindPoints(tokens, name.position(), name.qualifier(), 0));
                }
            }
            case SEQUENCE -> {
                if (expression instanceof Expression.Call call
                        && SequenceNames.takes(call.name())
                        && !call.arguments().isEmpty()
                        && call.arguments().getFirst() instanceof Expression.Literal literal
                        && !renamed.apply(literal.text()).equals(literal.text())) {
                    places.add(literal.position());
                }
            }
        }
        Expression.operands(expression).forEach(operand -> find(operand, tokens));
    }

    /// The table of a qualifier, without its schema.
    private static String table(String qualifier) {
        return qualifier.substring(qualifier.indexOf('\0') + 1);
    }

    /// The position of the table, or of the column after it, in a name that begins at `position`.
    ///
    /// @param behind 0 for the table, 1 for the column
    private static int behindPoints(
            List<Token> tokens, int position, @Nullable String qualifier, int behind) {
        if (qualifier == null) {
            return position;
        }
        int points = (qualifier.indexOf('\0') >= 0 ? 1 : 0) + behind;
        return tokens.get(indexOf(tokens, position) + 2 * points).position();
    }

    private static int indexOf(List<Token> tokens, int position) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).position() == position) {
                return i;
            }
        }
        throw new IllegalStateException("nothing begins at " + position);
    }

    /// The position after `name`, a token of `text`.
    public static int end(String text, Token name) {
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

    /// `text`, the name of a sequence in a value, as written in a statement.
    private static String name(String text) {
        QualifiedName name = QualifiedName.of(text);
        return name == null || name.schema().isEmpty()
                ? quoted(text)
                : quoted(name.schema()) + "." + quoted(name.name());
    }

    private static String quoted(Token name) {
        return quoted(name.text());
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
