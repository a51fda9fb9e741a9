package dev.oriel.sql.text;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Advice for statements and names that other systems know, and this one writes differently.
public final class Habits {
    /// By the first word of a statement.
    private static final Map<String, String> STATEMENTS =
            Map.ofEntries(
                    Map.entry("DESCRIBE", "write " + columnsOf("...")),
                    Map.entry("DESC", "write " + columnsOf("...")),
                    Map.entry(
                            "USE",
                            "connect to another database by its URL, or choose a schema by SET"
                                    + " SCHEMA name"),
                    Map.entry("REPLACE", "write UPSERT INTO table VALUES (...)"),
                    Map.entry(
                            "PRAGMA",
                            "settings are in sys.settings, tables and columns in"
                                    + " information_schema"),
                    Map.entry("LOCK", "lock rows by SELECT ... FOR UPDATE"),
                    Map.entry(
                            "MATCH",
                            "graphs are asked in Gremlin, by OrielGraph or by oriel gremlin, and"
                                    + " their tables by SELECT"),
                    Map.entry("G", "run Gremlin by OrielGraph or by oriel gremlin"));

    /// Functions and columns, by their names in lower case.
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("charindex", "write POSITION(part IN text)"),
                    Map.entry("convert", "write CAST(value AS type)"),
                    Map.entry("curdate", "write CURRENT_DATE"),
                    Map.entry("database", "write CURRENT_DATABASE()"),
                    Map.entry("date_format", "write TO_CHAR(time, 'YYYY-MM-DD')"),
                    Map.entry("dual", "a SELECT needs no FROM"),
                    Map.entry("from_unixtime", "write TO_TIMESTAMP(seconds)"),
                    Map.entry("getdate", "write CURRENT_TIMESTAMP"),
                    Map.entry("group_concat", "write STRING_AGG(text, ',')"),
                    Map.entry("identity", "write INSERT ... RETURNING id"),
                    Map.entry("iif", "write CASE WHEN condition THEN a ELSE b END"),
                    Map.entry("isnull", "write COALESCE(a, b), or a IS NULL"),
                    Map.entry("json_extract", "write JSON_VALUE(json, '$.path')"),
                    Map.entry("last_insert_id", "write INSERT ... RETURNING id"),
                    Map.entry("last_insert_rowid", "write INSERT ... RETURNING id"),
                    Map.entry("newid", "write GEN_RANDOM_UUID()"),
                    Map.entry("rand", "write RANDOM()"),
                    Map.entry("rownum", "write LIMIT n, or ROW_NUMBER() OVER ()"),
                    Map.entry("scope_identity", "write INSERT ... RETURNING id"),
                    Map.entry("str_to_date", "write TO_DATE(text, 'YYYY-MM-DD')"),
                    Map.entry("strftime", "write TO_CHAR(time, 'YYYY-MM-DD')"),
                    Map.entry("sysdate", "write CURRENT_TIMESTAMP"),
                    Map.entry("systimestamp", "write CURRENT_TIMESTAMP"),
                    Map.entry("unix_timestamp", "write EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)"),
                    Map.entry("uuid", "write GEN_RANDOM_UUID()"),
                    Map.entry("year", "write EXTRACT(YEAR FROM time)"));

    private Habits() {}

    /// Advice for a name that means nothing, after a semicolon; empty if there is none.
    static String ofName(String name) {
        String advice = NAMES.get(name.toLowerCase(Locale.ROOT));
        return advice == null ? "" : "; " + advice;
    }

    /// The message for the token at `at`, at which `tokens` stop to be a statement; empty if there is no advice.
    public static String advice(List<Token> tokens, int at) {
        Token found = tokens.get(at);
        String word = word(found);
        if (at == 0) {
            String advice = STATEMENTS.getOrDefault(word, "");
            boolean table = word.startsWith("DESC") && tokens.get(1).isName();
            return advice.isEmpty()
                    ? ""
                    : "There is no statement "
                            + found.text()
                            + "; "
                            + (table ? advice.replace("...", tokens.get(1).text()) : advice);
        }
        Token before = tokens.get(at - 1);
        String start = word(tokens.getFirst());
        return switch (word(before)) {
            case "TOP" -> found.kind() == Token.Kind.INTEGER ? limitOf(found.text()) : "";
            case "EXPLAIN" -> word.equals("PLAN") ? "EXPLAIN has no PLAN FOR; leave it out" : "";
            case "SHOW" ->
                    word.equals("CREATE")
                            ? "SHOW has no CREATE; columns are in information_schema, indexes in"
                                    + " information_schema.indexes"
                            : "";
            case "DELETE" ->
                    found.isName() ? "DELETE needs FROM; write DELETE FROM " + found.text() : "";
            default -> inside(tokens, at, start, word);
        };
    }

    private static String inside(List<Token> tokens, int at, String start, String word) {
        Token found = tokens.get(at);
        Token before = tokens.get(at - 1);
        if (found.isSymbol("=") && before.isSymbol("=")) {
            return "\"==\" is not an operator; write \"=\"";
        }
        if (found.isSymbol("[")
                && at + 2 < tokens.size()
                && tokens.get(at + 1).isName()
                && tokens.get(at + 2).isSymbol("]")) {
            String name = tokens.get(at + 1).text();
            return "Brackets quote no name; write \"" + name + "\" in double quotes";
        }
        if (found.isSymbol(")")
                && before.isSymbol("(")
                && at > 1
                && word(tokens.get(at - 2)).equals("IN")) {
            return "IN needs a value; leave the condition out, or write = ANY (?) with an array";
        }
        if (found.isSymbol(",") && at > 1 && word(tokens.get(at - 2)).equals("LIMIT")) {
            return "LIMIT takes one number; write LIMIT %s OFFSET %s"
                    .formatted(
                            tokens.get(Math.min(at + 1, tokens.size() - 1)).text(), before.text());
        }
        return switch (start + " " + word) {
            case "INSERT SET" -> "INSERT has no SET; write INSERT INTO table (column) VALUES (...)";
            case "INSERT VALUE" -> "INSERT has no VALUE; write VALUES";
            case "ALTER MODIFY", "ALTER CHANGE" ->
                    "ALTER TABLE has no "
                            + word
                            + "; write ALTER COLUMN name SET DATA TYPE type, or RENAME COLUMN";
            default -> "";
        };
    }

    private static String limitOf(String rows) {
        return "SELECT has no TOP; write LIMIT " + rows + " at the end";
    }

    private static String columnsOf(String table) {
        return "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '"
                + table
                + "'";
    }

    private static String word(Token token) {
        return token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
    }
}
