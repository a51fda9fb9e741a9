package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Kinds of objects known in other databases only. DROP IF EXISTS of one is done already; other statements about them
/// are refused.
final class AbsentKinds {
    /// @param name in words, upper case
    /// @param remedy the words after "leave the statement out", or empty
    private record Absent(String name, String remedy) {}

    private static final String IN_JAVA =
            ", and register a Java function, as docs/jdbc.md describes";

    /// A longer name precedes a shorter one with the same beginning.
    private static final List<Absent> ALL =
            List.of(
                    new Absent("ACCESS METHOD", ""),
                    new Absent("AGGREGATE", IN_JAVA),
                    new Absent("ALIAS", IN_JAVA),
                    new Absent("CAST", ""),
                    new Absent("COLLATION", "; \"C\" is the collation of all texts"),
                    new Absent("CONSTANT", "; a view may hold the value"),
                    new Absent("CONVERSION", ""),
                    new Absent("EVENT TRIGGER", ""),
                    new Absent("EXTENSION", "; what it brings may be there already"),
                    new Absent("FOREIGN DATA WRAPPER", "; CREATE EXTERNAL TABLE reads files"),
                    new Absent("FOREIGN TABLE", "; CREATE EXTERNAL TABLE reads files"),
                    new Absent("LANGUAGE", ""),
                    new Absent("LINKED TABLE", "; CREATE EXTERNAL TABLE reads files"),
                    new Absent("OPERATOR CLASS", ""),
                    new Absent("OPERATOR FAMILY", ""),
                    new Absent("OPERATOR", "; a function may do its work"),
                    new Absent("POLICY", ""),
                    new Absent("PUBLICATION", ""),
                    new Absent("RULE", ""),
                    new Absent("SERVER", ""),
                    new Absent("STATISTICS", "; ANALYZE looks at all columns"),
                    new Absent("SUBSCRIPTION", ""),
                    new Absent("SYNONYM", "; a view may be another name"),
                    new Absent("TABLESPACE", ""),
                    new Absent("TEXT SEARCH", "; CREATE SEARCH INDEX finds words"),
                    new Absent("TRANSFORM", ""),
                    new Absent("USER MAPPING", ""));

    private AbsentKinds() {}

    /// Parses DROP ... IF EXISTS of such an object, if it begins here. Other definitions of one are refused.
    static @Nullable Statement ignored(TokenReader tokens, int position) {
        boolean drop = tokens.peek().is(Keyword.DROP);
        if (!drop && !tokens.peek().is(Keyword.CREATE) && !tokens.atWord(0, "ALTER")) {
            return null;
        }
        int first = 1;
        if (tokens.peek(1).is(Keyword.OR) && tokens.atWord(2, "REPLACE")) {
            first = 3;
        }
        while (tokens.atWord(first, "PROCEDURAL") || tokens.atWord(first, "TRUSTED")) {
            first++;
        }
        for (Absent each : ALL) {
            int behind = end(tokens, first, each.name);
            if (behind == first) {
                continue;
            }
            if (each.name.equals("TEXT SEARCH")) {
                behind++;
            }
            if (!drop || !tokens.peek(behind).is(Keyword.IF)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        tokens.peek(first).position(),
                        "There is nothing of the kind "
                                + each.name
                                + " here: leave the statement out"
                                + each.remedy);
            }
            skip(tokens);
            return new Statement.Maintain(position, List.of(), List.of());
        }
        return null;
    }

    /// Returns the place behind the words of `name` if they begin at `first`, else `first`. Every definition asks for
    /// each name, so nothing is allocated.
    private static int end(TokenReader tokens, int first, String name) {
        int from = 0;
        int at = first;
        while (from < name.length()) {
            int space = name.indexOf(' ', from);
            int length = (space < 0 ? name.length() : space) - from;
            Token token = tokens.peek(at);
            boolean same =
                    token.kind() == Token.Kind.WORD
                            && token.text().length() == length
                            && name.regionMatches(true, from, token.text(), 0, length);
            if (!same) {
                return first;
            }
            at++;
            from += length + 1;
        }
        return at;
    }

    private static void skip(TokenReader tokens) {
        while (tokens.peek().kind() != Token.Kind.END && !tokens.peek().isSymbol(";")) {
            tokens.take();
        }
    }
}
