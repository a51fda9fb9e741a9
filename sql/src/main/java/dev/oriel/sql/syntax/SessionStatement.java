package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A statement about prepared statements and cursors of a session: PREPARE, EXECUTE, DEALLOCATE, DECLARE, FETCH,
/// MOVE, CLOSE. Texts of other statements within them are prepared by the session separately.
public sealed interface SessionStatement {
    /// First words of these statements.
    List<String> WORDS =
            List.of("PREPARE", "EXECUTE", "DEALLOCATE", "DECLARE", "FETCH", "MOVE", "CLOSE");

    /// PREPARE name (types) AS text.
    ///
    /// @param types as written
    /// @param text with parameters `$1`, `$2`, ...
    record Prepare(Statement.Identifier name, List<String> types, String text)
            implements SessionStatement {}

    /// EXECUTE name (arguments), with the arguments as SQL.
    record Execute(Statement.Identifier name, List<String> arguments) implements SessionStatement {}

    /// DEALLOCATE; the name is null for all.
    record Deallocate(Statement.@Nullable Identifier name) implements SessionStatement {}

    /// DECLARE name CURSOR FOR text.
    ///
    /// @param hold whether it outlives its transaction
    /// @param forward whether it cannot go back
    record Declare(Statement.Identifier name, boolean hold, boolean forward, String text)
            implements SessionStatement {}

    /// FETCH, or MOVE if it returns no rows.
    ///
    /// @param count number of rows from here, or the position of a row
    record Fetch(Statement.Identifier name, Direction direction, long count, boolean move)
            implements SessionStatement {}

    /// CLOSE; the name is null for all.
    record Close(Statement.@Nullable Identifier name) implements SessionStatement {}

    /// Movement of a cursor. FORWARD and BACKWARD return all rows on the way, the others the last one.
    enum Direction {
        FORWARD,
        BACKWARD,
        ABSOLUTE,
        RELATIVE
    }

    /// Whether `text` may be one of these statements.
    static boolean isLikely(String text) {
        int at = 0;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        char first = at < text.length() ? Character.toUpperCase(text.charAt(at)) : ' ';
        if ("PEDFMC".indexOf(first) < 0) {
            return false;
        }
        for (String word : WORDS) {
            if (text.regionMatches(true, at, word, 0, word.length())
                    && at + word.length() < text.length()
                    && !Character.isLetterOrDigit(text.charAt(at + word.length()))) {
                return true;
            }
        }
        return false;
    }

    /// Place of EXECUTE in `text`, if that is EXPLAIN EXECUTE or CREATE TABLE AS EXECUTE; else -1.
    static int executed(String text) {
        boolean explains = text.stripLeading().regionMatches(true, 0, "EXPLAIN", 0, 7);
        if (!explains && !text.stripLeading().regionMatches(true, 0, "CREATE", 0, 6)) {
            return -1;
        }
        TokenReader tokens = new TokenReader(new SqlText(text));
        tokens.take();
        int depth = 0;
        boolean possible = explains;
        while (tokens.peek().kind() != Token.Kind.END) {
            Token token = tokens.take();
            if (depth == 0 && possible && token.text().equalsIgnoreCase("EXECUTE")) {
                return token.kind() == Token.Kind.WORD && tokens.peek().isName()
                        ? token.position()
                        : -1;
            }
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            boolean option =
                    depth > 0
                            || token.isSymbol(")")
                            || token.text().equalsIgnoreCase("ANALYZE")
                            || token.text().equalsIgnoreCase("VERBOSE");
            possible = explains ? possible && option : token.is(Keyword.AS);
        }
        return -1;
    }

    /// Parses the statement of `source`, for which [#isLikely] holds. Its tokens are read from `masked`, a text of
    /// the same length.
    static SessionStatement parse(SqlText source, SqlText masked) {
        TokenReader tokens = new TokenReader(masked);
        String word = tokens.take().text().toUpperCase(Locale.ROOT);
        SessionStatement statement =
                switch (word) {
                    case "PREPARE" -> prepare(tokens, source);
                    case "EXECUTE" -> execute(tokens, source);
                    case "DEALLOCATE" -> {
                        tokens.acceptWord("PREPARE");
                        yield new Deallocate(nameOrAll(tokens, "a statement name"));
                    }
                    case "DECLARE" -> declare(tokens, source);
                    case "CLOSE" -> new Close(nameOrAll(tokens, "a cursor name"));
                    default -> fetch(tokens, word.equals("MOVE"));
                };
        boolean rest = statement instanceof Prepare || statement instanceof Declare;
        if (!rest) {
            tokens.accept(";");
            if (tokens.peek().kind() != Token.Kind.END) {
                tokens.expected("the end of the statement");
                throw tokens.unexpected();
            }
        }
        return statement;
    }

    private static Statement.@Nullable Identifier nameOrAll(TokenReader tokens, String what) {
        return tokens.accept(Keyword.ALL) ? null : tokens.name(what);
    }

    private static SessionStatement prepare(TokenReader tokens, SqlText source) {
        Statement.Identifier name = tokens.name("a statement name");
        List<String> types = tokens.accept("(") ? listed(tokens, source) : List.of();
        tokens.expect(Keyword.AS);
        return new Prepare(name, types, source.text().substring(tokens.position()));
    }

    private static SessionStatement execute(TokenReader tokens, SqlText source) {
        Statement.Identifier name = tokens.name("a statement name");
        return new Execute(name, tokens.accept("(") ? listed(tokens, source) : List.of());
    }

    /// The parts between commas up to the closing parenthesis.
    private static List<String> listed(TokenReader tokens, SqlText source) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = tokens.position();
        while (true) {
            Token token = tokens.peek();
            if (token.kind() == Token.Kind.END) {
                tokens.expected("\")\"");
                throw tokens.unexpected();
            }
            boolean closes = token.isSymbol(")") || token.isSymbol("]");
            if (depth == 0 && (token.isSymbol(",") || closes)) {
                parts.add(source.text().substring(start, token.position()).strip());
                tokens.take();
                start = tokens.position();
                if (closes) {
                    return List.copyOf(parts);
                }
                continue;
            }
            depth += closes ? -1 : token.isSymbol("(") || token.isSymbol("[") ? 1 : 0;
            tokens.take();
        }
    }

    private static SessionStatement declare(TokenReader tokens, SqlText source) {
        Statement.Identifier name = tokens.name("a cursor name");
        boolean forward = false;
        while (!tokens.acceptWord("CURSOR")) {
            if (tokens.acceptWords("NO", "SCROLL")) {
                forward = true;
            } else if (tokens.acceptWord("BINARY")) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED, name.position(), "A cursor has no BINARY form");
            } else if (!tokens.acceptWord("SCROLL")
                    && !tokens.acceptWord("INSENSITIVE")
                    && !tokens.acceptWord("ASENSITIVE")) {
                tokens.expected("CURSOR");
                throw tokens.unexpected();
            }
        }
        boolean hold = tokens.accept(Keyword.WITH);
        if (hold || tokens.accept(Keyword.WITHOUT)) {
            tokens.expectWord("HOLD");
        }
        tokens.expect(Keyword.FOR);
        return new Declare(name, hold, forward, source.text().substring(tokens.position()));
    }

    private static SessionStatement fetch(TokenReader tokens, boolean move) {
        Direction direction = Direction.FORWARD;
        long count = 1;
        boolean said = true;
        if (tokens.acceptWord("NEXT")) {
            count = 1;
        } else if (tokens.acceptWord("PRIOR")) {
            direction = Direction.BACKWARD;
        } else if (tokens.acceptWord("FIRST")) {
            direction = Direction.ABSOLUTE;
        } else if (tokens.acceptWord("LAST")) {
            direction = Direction.ABSOLUTE;
            count = -1;
        } else if (tokens.acceptWord("ABSOLUTE")) {
            direction = Direction.ABSOLUTE;
            count = tokens.integer("the place of a row");
        } else if (tokens.acceptWord("RELATIVE")) {
            direction = Direction.RELATIVE;
            count = tokens.integer("a number of rows");
        } else {
            boolean backward = tokens.acceptWord("BACKWARD");
            boolean word = backward || tokens.acceptWord("FORWARD");
            direction = backward ? Direction.BACKWARD : Direction.FORWARD;
            if (tokens.accept(Keyword.ALL)) {
                count = Long.MAX_VALUE;
            } else if (tokens.peek().kind() == Token.Kind.INTEGER
                    || tokens.peek().isSymbol("-")
                    || tokens.peek().isSymbol("+")) {
                count = tokens.integer("a number of rows");
            } else {
                said = word;
            }
        }
        if (!tokens.accept(Keyword.FROM) && !tokens.accept(Keyword.IN) && said) {
            tokens.expected("a cursor name");
        }
        return new Fetch(tokens.name("a cursor name"), direction, count, move);
    }
}
