package dev.oriel.sql.syntax;

import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives names in the text of an expression another name, and leaves the rest as it is.
public final class Renaming {
    private final List<Integer> places = new ArrayList<>();
    private final @Nullable String table;
    private final @Nullable String column;

    private Renaming(@Nullable String table, @Nullable String column) {
        this.table = table;
        this.column = column;
    }

    /// `text` where the column `from` is called `to`.
    public static String column(String text, String from, String to) {
        return new Renaming(null, from).rename(text, to);
    }

    /// `text` where the table `from` is called `to`.
    public static String table(String text, String from, String to) {
        return new Renaming(from, null).rename(text, to);
    }

    private String rename(String text, String to) {
        SqlText source = new SqlText(text);
        List<Token> tokens = Lexer.tokens(source);
        find(Parser.expression(source), tokens);
        StringBuilder renamed = new StringBuilder(text);
        places.sort((a, b) -> Integer.compare(b, a));
        for (int place : places) {
            renamed.replace(place, end(text, place), quoted(to));
        }
        return renamed.toString();
    }

    private void find(Expression expression, List<Token> tokens) {
        if (expression instanceof Expression.Name name) {
            if (table != null && table.equalsIgnoreCase(name.qualifier())) {
                places.add(name.position());
            } else if (column != null && column.equalsIgnoreCase(name.name())) {
                places.add(
                        name.qualifier() == null
                                ? name.position()
                                : behindPoint(tokens, name.position()));
            }
        }
        Expression.operands(expression).forEach(operand -> find(operand, tokens));
    }

    private static int behindPoint(List<Token> tokens, int position) {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.get(i).position() == position) {
                return tokens.get(i + 2).position();
            }
        }
        throw new IllegalStateException("no name at " + position);
    }

    /// Where the name ends that begins at `place`.
    private static int end(String text, int place) {
        int at = place + 1;
        if (text.charAt(place) == '"') {
            while (text.charAt(at) != '"'
                    || (at + 1 < text.length() && text.charAt(at + 1) == '"')) {
                at += text.charAt(at) == '"' ? 2 : 1;
            }
            return at + 1;
        }
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at))
                        || text.charAt(at) == '_'
                        || text.charAt(at) == '$')) {
            at++;
        }
        return at;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
