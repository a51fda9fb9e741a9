package dev.oriel.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Advice for statements and names of other systems that are written differently here. Advice must surely fit the
/// statement: following it must not change which rows are read or changed.
public final class Habits {
    private static final String GRAPHS =
            "graphs are asked in Gremlin, by OrielGraph or by oriel gremlin, and their tables by"
                    + " SELECT";

    private static final Pattern CYPHER =
            Pattern.compile(
                    "\\s*(?:(?:OPTIONAL\\s+)?MATCH\\b|(?:CREATE|MERGE)\\s*\\().*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /// By the first word of a statement.
    private static final Map<String, String> STATEMENTS =
            Map.ofEntries(
                    Map.entry(
                            "USE",
                            "connect to another database by its URL, or choose a schema by SET"
                                    + " SCHEMA name"),
                    Map.entry(
                            "PRAGMA",
                            "settings are in sys.settings, tables and columns in"
                                    + " information_schema"),
                    Map.entry("MATCH", GRAPHS));

    /// Functions, by their names in lower case.
    private static final Map<String, String> FUNCTIONS =
            Map.ofEntries(
                    Map.entry("convert", "write CAST(value AS type)"),
                    Map.entry("date_format", "write TO_CHAR(time, 'YYYY-MM-DD')"),
                    Map.entry("from_unixtime", "write TO_TIMESTAMP(seconds)"),
                    Map.entry("identity", "write INSERT ... RETURNING id"),
                    Map.entry("isnull", "write COALESCE(a, b), or a IS NULL"),
                    Map.entry("json_extract", "write JSON_VALUE(json, '$.path')"),
                    Map.entry("last_insert_id", "write INSERT ... RETURNING id"),
                    Map.entry("last_insert_rowid", "write INSERT ... RETURNING id"),
                    Map.entry("scope_identity", "write INSERT ... RETURNING id"),
                    Map.entry("str_to_date", "write TO_DATE(text, 'YYYY-MM-DD')"),
                    Map.entry("strftime", "write TO_CHAR(time, 'YYYY-MM-DD')"),
                    Map.entry("systimestamp", "write CURRENT_TIMESTAMP"),
                    Map.entry("top", "write LIMIT n at the end of the SELECT"),
                    Map.entry("unix_timestamp", "write EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)"));

    /// Functions of other systems that are written without parentheses, like columns.
    private static final Map<String, String> COLUMNS =
            Map.of(
                    "sysdate", "write LOCALTIMESTAMP",
                    "systimestamp", "write CURRENT_TIMESTAMP");

    private static final Set<String> CLAUSES =
            Set.of("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER");

    private static final Set<String> COMBINING = Set.of("UNION", "INTERSECT", "EXCEPT");

    private static final Set<String> WITHOUT_PARENTHESES =
            Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP");

    /// The rules for a token inside a statement, the first that speaks counts.
    private static final List<Function<Spot, @Nullable Advice>> RULES =
            List.of(
                    Habits::afterFirstWord,
                    Habits::brackets,
                    Habits::noValues,
                    Habits::insert,
                    Habits::alterColumn,
                    Habits::parentheses);

    private Habits() {}

    /// A message, and the position in the statement at which it points.
    public record Advice(int position, String message) {}

    /// Advice for a function that does not exist, after a semicolon; empty if there is none.
    static String ofFunction(String name) {
        return hint(FUNCTIONS.get(name.toLowerCase(Locale.ROOT)));
    }

    /// The same for the column `name` at `position` of `source`.
    public static String ofColumn(SqlText source, int position, String name) {
        if (!name.equalsIgnoreCase("rownum")) {
            return hint(COLUMNS.get(name.toLowerCase(Locale.ROOT)));
        }
        List<Token> tokens = Lexer.tokens(source);
        Spot spot = spot(tokens, position);
        return switch (spot.clause()) {
            case "SELECT" -> hint("write ROW_NUMBER() OVER ()");
            case "WHERE" ->
                    spot.isOneSelect() ? hint("write LIMIT n at the end of the SELECT") : "";
            default -> "";
        };
    }

    /// Advice for SHOW of objects, whose kind stands at `position`; null if it is a setting.
    public static @Nullable String ofShow(List<Token> tokens, int position) {
        Spot spot = spot(tokens, position);
        String word = spot.word(0);
        boolean from = spot.word(1).equals("FROM") || spot.word(1).equals("IN");
        return switch (word) {
            case "TABLES" ->
                    "SHOW shows settings; write SELECT table_schema, table_name FROM"
                            + " information_schema.tables"
                            + (from && spot.token(2).isName() && spot.ends(3)
                                    ? " WHERE" + same("table_schema", spot.token(2))
                                    : "");
            case "COLUMNS", "FIELDS" ->
                    "SHOW shows settings; "
                            + (from
                                    ? columnsOf(spot, 2)
                                    : "columns are listed in information_schema.columns");
            case "INDEX", "INDEXES", "INDICES", "KEYS" ->
                    "SHOW shows settings; write SELECT * FROM sys.indexes"
                            + (from && spot.token(2).isName() && spot.ends(3)
                                    ? " WHERE" + same("table_name", spot.token(2))
                                    : "");
            case "DATABASES", "SCHEMAS" ->
                    "SHOW shows settings; write SELECT schema_name FROM"
                            + " information_schema.schemata";
            case "PROCESSLIST", "SESSIONS" ->
                    "SHOW shows settings; write SELECT * FROM sys.sessions";
            case "FUNCTIONS", "PROCEDURES" ->
                    "SHOW shows settings; write SELECT * FROM information_schema.routines";
            default -> null;
        };
    }

    /// Advice for a text that is Cypher rather than SQL, after a semicolon; empty if it is not.
    public static String ofGraph(String text) {
        return CYPHER.matcher(text).matches() ? hint(GRAPHS) : "";
    }

    /// Advice for the token at `at`, at which `tokens` stop to be a statement; null if there is none.
    public static @Nullable Advice advice(List<Token> tokens, int at) {
        Spot spot = new Spot(tokens, at);
        if (at == 0) {
            String advice = statement(spot);
            return advice == null
                    ? null
                    : spot.advice(
                            0, "There is no statement " + spot.token(0).text() + "; " + advice);
        }
        for (Function<Spot, @Nullable Advice> rule : RULES) {
            Advice advice = rule.apply(spot);
            if (advice != null) {
                return advice;
            }
        }
        return null;
    }

    private static @Nullable String statement(Spot spot) {
        String word = spot.word(0);
        String next = spot.word(1);
        return switch (word) {
            case "DESCRIBE", "DESC" ->
                    next.equals("SELECT") || next.equals("WITH")
                            ? "write EXPLAIN"
                            : columnsOf(spot, next.equals("TABLE") ? 2 : 1);
            case "G" ->
                    spot.token(1).isSymbol(".")
                            ? "run Gremlin by OrielGraph or by oriel gremlin"
                            : null;
            case "OPTIONAL" -> next.equals("MATCH") ? GRAPHS : null;
            default -> STATEMENTS.get(word);
        };
    }

    /// A query that lists the columns of the table named `ahead`.
    private static String columnsOf(Spot spot, int ahead) {
        boolean named = spot.token(ahead).isName();
        boolean qualified = named && spot.token(ahead + 1).isSymbol(".");
        int last = qualified ? ahead + 2 : ahead;
        if (!spot.token(last).isName() || !spot.ends(last + 1)) {
            return "columns are listed in information_schema.columns";
        }
        return "write SELECT column_name, data_type FROM information_schema.columns WHERE"
                + (qualified ? same("table_schema", spot.token(ahead)) + " AND" : "")
                + same("table_name", spot.token(last));
    }

    /// The condition that finds a name, which is kept in the letters in which it was created.
    private static String same(String column, Token name) {
        String text = name.text().toLowerCase(Locale.ROOT).replace("'", "''");
        return " LOWER(" + column + ") = '" + text + "'";
    }

    private static @Nullable Advice afterFirstWord(Spot spot) {
        if (spot.at() != spot.begin() + 1) {
            return null;
        }
        Token found = spot.token(0);
        String word = spot.word(0);
        String message =
                switch (spot.word(-1)) {
                    case "EXPLAIN" ->
                            word.equals("EXPLAIN")
                                    ? "EXPLAIN explains no EXPLAIN; leave one out"
                                    : null;
                    case "SHOW" ->
                            word.equals("CREATE") && spot.word(1).equals("TABLE")
                                    ? "SHOW has no CREATE; columns are in information_schema,"
                                            + " indexes in information_schema.indexes"
                                    : null;
                    case "DELETE" ->
                            found.isName() && (spot.ends(1) || spot.word(1).equals("WHERE"))
                                    ? "DELETE needs FROM; write DELETE FROM " + written(found)
                                    : null;
                    case "CREATE", "MERGE" ->
                            found.isSymbol("(")
                                    ? spot.word(-1) + " (...) is Cypher; " + GRAPHS
                                    : null;
                    default -> null;
                };
        return message == null ? null : spot.advice(0, message);
    }

    private static @Nullable Advice brackets(Spot spot) {
        boolean quoting =
                spot.token(0).isSymbol("[")
                        && spot.token(1).isName()
                        && spot.token(2).isSymbol("]");
        return quoting
                ? spot.advice(
                        0,
                        "Brackets quote no name; write \""
                                + spot.token(1).text()
                                + "\" in double quotes")
                : null;
    }

    /// IN of nothing is FALSE, and NOT IN of nothing is TRUE: neither is the same as no condition.
    private static @Nullable Advice noValues(Spot spot) {
        boolean empty =
                spot.token(0).isSymbol(")")
                        && spot.token(-1).isSymbol("(")
                        && spot.word(-2).equals("IN");
        if (!empty) {
            return null;
        }
        return spot.advice(
                0,
                spot.word(-3).equals("NOT")
                        ? "NOT IN needs a value; for an array write <> ALL (?)"
                        : "IN needs a value; for an array write = ANY (?)");
    }

    private static @Nullable Advice insert(Spot spot) {
        String start = spot.word(spot.begin() - spot.at());
        boolean inserts = start.equals("INSERT") || start.equals("UPSERT");
        if (!inserts || spot.hasBefore("VALUES") || spot.hasBefore("SELECT")) {
            return null;
        }
        boolean named = spot.token(-1).isName();
        return spot.word(0).equals("VALUE")
                        && spot.token(1).isSymbol("(")
                        && (named || spot.token(-1).isSymbol(")"))
                ? spot.advice(0, start + " has no VALUE; write VALUES")
                : null;
    }

    private static @Nullable Advice alterColumn(Spot spot) {
        int start = spot.begin() - spot.at();
        String word = spot.word(0);
        boolean here =
                (word.equals("MODIFY") || word.equals("CHANGE"))
                        && spot.word(start).equals("ALTER")
                        && spot.word(start + 1).equals("TABLE")
                        && (spot.token(-1).isName() || spot.token(-1).isSymbol(","));
        return here
                ? spot.advice(
                        0,
                        "ALTER TABLE has no "
                                + word
                                + "; write ALTER COLUMN name SET DATA TYPE type, or RENAME COLUMN")
                : null;
    }

    private static @Nullable Advice parentheses(Spot spot) {
        int open = spot.token(0).isSymbol(")") ? -1 : 0;
        String name = spot.word(open - 1);
        return spot.token(open).isSymbol("(")
                        && spot.token(open + 1).isSymbol(")")
                        && WITHOUT_PARENTHESES.contains(name)
                ? spot.advice(open, name + " takes no empty parentheses; leave them out")
                : null;
    }

    private static Spot spot(List<Token> tokens, int position) {
        int at = 0;
        while (at < tokens.size() - 1 && tokens.get(at).position() < position) {
            at++;
        }
        return new Spot(tokens, at);
    }

    private static String hint(@Nullable String advice) {
        return advice == null ? "" : "; " + advice;
    }

    private static String written(Token name) {
        return name.kind() == Token.Kind.QUOTED
                ? "\"" + name.text().replace("\"", "\"\"") + "\""
                : name.text();
    }

    private static String word(Token token) {
        return token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
    }

    /// The token at `at` and its neighbours; END stands for those outside the statement.
    private record Spot(List<Token> tokens, int at) {
        private static final Token NONE = new Token(Token.Kind.END, "", 0, null);

        Token token(int ahead) {
            int index = at + ahead;
            return index < 0 || index >= tokens.size() ? NONE : tokens.get(index);
        }

        String word(int ahead) {
            return Habits.word(token(ahead));
        }

        boolean ends(int ahead) {
            return token(ahead).kind() == Token.Kind.END || token(ahead).isSymbol(";");
        }

        /// Whether no other SELECT is combined with one: LIMIT would be of all.
        boolean isOneSelect() {
            return tokens.stream().map(Habits::word).noneMatch(COMBINING::contains);
        }

        /// The first word of the clause of a SELECT that the token is in; empty if it is in another statement.
        String clause() {
            Deque<String> clauses = new ArrayDeque<>(List.of(""));
            for (Token token : tokens.subList(0, at)) {
                String word = Habits.word(token);
                if (word.equals("UPDATE") || word.equals("DELETE")) {
                    return "";
                } else if (token.isSymbol("(")) {
                    clauses.push(Objects.requireNonNullElse(clauses.peek(), ""));
                } else if (token.isSymbol(")")) {
                    clauses.poll();
                } else if (CLAUSES.contains(word) && !clauses.isEmpty()) {
                    clauses.pop();
                    clauses.push(word);
                }
            }
            return Objects.requireNonNullElse(clauses.peek(), "");
        }

        boolean hasBefore(String word) {
            return tokens.subList(0, at).stream().anyMatch(t -> Habits.word(t).equals(word));
        }

        /// Index of the first word of the statement; after EXPLAIN, that of the explained statement.
        int begin() {
            int begin = 0;
            while (begin + 1 < at
                    && (word(begin - at).equals("EXPLAIN") || word(begin - at).equals("ANALYZE"))) {
                begin++;
            }
            return begin;
        }

        Advice advice(int ahead, String message) {
            return new Advice(token(ahead).position(), message);
        }
    }
}
