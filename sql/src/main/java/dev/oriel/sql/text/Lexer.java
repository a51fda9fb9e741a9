package dev.oriel.sql.text;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Splits a statement into tokens. White space and comments are dropped: `-- ...` and `// ...` to the end of the line,
/// and `/* ... */`, which nest.
public final class Lexer {
    /// Maximum length of a statement in characters: far beyond handwritten ones, well below a harmful size.
    static final int STATEMENT_CHARS_MAX = 1 << 24;

    /// Maximum length of a number in characters, so that reading it stays quick.
    private static final int NUMBER_CHARS_MAX = 10_000;

    /// Mask of the token count: cancellation is polled once every 1,024 tokens.
    private static final int POLL_MASK = 1023;

    private static final String[] SYMBOLS = {
        "->>", "#>>", "!~*", "@?", "@@", "->", "#>", "#-", "@>", "<@", "<<", ">>", "<=", ">=", "<>",
        "!=", "||", "&&", "::", "!~", "~*", "~", "(", ")", ",", ";", ".", "+", "-", "*", "/", "%",
        "=", "<", ">", ":", "[", "]", "^", "&", "|", "#"
    };

    private final SqlText source;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    /// Index of the first token of the statement.
    private int first;

    private Lexer(SqlText source) {
        this.source = source;
        this.text = source.text();
    }

    /// The tokens of `source`, an END token last.
    public static List<Token> tokens(SqlText source) {
        if (source.text().length() > STATEMENT_CHARS_MAX) {
            throw source.error(
                    Kind.SYNTAX,
                    0,
                    "The statement is longer than " + STATEMENT_CHARS_MAX + " characters");
        }
        Lexer lexer = new Lexer(source);
        while (lexer.skipBlanks()) {
            if ((lexer.tokens.size() & POLL_MASK) == 0) {
                Cancellation.pollRunning();
            }
            lexer.token();
        }
        lexer.add(Token.Kind.END, "", lexer.text.length());
        return lexer.tokens;
    }

    private void token() {
        int start = at;
        char c = text.charAt(at);
        if ((c == 'x' || c == 'X') && peek(1) == '\'') {
            at++;
            bytes(start);
        } else if ((c == 'n' || c == 'N') && peek(1) == '\'') { // a string of any characters too
            at++;
            String string = quoted('\'', "string");
            add(Token.Kind.STRING, isContinued() ? continued(string) : string, start);
        } else if ((c == 'e' || c == 'E') && peek(1) == '\'') {
            EscapedString string = new EscapedString(source, start, at + 2);
            add(Token.Kind.STRING, string.read(), start);
            at = string.end();
        } else if ((c == 'u' || c == 'U') && peek(1) == '&' && isQuote(peek(2))) {
            at += 2;
            boolean name = peek(0) == '"';
            String written = quoted(peek(0), name ? "name in double quotes" : "string");
            String meant = UnicodeEscapes.read(source, start, written);
            add(name ? Token.Kind.QUOTED : Token.Kind.STRING, meant, start);
        } else if (isWordStart(c)) {
            word(start);
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number(start);
        } else if (c == '\'') {
            String string = quoted('\'', "string");
            add(Token.Kind.STRING, isContinued() ? continued(string) : string, start);
        } else if (c == '"' || c == '`') { // the second as in H2 and MySQL
            String what = c == '"' ? "name in double quotes" : "name in backquotes";
            String name = quoted(c, what);
            if (name.isEmpty() && !isSearchPath()) {
                throw source.error(Kind.SYNTAX, start, "A " + what + " cannot be empty");
            }
            add(Token.Kind.QUOTED, name, start);
        } else if (c == '$' && tagEnd() > 0) {
            add(Token.Kind.STRING, tagged(start, tagEnd()), start);
        } else if (c == '$' && isDigit(peek(1))) {
            do {
                at++;
            } while (at < text.length() && isDigit(text.charAt(at)));
            add(Token.Kind.PARAMETER, text.substring(start, at), start);
        } else if (c == '?') {
            at++;
            add(Token.Kind.PARAMETER, "?", start);
        } else {
            symbol(start);
        }
    }

    /// Whether the statement sets the search path, in which an empty name stands for no schema: SHOW prints it so.
    private boolean isSearchPath() {
        return tokens.size() > first
                && isWord(first, "set")
                && (isWord(first + 1, "search_path") || isWord(first + 2, "search_path"));
    }

    private boolean isWord(int index, String word) {
        return index < tokens.size() && tokens.get(index).text().equalsIgnoreCase(word);
    }

    private static boolean isQuote(char c) {
        return c == '\'' || c == '"';
    }

    /// Whether another string follows on a later line and continues the one that ends here.
    private boolean isContinued() {
        if (peek(0) > ' ') {
            return false;
        }
        int before = at;
        boolean next = skipBlanks() && peek(0) == '\'' && text.substring(before, at).contains("\n");
        at = next ? at : before;
        return next;
    }

    private String continued(String first) {
        StringBuilder whole = new StringBuilder(first);
        do {
            whole.append(quoted('\'', "string"));
        } while (isContinued());
        return whole.toString();
    }

    /// The position after the `$tag$` at this position; 0 if there is none.
    private int tagEnd() {
        int end = at + 1;
        if (isDigit(peek(1))) {
            return 0;
        }
        while (end < text.length() && text.charAt(end) != '$' && isWordPart(text.charAt(end))) {
            end++;
        }
        return end < text.length() && text.charAt(end) == '$' ? end + 1 : 0;
    }

    /// Reads the text between a tag, which ends before `from`, and the same tag.
    private String tagged(int start, int from) {
        String tag = text.substring(at, from);
        int end = text.indexOf(tag, from);
        if (end < 0) {
            throw source.error(
                    Kind.SYNTAX, start, "This string is not closed: it ends with " + tag);
        }
        at = end + tag.length();
        return text.substring(from, end);
    }

    private void word(int start) {
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        tokens.add(new Token(Token.Kind.WORD, word, start, Keyword.of(word)));
    }

    private void number(int start) {
        int base = base();
        if (base != 10) {
            integer(start, base);
            return;
        }
        Token.Kind kind = Token.Kind.INTEGER;
        digits();
        if (peek(0) == '.') {
            kind = Token.Kind.DECIMAL;
            at++;
            digits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (isDigit(peek(1 + sign))) {
                kind = Token.Kind.DOUBLE;
                at += 1 + sign;
                digits();
            }
        }
        if (kind == Token.Kind.INTEGER && isSuffix()) {
            suffixed(start);
            return;
        }
        if (isWordStart(peek(0))) {
            throw source.error(
                    Kind.SYNTAX,
                    at,
                    "A number is followed by \""
                            + peek(0)
                            + "\": a space or an operator is missing");
        }
        if (at - start > NUMBER_CHARS_MAX) {
            throw source.error(
                    Kind.OUT_OF_RANGE,
                    start,
                    "The number is longer than " + NUMBER_CHARS_MAX + " characters");
        }
        String number = text.substring(start, at);
        add(kind, number.indexOf('_') < 0 ? number : number.replace("_", ""), start);
    }

    /// Whether a letter of H2 ends the integer: L for a BIGINT, and K, M, G, T or P in the length of a BLOB or CLOB.
    private boolean isSuffix() {
        char letter = Character.toUpperCase(peek(0));
        boolean one = !isWordPart(peek(1)) && !isQuote(peek(1));
        boolean length = letter != 0 && "KMGTP".indexOf(letter) >= 0 && isLobLength();
        return one && (letter == 'L' || length);
    }

    private boolean isLobLength() {
        int count = tokens.size();
        return count > 1
                && tokens.get(count - 1).isSymbol("(")
                && (isWord(count - 2, "BLOB")
                        || isWord(count - 2, "CLOB")
                        || isWord(count - 2, "NCLOB")
                        || isWord(count - 2, "OBJECT"));
    }

    /// Adds the integer before the letter: cast to BIGINT, or a length that is as good as none.
    private void suffixed(int start) {
        String digits = text.substring(start, at).replace("_", "");
        boolean big = Character.toUpperCase(text.charAt(at)) == 'L';
        at++;
        if (big) {
            addBigint(digits, start);
        } else {
            add(Token.Kind.INTEGER, Integer.toString(Integer.MAX_VALUE), start);
        }
    }

    /// Adds an integer as a BIGINT. One that is none without its sign stays a number: `-9223372036854775808L`.
    private void addBigint(String digits, int start) {
        add(Token.Kind.INTEGER, digits, start);
        if (new BigInteger(digits).bitLength() < Long.SIZE) {
            add(Token.Kind.SYMBOL, "::", start);
            tokens.add(new Token(Token.Kind.WORD, "BIGINT", start, Keyword.of("BIGINT")));
        }
    }

    /// Base of the integer that begins here: 16 for `0x1F`, 8 for `0o17`, 2 for `0b101`; else 10.
    private int base() {
        if (text.charAt(at) != '0') {
            return 10;
        }
        int base =
                switch (peek(1)) {
                    case 'x', 'X' -> 16;
                    case 'o', 'O' -> 8;
                    case 'b', 'B' -> 2;
                    default -> 10;
                };
        char first = peek(2) == '_' ? peek(3) : peek(2);
        boolean digit = base < 10 ? isDigit(first) : isDigit(first, base);
        return digit ? base : 10;
    }

    /// An integer of another base, whose prefix has two characters.
    private void integer(int start, int base) {
        at += 2;
        while (isDigit(peek(0), base) || (peek(0) == '_' && isDigit(peek(1), base))) {
            at++;
        }
        boolean big = Character.toUpperCase(peek(0)) == 'L' && !isWordPart(peek(1));
        boolean goesOn = isWordStart(peek(0)) && !big;
        if (goesOn || isDigit(peek(0)) || at - start > NUMBER_CHARS_MAX) {
            throw source.error(
                    Kind.SYNTAX,
                    at,
                    "A number of base " + base + " goes on; end it by a space or an operator");
        }
        String digits = text.substring(start + 2, at).replace("_", "");
        String number = new BigInteger(digits, base).toString();
        if (big) { // as of H2
            at++;
            addBigint(number, start);
        } else {
            add(Token.Kind.INTEGER, number, start);
        }
    }

    private static boolean isDigit(char c, int base) {
        return Character.digit(c, base) >= 0 && c < 128;
    }

    /// Digits, in groups separated by single underscores.
    private void digits() {
        while (isDigit(peek(0))
                || (peek(0) == '_' && isDigit(peek(1)) && isDigit(text.charAt(at - 1)))) {
            at++;
        }
    }

    private void bytes(int start) {
        String digits = quoted('\'', "string of bytes");
        if (digits.indexOf(' ') >= 0) { // as in the standard, which groups digits
            digits = digits.replace(" ", "");
        }
        for (int i = 0; i < digits.length(); i++) {
            if (Character.digit(digits.charAt(i), 16) < 0) {
                throw source.error(
                        Kind.SYNTAX,
                        start + 2 + i,
                        "Expected a hexadecimal digit, found \"" + digits.charAt(i) + "\"");
            }
        }
        if (digits.length() % 2 != 0) {
            throw source.error(Kind.SYNTAX, start, "The number of hexadecimal digits must be even");
        }
        add(Token.Kind.BYTES, digits, start);
    }

    /// Reads the text between two `quote`s; a doubled quote stands for one.
    private String quoted(char quote, String what) {
        int start = at++;
        @Nullable StringBuilder unescaped = null;
        int runStart = at;
        while (true) {
            int end = text.indexOf(quote, at);
            if (end < 0) {
                throw source.error(Kind.SYNTAX, start, "This " + what + " is not closed");
            }
            at = end + 1;
            if (peek(0) != quote) {
                String run = text.substring(runStart, end);
                return unescaped == null ? run : unescaped.append(run).toString();
            }
            if (unescaped == null) {
                unescaped = new StringBuilder();
            }
            unescaped.append(text, runStart, at);
            at++;
            runStart = at;
        }
    }

    /// The symbol of the single character `c` if no longer symbol begins with it; else null.
    private static @Nullable String single(char c) {
        return switch (c) {
            case '(' -> "(";
            case ')' -> ")";
            case ',' -> ",";
            case ';' -> ";";
            case '.' -> ".";
            case '+' -> "+";
            case '*' -> "*";
            case '%' -> "%";
            case '=' -> "=";
            case '[' -> "[";
            case ']' -> "]";
            default -> null;
        };
    }

    private void symbol(int start) {
        String single = single(text.charAt(at));
        if (single != null) {
            at++;
            add(Token.Kind.SYMBOL, single, start);
            first = single.equals(";") ? tokens.size() : first;
            return;
        }
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                add(Token.Kind.SYMBOL, symbol.equals("!=") ? "<>" : symbol, start);
                return;
            }
        }
        int character = text.codePointAt(at);
        throw source.error(
                Kind.SYNTAX,
                start,
                Character.isISOControl(character)
                        ? "The character U+%04X means nothing in SQL".formatted(character)
                        : "The character \"%s\" means nothing in SQL"
                                        .formatted(Character.toString(character))
                                + Habits.ofGraph(text));
    }

    /// Moves to the end of the line, LF or CR.
    private void lineComment() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    /// Skips white space and comments; false at the end.
    private boolean skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if ((c == '-' || c == '/') && peek(1) == c) {
                lineComment();
            } else if (c == '/' && peek(1) == '*') {
                comment();
            } else if (c <= ' ' || Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff') {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    private void comment() {
        int start = at;
        int open = 0;
        do {
            if (at >= text.length()) {
                throw source.error(Kind.SYNTAX, start, "This comment is not closed");
            }
            if (text.startsWith("/*", at)) {
                open++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                open--;
                at += 2;
            } else {
                at++;
            }
        } while (open > 0);
    }

    /// The character `ahead` characters from here; 0 beyond the end.
    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private void add(Token.Kind kind, String value, int position) {
        tokens.add(new Token(kind, value, position, null));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return c == '_' || Character.isLetter(c) || Character.isSurrogate(c);
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || c == '$' || Character.isLetterOrDigit(c) || isMark(c);
    }

    /// Whether `c` belongs to the letter before it, as vowels of Hindi and Thai do.
    private static boolean isMark(char c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }
}
