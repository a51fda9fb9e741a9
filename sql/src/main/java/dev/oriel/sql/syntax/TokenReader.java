package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.text.Habits;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A cursor over the tokens of a statement. Every failed attempt to accept a token is remembered until the cursor
/// moves, so that a syntax error can list all tokens that would have fitted.
public final class TokenReader {
    /// Mask of the token count: cancellation is polled once every 64 tokens.
    private static final int POLL_MASK = 63;

    private final SqlText source;
    private final List<Token> tokens;
    private final UserTypes types;
    private final List<@Nullable Type> given;
    private final Set<String> expected = new LinkedHashSet<>();
    private int at;

    /// Index of the first token of the last run of opening parentheses; `openTo` is the token after the run.
    private int openFrom;

    private int openTo = -1;

    /// Index of the closing parenthesis for each opening one; null until it is first needed.
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
        this(source, tokens, types, List.of());
    }

    /// @param given types of the values of the first parameters; null if their context decides
    public TokenReader(
            SqlText source, List<Token> tokens, UserTypes types, List<@Nullable Type> given) {
        this.source = source;
        this.tokens = tokens;
        this.types = types;
        this.given = given;
    }

    /// A reader of `some` of these tokens.
    TokenReader of(List<Token> some) {
        return new TokenReader(source, some, types, given);
    }

    /// Type of the value of parameter `i`; null if its context decides.
    @Nullable Type given(int i) {
        return i < given.size() ? given.get(i) : null;
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

    /// The token `ahead` tokens from here; END beyond the end.
    public Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    /// The distance to the first token that is no opening parenthesis, from the one `ahead` tokens from here on.
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

    /// The distance to the closing parenthesis of the one `ahead` tokens from here; to the end if there is none.
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

    /// Moves to the next token and returns the one left.
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

    /// Accepts both keywords or neither.
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

    /// Reads a name; `what` describes it for errors, as in "a table name".
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

    /// Reads the name of a table, and ONLY before it.
    Statement.Identifier onlyTable() {
        boolean only = peek().is(Keyword.ONLY) && peek(1).isName();
        if (only) {
            take();
        }
        Statement.Identifier name = relation("a table name");
        return only
                ? new Statement.Identifier(name.position(), name.name(), name.schema(), true)
                : name;
    }

    /// Whether VALUES, `ahead` tokens from here, is the name of a table: no row follows it.
    boolean namesValues(int ahead) {
        if (!peek(ahead).is(Keyword.VALUES)) {
            return false;
        }
        Token next = peek(ahead + 1);
        return switch (next.kind()) {
            case END -> true;
            case SYMBOL -> next.isSymbol(")") || next.isSymbol(",") || next.isSymbol(";");
            case WORD -> next.keyword() != null && followsTable(next.keyword());
            case QUOTED, INTEGER, DECIMAL, DOUBLE, STRING, BYTES, PARAMETER -> false;
        };
    }

    private static boolean followsTable(Keyword keyword) {
        return switch (keyword) {
            case AS, WHERE, ORDER, GROUP, HAVING, LIMIT, FETCH, OFFSET, UNION, EXCEPT, INTERSECT ->
                    true;
            case JOIN, INNER, LEFT, RIGHT, FULL, CROSS, NATURAL, ON, USING -> true;
            default -> false;
        };
    }

    /// Reads the name of a table, view, sequence or index, with an optional schema.
    Statement.Identifier relation(String what) {
        if (peek().is(Keyword.VALUES)) { // reserved in queries alone
            Token values = take();
            return new Statement.Identifier(values.position(), values.text());
        }
        if (!peek().isName() || !peek(1).isSymbol(".") || !peek(2).isName()) {
            return name(what);
        }
        Token schema = take();
        take();
        return new Statement.Identifier(schema.position(), take().text(), schema.text());
    }

    /// Whether `token` is the identifier `name`, quoted or not.
    static boolean isName(Token token, String name) {
        return token.isName() && token.text().equalsIgnoreCase(name);
    }

    /// Reads the name of a column of a result, which may be a reserved word.
    Statement.Identifier heading() {
        Token token = peek();
        if (token.kind() != Token.Kind.WORD) {
            return name("a name");
        }
        take();
        return new Statement.Identifier(token.position(), token.text());
    }

    /// Accepts a word that is no keyword of the grammar, such as ISOLATION in BEGIN.
    boolean acceptWord(String word) {
        Token token = peek();
        if (token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word)) {
            take();
            return true;
        }
        return false;
    }

    /// Accepts both words or neither.
    boolean acceptWords(String first, String second) {
        Token after = peek(1);
        if (isWord(peek(), first) && isWord(after, second)) {
            take();
            take();
            return true;
        }
        return false;
    }

    /// Whether the token `ahead` tokens from here is that word.
    boolean atWord(int ahead, String word) {
        return isWord(peek(ahead), word);
    }

    private static boolean isWord(Token token, String word) {
        return token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word);
    }

    /// The text from `position` up to this token. If it ends with a comment that a line feed ends, it has that too:
    /// otherwise the comment would go on in a longer text.
    String textFrom(int position) {
        String text = source.text().substring(position, position()).strip();
        return endsWithComment(text) ? text + "\n" : text;
    }

    private static boolean endsWithComment(String text) {
        return Math.max(text.lastIndexOf("--"), text.lastIndexOf("//")) > text.lastIndexOf('\n')
                && Lexer.tokens(new SqlText(text + " x")).size()
                        == Lexer.tokens(new SqlText(text)).size();
    }

    /// Reads an integer, with an optional sign.
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
            throw error(Kind.OUT_OF_RANGE, token.position(), token.text() + " is not a BIGINT");
        }
    }

    /// Same as [#acceptWord], but fails on any other word.
    void expectWord(String word) {
        if (!acceptWord(word)) {
            expected(word);
            throw unexpected();
        }
    }

    /// Notes that `what` would have fitted here.
    void expected(String what) {
        expected.add(what);
    }

    /// The error for an unexpected token.
    public SqlException unexpected() {
        return unexpected("");
    }

    private SqlException unexpected(String hint) {
        Habits.Advice advice = Habits.advice(tokens, at);
        if (advice != null) {
            return source.error(Kind.SYNTAX, advice.position(), advice.message());
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
