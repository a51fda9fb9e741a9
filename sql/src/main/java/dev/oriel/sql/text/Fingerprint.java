package dev.oriel.sql.text;

import java.util.List;
import java.util.Locale;

/// Identifies kinds of statements. Statements of one kind differ only in literals, parameters, white space,
/// comments or the case of words. They may also differ in the length of a list of literals after IN, or in the
/// number of rows of literals after VALUES.
///
/// The number is a 64-bit hash of the tokens, computed when a statement is parsed. The text is made only when a
/// kind is first seen.
public final class Fingerprint {
    /// Maximum length of a normalised text, which is cut there.
    public static final int TEXT_CHARS_MAX = 2_000;

    private static final long PRIME = 0x9e37_79b9_7f4a_7c15L;
    private static final String LITERAL = "?";
    private static final String MORE = "...";

    private Fingerprint() {}

    /// Receives the normalised tokens, one by one.
    private interface Sink {
        /// @param text as written, or the placeholder of a literal
        void token(Token token, String text, boolean word);
    }

    /// The fingerprint of the statement `tokens`.
    public static long of(List<Token> tokens) {
        long[] hash = {PRIME};
        walk(
                tokens,
                (token, text, word) -> {
                    long h = hash[0];
                    for (int i = 0; i < text.length(); i++) {
                        char c = text.charAt(i);
                        h = (h ^ (word ? Character.toUpperCase(c) : c)) * PRIME;
                        h ^= h >>> 29;
                    }
                    hash[0] = (h ^ 0x100) * PRIME;
                });
        long h = hash[0];
        return h ^ (h >>> 32);
    }

    /// The statement with `?` for literals, keywords in capitals, other names in small letters.
    public static String text(List<Token> tokens) {
        StringBuilder out = new StringBuilder();
        Token[] last = new Token[1];
        walk(
                tokens,
                (token, text, word) -> {
                    if (out.length() < TEXT_CHARS_MAX) {
                        if (spaced(last[0], token, text)) {
                            out.append(' ');
                        }
                        out.append(shown(token, text, word));
                        last[0] = token;
                    }
                });
        if (out.length() > TEXT_CHARS_MAX) {
            out.setLength(TEXT_CHARS_MAX - MORE.length());
            out.append(MORE);
        }
        return out.toString();
    }

    private static String shown(Token token, String text, boolean word) {
        if (!word) {
            return text;
        } else if (token.kind() == Token.Kind.QUOTED) {
            return "\"" + text.toLowerCase(Locale.ROOT).replace("\"", "\"\"") + "\"";
        }
        Keyword keyword = token.keyword();
        return keyword == null ? text.toLowerCase(Locale.ROOT) : keyword.name();
    }

    private static boolean spaced(Token last, Token token, String text) {
        if (last == null || text.equals(MORE)) {
            return false;
        }
        if (token.isSymbol(",") || token.isSymbol(")") || token.isSymbol(".")) {
            return false;
        }
        if (last.isSymbol("(") || last.isSymbol(".") || token.isSymbol("::")) {
            return false;
        }
        boolean call = last.kind() == Token.Kind.WORD && last.keyword() == null;
        return !(call && token.isSymbol("(")) && !last.isSymbol("::");
    }

    private static void walk(List<Token> tokens, Sink sink) {
        int i = 0;
        while (i < tokens.size()) {
            Token token = tokens.get(i);
            if (token.kind() == Token.Kind.END || (token.isSymbol(";") && isEnd(tokens, i + 1))) {
                return;
            }
            int literals = literal(tokens, i);
            if (literals > 0) {
                sink.token(tokens.get(i + literals - 1), LITERAL, false);
                i += literals;
                if (follows(tokens, i - literals, Keyword.IN)) {
                    i = passList(tokens, i, sink);
                }
            } else {
                boolean word = token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED;
                sink.token(token, token.text(), word);
                i++;
                if (token.is(Keyword.VALUES)) {
                    i = passRows(tokens, i, sink);
                }
            }
        }
    }

    private static boolean isEnd(List<Token> tokens, int i) {
        return i >= tokens.size() || tokens.get(i).kind() == Token.Kind.END;
    }

    /// Number of tokens of the literal or parameter at `i`, including its sign; 0 if there is none.
    private static int literal(List<Token> tokens, int i) {
        int at = i;
        if (tokens.get(i).isSymbol("-") && (i == 0 || !isOperand(tokens.get(i - 1)))) {
            at++;
        }
        if (at >= tokens.size()) {
            return 0;
        }
        return switch (tokens.get(at).kind()) {
            case INTEGER, DECIMAL, DOUBLE -> at - i + 1;
            case STRING, BYTES, PARAMETER -> at == i ? 1 : 0;
            case WORD, QUOTED, SYMBOL, END -> 0;
        };
    }

    private static boolean isOperand(Token token) {
        return switch (token.kind()) {
            case QUOTED, INTEGER, DECIMAL, DOUBLE, STRING, BYTES, PARAMETER -> true;
            case WORD -> token.isName();
            case SYMBOL -> token.text().equals(")");
            case END -> false;
        };
    }

    /// Whether the tokens before `i` are `keyword` and an opening parenthesis.
    private static boolean follows(List<Token> tokens, int i, Keyword keyword) {
        return i >= 2 && tokens.get(i - 1).isSymbol("(") && tokens.get(i - 2).is(keyword);
    }

    /// Skips repetitions of `, literal` up to a closing parenthesis; skips nothing if they end otherwise.
    private static int passList(List<Token> tokens, int from, Sink sink) {
        int i = from;
        while (tokens.get(i).isSymbol(",") && literal(tokens, i + 1) > 0) {
            i += 1 + literal(tokens, i + 1);
        }
        if (i == from || !tokens.get(i).isSymbol(")")) {
            return from;
        }
        sink.token(tokens.get(from), MORE, false);
        return i;
    }

    /// Skips rows of literals after the first row.
    private static int passRows(List<Token> tokens, int from, Sink sink) {
        int first = row(tokens, from);
        int i = first;
        while (first > from && tokens.get(i).isSymbol(",") && row(tokens, i + 1) > i + 1) {
            i = row(tokens, i + 1);
        }
        if (i == first) {
            return from;
        }
        for (int j = from; j < first; ) {
            int literal = literal(tokens, j);
            Token token = tokens.get(j + Math.max(0, literal - 1));
            sink.token(token, literal > 0 ? LITERAL : token.text(), false);
            j += Math.max(1, literal);
        }
        sink.token(tokens.get(first), MORE, false);
        return i;
    }

    /// The index after the row of literals at `from`; `from` if there is none.
    private static int row(List<Token> tokens, int from) {
        if (!tokens.get(from).isSymbol("(")) {
            return from;
        }
        int i = from + 1;
        while (literal(tokens, i) > 0 || tokens.get(i).is(Keyword.NULL)) {
            i += Math.max(1, literal(tokens, i));
            if (tokens.get(i).isSymbol(")")) {
                return i + 1;
            }
            if (!tokens.get(i).isSymbol(",")) {
                return from;
            }
            i++;
        }
        return from;
    }
}
