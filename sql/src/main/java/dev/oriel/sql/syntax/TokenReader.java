package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.text.Habits;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A place in a statement's tokens. Every failed attempt to accept something is remembered for as
/// long as the place stays the same, so that a syntax error can say all that would have fitted.
public final class TokenReader {
    /// A cancel is looked for once in so many tokens, and one more.
    private static final int POLL_MASK = 63;

    private final SqlText source;
    private final List<Token> tokens;
    private final UserTypes types;
    private final Set<String> expected = new LinkedHashSet<>();
    private int at;

    /// Opening parentheses side by side that were seen last: the first, and the token behind the last.
    private int openFrom;

    private int openTo = -1;

    /// For each token that is an opening parenthesis the index of the closing one; null until it is asked for.
    private int @Nullable [] closings;

    public TokenReader(SqlText source) {
        this(source, Lexer.tokens(source));
    }

    /// @param tokens of `source`
    public TokenReader(SqlText source, List<Token> tokens) {
        this(source, tokens, UserTypes.NONE);
    }

    /// @param types that users have defined
    public TokenReader(SqlText source, List<Token> tokens, UserTypes types) {
        this.source = source;
        this.tokens = tokens;
        this.types = types;
    }

    UserTypes types() {
        return types;
    }

    SqlText source() {
        return source;
    }

    /// All tokens of the statement.
    List<Token> all() {
        return tokens;
    }

    public Token peek() {
        return tokens.get(at);
    }

    /// The token `ahead` of this one; END beyond the end.
    public Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    /// How many tokens lie ahead up to the first that is no opening parenthesis, from the one `ahead` of this one on.
    int afterParentheses(int ahead) {
        int from = at + ahead;
        if (from < openFrom || from > openTo) {
            openFrom = from;
            openTo = from;
            while (tokens.get(openTo).isSymbol("(")) {
                openTo++;
            }
        }
        return openTo - at;
    }

    /// Where the parenthesis closes that opens `ahead` tokens from here; at the end if none does.
    int closing(int ahead) {
        int[] found = closings;
        if (found == null) {
            found = findClosings();
            closings = found;
        }
        return found[at + ahead] - at;
    }

    private int[] findClosings() {
        int[] found = new int[tokens.size()];
        Arrays.fill(found, tokens.size() - 1);
        int[] open = new int[tokens.size()];
        int depth = 0;
        for (int i = 0; i < found.length; i++) {
            if (tokens.get(i).isSymbol("(")) {
                open[depth++] = i;
            } else if (depth > 0 && tokens.get(i).isSymbol(")")) {
                found[open[--depth]] = i;
            }
        }
        return found;
    }

    int position() {
        return peek().position();
    }

    /// Goes on to the next token, and returns the one left behind.
    Token take() {
        if ((at & POLL_MASK) == 0) {
            Cancellation.pollRunning();
        }
        Token token = tokens.get(at);
        if (at < tokens.size() - 1) {
            at++;
        }
        expected.clear();
        return token;
    }

    boolean accept(Keyword keyword) {
        if (peek().is(keyword)) {
            take();
            return true;
        }
        expected.add(keyword.name());
        return false;
    }

    /// Accepts both keywords or none.
    boolean accept(Keyword first, Keyword second) {
        if (peek().is(first) && peek(1).is(second)) {
            take();
            take();
            return true;
        }
        expected.add(first.name() + " " + second.name());
        return false;
    }

    boolean accept(String symbol) {
        if (peek().isSymbol(symbol)) {
            take();
            return true;
        }
        expected.add("\"" + symbol + "\"");
        return false;
    }

    void expect(Keyword keyword) {
        if (!accept(keyword)) {
            throw unexpected();
        }
    }

    void expect(String symbol) {
        if (!accept(symbol)) {
            throw unexpected();
        }
    }

    /// Takes a name; `what` says of what, as in "a table name".
    Statement.Identifier name(String what) {
        Token token = peek();
        if (!token.isName()) {
            expected.add(what);
            boolean reserved = token.kind() == Token.Kind.WORD;
            throw unexpected(
                    reserved ? " (a reserved word: as a name it needs double quotes)" : "");
        }
        take();
        return new Statement.Identifier(token.position(), token.text());
    }

    /// Takes the name of a table, view, sequence or index, before which its schema may stand.
    Statement.Identifier relation(String what) {
        if (!peek().isName() || !peek(1).isSymbol(".") || !peek(2).isName()) {
            return name(what);
        }
        Token schema = take();
        take();
        return new Statement.Identifier(schema.position(), take().text(), schema.text());
    }

    /// Whether `token` is the name `name`, in quotes or without.
    static boolean isName(Token token, String name) {
        return token.isName() && token.text().equalsIgnoreCase(name);
    }

    /// Takes the name of a column of a result, which a reserved word may be, too.
    Statement.Identifier heading() {
        Token token = peek();
        if (token.kind() != Token.Kind.WORD) {
            return name("a name");
        }
        take();
        return new Statement.Identifier(token.position(), token.text());
    }

    /// Takes a word that is no keyword of the grammar, such as the ISOLATION of BEGIN.
    boolean acceptWord(String word) {
        Token token = peek();
        if (token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word)) {
            take();
            return true;
        }
        return false;
    }

    /// Takes both words or none.
    boolean acceptWords(String first, String second) {
        Token after = peek(1);
        if (isWord(peek(), first) && isWord(after, second)) {
            take();
            take();
            return true;
        }
        return false;
    }

    /// Whether the token `ahead` of this one is that word.
    boolean atWord(int ahead, String word) {
        return isWord(peek(ahead), word);
    }

    private static boolean isWord(Token token, String word) {
        return token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word);
    }

    /// What stands between `position` and this place.
    String textFrom(int position) {
        return source.text().substring(position, position()).strip();
    }

    /// Takes an integer, which may have a sign.
    long integer(String what) {
        int sign = 1;
        if (accept("-")) {
            sign = -1;
        } else {
            accept("+");
        }
        Token token = peek();
        if (token.kind() != Token.Kind.INTEGER) {
            expected(what);
            throw unexpected();
        }
        take();
        try {
            return Long.parseLong((sign < 0 ? "-" : "") + token.text());
        } catch (NumberFormatException tooLong) {
            throw error(Kind.OUT_OF_RANGE, token.position(), token.text() + " is no BIGINT");
        }
    }

    /// As [#acceptWord], and an error where it is another one.
    void expectWord(String word) {
        if (!acceptWord(word)) {
            expected(word);
            throw unexpected();
        }
    }

    /// Says that `what` would have fitted here.
    void expected(String what) {
        expected.add(what);
    }

    /// The error that this token does not fit.
    public SqlException unexpected() {
        return unexpected("");
    }

    private SqlException unexpected(String hint) {
        String advice = Habits.advice(tokens, at);
        if (!advice.isEmpty()) {
            return source.error(Kind.SYNTAX, position(), advice);
        }
        StringBuilder message = new StringBuilder("Expected ").append(inWords());
        if (at > 0) {
            message.append(" after ").append(tokens.get(at - 1).describe());
        }
        message.append(", found ").append(peek().describe()).append(hint);
        return source.error(Kind.SYNTAX, position(), message.toString());
    }

    SqlException error(Kind kind, int position, String message) {
        return source.error(kind, position, message);
    }

    private String inWords() {
        List<String> choices = new ArrayList<>(expected);
        int last = choices.size() - 1;
        if (last < 0) {
            return "something else";
        }
        if (last == 0) {
            return choices.get(0);
        }
        return String.join(", ", choices.subList(0, last)) + " or " + choices.get(last);
    }
}
