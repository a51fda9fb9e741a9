package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Arguments of a call given by name, as in `MAKE_INTERVAL(days => 10)`, put into the order of the parameters. The
/// names are PostgreSQL's.
public final class NamedArguments {
    private static final String OF_PATH = "target path vars='{}' silent=FALSE";

    /// The parameters of the functions that name them, each with its default after `=`. An empty default is one
    /// that is left out.
    private static final Map<String, String> PARAMETERS =
            Map.ofEntries(
                    Map.entry("make_date", "year month day"),
                    Map.entry("make_time", "hour min sec"),
                    Map.entry("make_timestamp", "year month mday hour min sec"),
                    Map.entry("make_timestamptz", "year month mday hour min sec timezone="),
                    Map.entry(
                            "make_interval",
                            "years=0 months=0 weeks=0 days=0 hours=0 mins=0 secs=0"),
                    Map.entry("parse_ident", "str strict=TRUE"),
                    Map.entry("jsonb_set", "jsonb_in path replacement create_if_missing=TRUE"),
                    Map.entry(
                            "jsonb_set_lax",
                            "jsonb_in path replacement create_if_missing=TRUE"
                                    + " null_value_treatment='use_json_null'"),
                    Map.entry("jsonb_insert", "jsonb_in path replacement insert_after=FALSE"),
                    Map.entry("jsonb_path_exists", OF_PATH),
                    Map.entry("jsonb_path_match", OF_PATH),
                    Map.entry("jsonb_path_query", OF_PATH),
                    Map.entry("jsonb_path_query_array", OF_PATH),
                    Map.entry("jsonb_path_query_first", OF_PATH),
                    Map.entry("jsonb_path_exists_tz", OF_PATH),
                    Map.entry("jsonb_path_match_tz", OF_PATH),
                    Map.entry("jsonb_path_query_tz", OF_PATH),
                    Map.entry("jsonb_path_query_array_tz", OF_PATH),
                    Map.entry("jsonb_path_query_first_tz", OF_PATH),
                    Map.entry("json_array_elements", "from_json"),
                    Map.entry("json_array_elements_text", "from_json"),
                    Map.entry("json_each", "from_json"),
                    Map.entry("json_each_text", "from_json"),
                    Map.entry("jsonb_array_elements", "from_json"),
                    Map.entry("jsonb_array_elements_text", "from_json"),
                    Map.entry("jsonb_each", "from_json"),
                    Map.entry("jsonb_each_text", "from_json"));

    /// Name of the call that stands for an argument with a name, of a function that a user defines: its arguments are
    /// the name and the value.
    private static final String NAMED = "? NAMED";

    private final TokenReader tokens;
    private final Token function;
    private final List<Expression> inOrder = new ArrayList<>();
    private final Map<String, Expression> byName = new HashMap<>();
    private final List<Token> names = new ArrayList<>();

    NamedArguments(TokenReader tokens, Token function) {
        this.tokens = tokens;
        this.function = function;
    }

    /// Reads `name =>` or `name :=`, if it is next.
    @Nullable Token name() {
        Token name = tokens.peek();
        Token first = tokens.peek(1);
        Token second = tokens.peek(2);
        boolean arrow = first.isSymbol("=") && second.isSymbol(">");
        boolean assigns = first.isSymbol(":") && second.isSymbol("=");
        boolean word = name.kind() == Token.Kind.WORD || name.kind() == Token.Kind.QUOTED;
        if (!word || !(arrow || assigns) || second.position() != first.position() + 1) {
            return null;
        }
        tokens.take();
        tokens.take();
        tokens.take();
        return name;
    }

    /// Notes an argument.
    void add(@Nullable Token name, Expression value) {
        if (name == null) {
            if (!names.isEmpty()) {
                throw tokens.error(
                        Kind.SYNTAX,
                        value.position(),
                        "An argument without a name follows one with a name; write it first");
            }
            inOrder.add(value);
            return;
        }
        names.add(name);
        String key = key(name);
        if (byName.put(key, value) != null) {
            throw tokens.error(
                    Kind.SYNTAX, name.position(), "The argument \"" + key + "\" is given twice");
        }
    }

    private static String key(Token name) {
        return name.kind() == Token.Kind.QUOTED
                ? name.text()
                : name.text().toLowerCase(Locale.ROOT);
    }

    /// All arguments in the order of the parameters, with defaults for those left out before the last one given.
    List<Expression> ordered() {
        if (names.isEmpty()) {
            return List.copyOf(inOrder);
        }
        String called = function.text().toLowerCase(Locale.ROOT);
        String known = PARAMETERS.get(called);
        if (known == null && !isBuiltIn(called)) {
            return withNames();
        }
        if (known == null) {
            throw tokens.error(
                    Kind.UNKNOWN_FUNCTION,
                    names.getFirst().position(),
                    "The arguments of \"" + called + "\" have no names; write them in order");
        }
        String[] parameters = known.split(" ", -1);
        List<Expression> all = new ArrayList<>(inOrder);
        for (int i = inOrder.size(); i < parameters.length; i++) {
            int end = parameters[i].indexOf('=');
            String name = end < 0 ? parameters[i] : parameters[i].substring(0, end);
            Expression value = byName.remove(name);
            if (value == null && end < 0 && allKnown(known)) {
                throw tokens.error(
                        Kind.UNKNOWN_FUNCTION,
                        function.position(),
                        "\"" + called + "\" needs its argument \"" + name + "\"");
            }
            if (value == null && end >= 0 && !byName.isEmpty()) {
                value = otherwise(parameters[i].substring(end + 1));
            }
            if (value != null) {
                all.add(value);
            }
        }
        for (Token name : names) {
            if (byName.containsKey(key(name))) {
                throw tokens.error(
                        Kind.UNKNOWN_FUNCTION,
                        name.position(),
                        "\""
                                + called
                                + "\" has no other argument \""
                                + key(name)
                                + "\"; its arguments are "
                                + withoutDefaults(known).replace(" ", ", "));
            }
        }
        return List.copyOf(all);
    }

    private static boolean isBuiltIn(String function) {
        return Function.of(function) != null
                || AggregateFunction.of(function) != null
                || WindowFunction.of(function) != null
                || RowsFunction.of(function) != null;
    }

    private List<Expression> withNames() {
        List<Expression> all = new ArrayList<>(inOrder);
        for (Token name : names) {
            Expression text =
                    new Expression.Literal(
                            name.position(), Expression.Literal.Kind.STRING, key(name));
            Expression value = byName.get(key(name));
            all.add(new Expression.Call(name.position(), NAMED, List.of(text, value)));
        }
        return List.copyOf(all);
    }

    /// The name of `argument`; null if it has none.
    public static @Nullable String name(Expression argument) {
        return argument instanceof Expression.Call call && call.name().equals(NAMED)
                ? ((Expression.Literal) call.arguments().getFirst()).text()
                : null;
    }

    /// The value of `argument`, with or without a name.
    public static Expression value(Expression argument) {
        return name(argument) == null ? argument : ((Expression.Call) argument).arguments().get(1);
    }

    /// Whether all names given are names of parameters.
    private boolean allKnown(String known) {
        List<String> parameters = List.of(withoutDefaults(known).split(" ", -1));
        return names.stream().map(NamedArguments::key).allMatch(parameters::contains);
    }

    private static String withoutDefaults(String parameters) {
        return parameters.replaceAll("=[^ ]*", "");
    }

    /// The default that `text` says; null if there is none.
    private @Nullable Expression otherwise(String text) {
        int position = function.position();
        if (text.isEmpty()) {
            return null;
        }
        if (text.startsWith("'")) {
            String inner = text.substring(1, text.length() - 1);
            return new Expression.Literal(position, Expression.Literal.Kind.STRING, inner);
        }
        return new Expression.Literal(
                position,
                text.equals("0")
                        ? Expression.Literal.Kind.INTEGER
                        : Expression.Literal.Kind.BOOLEAN,
                text);
    }
}
