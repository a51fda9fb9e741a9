package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.CopyOptions.Header;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses COPY, with its options in parentheses or, as before PostgreSQL 9, without.
public final class CopyParser {
    /// Characters that have a meaning after a backslash in TEXT format.
    private static final String MEANT = "\\.abcdefghijklmnopqrstuvwxyz0123456789N";

    private final TokenReader tokens;
    private final QueryParser queries;

    /// Option values with their positions, by option name.
    private final Map<String, Token> given = new HashMap<>();

    private final Map<String, Set<String>> columnSets = new HashMap<>();
    private boolean csv;
    private Header header = Header.NO;

    CopyParser(TokenReader tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    /// Parses the rest of COPY.
    Statement copy(int position) {
        Identifier table = null;
        List<Identifier> columns = List.of();
        Statement.Query query = null;
        if (tokens.peek().isSymbol("(")) {
            tokens.take();
            query = queries.query();
            tokens.expect(")");
        } else {
            table = tokens.relation("a table name");
            columns = tokens.peek().isSymbol("(") ? names() : columns;
        }
        boolean from = table != null && tokens.accept(Keyword.FROM);
        if (!from) {
            tokens.expect(Keyword.TO);
        }
        Token file = file();
        options();
        CopyOptions options = checked(file, from);
        if (from && table != null) {
            return new Statement.CopyFrom(position, table, columns, file, options);
        }
        return new Statement.CopyTo(position, table, columns, query, file, options);
    }

    private List<Identifier> names() {
        List<Identifier> names = new ArrayList<>();
        tokens.expect("(");
        do {
            names.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(")");
        return List.copyOf(names);
    }

    private Token file() {
        Token file = tokens.peek();
        for (String word : List.of("STDIN", "STDOUT", "PROGRAM")) {
            if (tokens.atWord(0, word)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        file.position(),
                        "COPY reads and writes files by their names; \\copy of the shell reads files of the client");
            }
        }
        return text("the name of a file in quotes");
    }

    private Token text(String what) {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.STRING) {
            tokens.expected(what);
            throw tokens.unexpected();
        }
        return tokens.take();
    }

    private void options() {
        tokens.accept(Keyword.WITH);
        if (!tokens.accept("(")) {
            while (option(false)) {
                // as many as there are
            }
            return;
        }
        do {
            if (!option(true)) {
                throw tokens.unexpected();
            }
        } while (tokens.accept(","));
        tokens.expect(")");
    }

    /// @param listed whether the option is in the parenthesised list, where its value follows its name
    private boolean option(boolean listed) {
        Token name = tokens.peek();
        if (listed && tokens.acceptWord("FORMAT")) {
            format();
        } else if (!listed && tokens.acceptWord("CSV")) {
            csv = true;
        } else if (tokens.acceptWord("HEADER")) {
            header = listed ? header() : Header.YES;
        } else if (tokens.accept(Keyword.NULL)) {
            tokens.accept(Keyword.AS);
            put("NULL", name, text("a text"));
        } else if (tokens.acceptWord("FORCE_QUOTE")) {
            columnSets.put("FORCE_QUOTE", columnSet());
        } else if (tokens.acceptWord("FORCE_NOT_NULL")) {
            columnSets.put("FORCE_NOT_NULL", columnSet());
        } else if (tokens.acceptWord("FORCE_NULL")) {
            columnSets.put("FORCE_NULL", columnSet());
        } else {
            for (String word : List.of("DELIMITER", "QUOTE", "ESCAPE", "ENCODING")) {
                if (tokens.acceptWord(word)) {
                    tokens.accept(Keyword.AS);
                    put(word, name, text("a text"));
                    return true;
                }
                tokens.expected(word);
            }
            tokens.expected(listed ? "FORMAT" : "CSV");
            tokens.expected("HEADER");
            return false;
        }
        return true;
    }

    private void put(String option, Token name, Token value) {
        if (given.put(option, value) != null) {
            throw tokens.error(Kind.SYNTAX, name.position(), option + " is given twice");
        }
    }

    private void format() {
        Token format = tokens.take();
        csv =
                switch (format.text().toUpperCase(Locale.ROOT)) {
                    case "CSV" -> true;
                    case "TEXT" -> false;
                    default ->
                            throw tokens.error(
                                    Kind.NOT_SUPPORTED,
                                    format.position(),
                                    "COPY knows the formats CSV and TEXT, not \""
                                            + format.text()
                                            + "\"");
                };
    }

    private Header header() {
        if (tokens.accept(Keyword.FALSE) || tokens.acceptWord("OFF")) {
            return Header.NO;
        } else if (tokens.acceptWord("MATCH")) {
            return Header.MATCH;
        } else if (!tokens.accept(Keyword.TRUE)) {
            tokens.accept(Keyword.ON);
        }
        return Header.YES;
    }

    private Set<String> columnSet() {
        if (tokens.accept("*")) {
            return Set.of("*");
        }
        Set<String> set = new HashSet<>();
        names().forEach(name -> set.add(name.name().toUpperCase(Locale.ROOT)));
        return set;
    }

    private CopyOptions checked(Token file, boolean from) {
        for (String option : List.of("QUOTE", "ESCAPE")) {
            Token token = given.get(option);
            if (token != null && !csv) {
                throw wrong(token, option + " needs FORMAT CSV");
            }
        }
        if (!columnSets.isEmpty() && !csv) {
            throw wrong(file, "FORCE_QUOTE, FORCE_NULL and FORCE_NOT_NULL need FORMAT CSV");
        }
        if (header == Header.MATCH && !from) {
            throw wrong(file, "HEADER MATCH is for COPY FROM");
        }
        char delimiter = character("DELIMITER", csv ? ',' : '\t');
        int quote = csv ? character("QUOTE", '"') : DelimitedForm.NONE;
        int escape = csv ? character("ESCAPE", (char) quote) : DelimitedForm.NONE;
        Token nulls = given.get("NULL");
        String nullText = nulls != null ? nulls.text() : csv ? "" : "\\N";
        if (delimiter == quote || (!csv && MEANT.indexOf(delimiter) >= 0)) {
            throw wrong(
                    given.getOrDefault("DELIMITER", file),
                    "The delimiter cannot be the quote, nor a backslash, a point, a small letter, a digit or N"
                            + " in TEXT");
        }
        if (nulls != null
                && (nullText.indexOf(delimiter) >= 0
                        || nullText.indexOf('\n') >= 0
                        || nullText.indexOf('\r') >= 0
                        || (quote >= 0 && nullText.indexOf(quote) >= 0))) {
            throw wrong(nulls, "What stands for NULL can hold no delimiter, quote or end of line");
        }
        DelimitedForm form =
                new DelimitedForm(
                        String.valueOf(delimiter),
                        null,
                        quote,
                        escape,
                        !csv,
                        nullText,
                        charset(given.get("ENCODING")));
        return new CopyOptions(
                form,
                header,
                columnSets.getOrDefault("FORCE_QUOTE", Set.of()),
                columnSets.getOrDefault("FORCE_NOT_NULL", Set.of()),
                columnSets.getOrDefault("FORCE_NULL", Set.of()));
    }

    private char character(String option, char usual) {
        Token token = given.get(option);
        if (token == null) {
            return usual;
        }
        String text = token.text();
        if (text.length() != 1 || text.charAt(0) == '\n' || text.charAt(0) == '\r') {
            throw wrong(token, option + " is one character, and no end of line");
        }
        return text.charAt(0);
    }

    private SqlException wrong(Token token, String message) {
        return tokens.error(Kind.INVALID_PARAMETER, token.position(), message);
    }

    private Charset charset(@Nullable Token token) {
        if (token == null) {
            return StandardCharsets.UTF_8;
        }
        Charset charset = charset(token.text());
        if (charset == null) {
            throw wrong(
                    token, "There is no encoding \"" + token.text() + "\": UTF8 is the usual one");
        }
        return charset;
    }

    /// The encoding called `name`, perhaps by PostgreSQL's name for it; null if there is none.
    public static @Nullable Charset charset(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        String known =
                upper.startsWith("WIN") && !upper.contains("-")
                        ? "windows-" + upper.substring(3)
                        : name;
        try {
            return Charset.forName(known);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return null;
        }
    }
}
