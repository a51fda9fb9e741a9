package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.JsonCall;
import dev.oriel.sql.syntax.Expression.JsonCall.Otherwise;
import dev.oriel.sql.syntax.Expression.JsonCall.OtherwiseKind;
import dev.oriel.sql.syntax.Expression.Literal;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the functions of SQL/JSON, whose arguments are separated by keywords: `JSON_VALUE(doc, '$.a' RETURNING
/// INTEGER NULL ON EMPTY)`, `JSON_OBJECT('a' VALUE 1)`, `x IS JSON OBJECT`.
final class JsonCallParser {
    private static final Set<String> NAMES =
            Set.of(
                    "JSON_VALUE",
                    "JSON_QUERY",
                    "JSON_EXISTS",
                    "JSON_OBJECT",
                    "JSON_ARRAY",
                    "JSON_OBJECTAGG",
                    "JSON_ARRAYAGG");

    private final TokenReader tokens;
    private final TypeParser types;
    private final ExpressionParser expressions;

    /// Height of the highest tree below the call being parsed.
    private int below;

    JsonCallParser(TokenReader tokens, TypeParser types, ExpressionParser expressions) {
        this.tokens = tokens;
        this.types = types;
        this.expressions = expressions;
    }

    /// Whether `token`, followed by `next`, begins one of these functions.
    static boolean begins(Token token, Token next) {
        return next.isSymbol("(")
                && token.kind() == Token.Kind.WORD
                && NAMES.contains(token.text().toUpperCase(Locale.ROOT));
    }

    /// Parses the rest of IS JSON.
    Expression is(int position, Expression operand) {
        String kind = "VALUE";
        for (String word : List.of("VALUE", "SCALAR", "ARRAY", "OBJECT")) {
            kind = tokens.acceptWord(word) ? word : kind;
        }
        boolean unique = unique();
        return new Expression.Call(
                position,
                (unique ? Function.IS_JSON_UNIQUE : Function.IS_JSON).called(),
                List.of(operand, new Literal(position, Literal.Kind.STRING, kind)));
    }

    /// Parses one of the functions.
    Expression call() {
        int outer = below;
        below = 0;
        Token name = tokens.take();
        tokens.expect("(");
        Expression call =
                switch (name.text().toUpperCase(Locale.ROOT)) {
                    case "JSON_VALUE" -> path(name, JsonCall.Kind.VALUE);
                    case "JSON_QUERY" -> path(name, JsonCall.Kind.QUERY);
                    case "JSON_EXISTS" -> path(name, JsonCall.Kind.EXISTS);
                    case "JSON_OBJECT" -> object(name);
                    case "JSON_ARRAY" -> array(name);
                    case "JSON_OBJECTAGG" -> objectOfRows(name);
                    default -> arrayOfRows(name);
                };
        Expression grown = expressions.grown(below, call);
        below = outer;
        return grown;
    }

    private Expression part() {
        int mine = below;
        Expression part = expressions.expression();
        below = Math.max(mine, expressions.height());
        return part;
    }

    private Expression path(Token name, JsonCall.Kind kind) {
        Expression context = part();
        formatJson();
        tokens.expect(",");
        Expression path = part();
        List<JsonCall.Passed> passed = new ArrayList<>();
        if (tokens.acceptWord("PASSING")) {
            do {
                Expression value = part();
                formatJson();
                tokens.expect(Keyword.AS);
                passed.add(new JsonCall.Passed(value, tokens.name("a name").name()));
            } while (tokens.accept(","));
        }
        Type returning = kind == JsonCall.Kind.EXISTS ? null : returning();
        JsonCall.Wrapper wrapper = JsonCall.Wrapper.WITHOUT;
        boolean bare = false;
        if (kind == JsonCall.Kind.QUERY) {
            wrapper = wrapper();
            bare = quotes();
        }
        Otherwise onEmpty = null;
        Otherwise onError = null;
        Otherwise otherwise = otherwise(kind);
        if (otherwise != null && kind != JsonCall.Kind.EXISTS && tokens.acceptWord("EMPTY")) {
            onEmpty = otherwise;
            otherwise = otherwise(kind);
        }
        if (otherwise != null) {
            tokens.expectWord("ERROR");
            onError = otherwise;
        }
        tokens.expect(")");
        return new JsonCall(
                name.position(),
                kind,
                context,
                path,
                List.copyOf(passed),
                returning,
                new JsonCall.Clauses(wrapper, bare, onEmpty, onError));
    }

    /// `value`, as JSON instead of text if FORMAT JSON follows.
    private Expression formatted(Expression value) {
        return tokens.acceptWords("FORMAT", "JSON")
                ? new Expression.Cast(value.position(), value, Type.of(Type.Name.JSON))
                : value;
    }

    /// Skips an optional FORMAT JSON, which is implied.
    private void formatJson() {
        tokens.acceptWords("FORMAT", "JSON");
    }

    private @Nullable Type returning() {
        if (!tokens.peek().is(Keyword.RETURNING)) {
            return null;
        }
        tokens.take();
        Type type = types.type();
        formatJson();
        return type;
    }

    private JsonCall.Wrapper wrapper() {
        JsonCall.Wrapper wrapper = JsonCall.Wrapper.WITHOUT;
        if (tokens.accept(Keyword.WITHOUT)) {
            tokens.acceptWord("ARRAY");
        } else if (tokens.accept(Keyword.WITH)) {
            boolean conditional = tokens.acceptWord("CONDITIONAL");
            if (!conditional) {
                tokens.acceptWord("UNCONDITIONAL");
            }
            tokens.acceptWord("ARRAY");
            wrapper = conditional ? JsonCall.Wrapper.CONDITIONAL : JsonCall.Wrapper.ALWAYS;
        } else {
            return wrapper;
        }
        tokens.expectWord("WRAPPER");
        return wrapper;
    }

    /// KEEP QUOTES or OMIT QUOTES; whether it is OMIT.
    private boolean quotes() {
        boolean omit = tokens.acceptWords("OMIT", "QUOTES");
        if (omit || tokens.acceptWords("KEEP", "QUOTES")) {
            if (tokens.accept(Keyword.ON)) {
                tokens.expectWord("SCALAR");
                tokens.expectWord("STRING");
            }
        }
        return omit;
    }

    /// The clause up to ON EMPTY or ON ERROR, including ON; null if there is none.
    private @Nullable Otherwise otherwise(JsonCall.Kind kind) {
        int position = tokens.position();
        OtherwiseKind what = null;
        Expression value = null;
        boolean exists = kind == JsonCall.Kind.EXISTS;
        if (tokens.acceptWord("ERROR")) {
            what = OtherwiseKind.ERROR;
        } else if (exists) {
            what =
                    tokens.accept(Keyword.TRUE)
                            ? OtherwiseKind.TRUE
                            : tokens.accept(Keyword.FALSE)
                                    ? OtherwiseKind.FALSE
                                    : tokens.accept(Keyword.UNKNOWN) ? OtherwiseKind.NULL : null;
        } else if (tokens.accept(Keyword.NULL)) {
            what = OtherwiseKind.NULL;
        } else if (tokens.acceptWord("DEFAULT")) {
            what = OtherwiseKind.DEFAULT;
            value = part();
        } else if (kind == JsonCall.Kind.QUERY && tokens.acceptWord("EMPTY")) {
            what =
                    tokens.acceptWord("OBJECT")
                            ? OtherwiseKind.EMPTY_OBJECT
                            : OtherwiseKind.EMPTY_ARRAY;
            tokens.acceptWord("ARRAY");
        }
        if (what == null) {
            return null;
        }
        tokens.expect(Keyword.ON);
        return new Otherwise(position, what, value);
    }

    private Expression object(Token name) {
        List<Expression> members = new ArrayList<>();
        if (!atClauses()) {
            do {
                member(members);
                if (members.size() == 1) {
                    return ofArrays(name, members);
                }
            } while (tokens.accept(","));
        }
        boolean absent = absent(false);
        boolean unique = unique();
        return closed(
                name,
                absent
                        ? unique ? Function.JSON_OBJECT_ABSENT_UNIQUE : Function.JSON_OBJECT_ABSENT
                        : unique ? Function.JSON_OBJECT_UNIQUE : Function.JSON_OBJECT,
                members);
    }

    /// Whether the first argument is an array of names rather than a name.
    private boolean atArrays() {
        return tokens.peek().isSymbol(")") || tokens.peek().isSymbol(",");
    }

    /// JSON_OBJECT of one array of names and values, or of an array of each.
    private Expression ofArrays(Token name, List<Expression> members) {
        if (tokens.accept(",")) {
            members.add(part());
        }
        tokens.expect(")");
        return new Expression.Call(
                name.position(), Function.JSON_OF_PAIRS.called(), List.copyOf(members));
    }

    /// `KEY a VALUE b`, `a VALUE b` or `a : b`.
    private void member(List<Expression> members) {
        boolean word = tokens.peek().is(Keyword.KEY);
        if (word && !tokens.peek(1).isSymbol(":") && !tokens.atWord(1, "VALUE")) {
            tokens.take();
        }
        members.add(part());
        if (members.size() == 1 && atArrays()) {
            return;
        }
        if (!tokens.accept(":")) {
            tokens.expectWord("VALUE");
        }
        members.add(formatted(part()));
    }

    private Expression array(Token name) {
        List<Expression> elements = new ArrayList<>();
        if (expressions.atQuery(0)) {
            Statement.Query query = expressions.queryParser().query();
            below = Math.max(below, expressions.height());
            return closed(
                    name,
                    Function.COALESCE,
                    List.of(
                            arrayOf(name.position(), query, absent(true)),
                            new Expression.Call(
                                    name.position(), Function.JSON_ARRAY.called(), List.of())));
        }
        if (!atClauses()) {
            do {
                elements.add(formatted(part()));
            } while (tokens.accept(","));
        }
        Function function = absent(true) ? Function.JSON_ARRAY : Function.JSON_ARRAY_NULLS;
        return closed(name, function, elements);
    }

    private static Expression arrayOf(int position, Statement.Query query, boolean absent) {
        return aggregated(
                position,
                query,
                absent ? AggregateFunction.JSON_ARRAYAGG : AggregateFunction.JSON_AGG);
    }

    /// The results of `query`, which must have one column, aggregated by `kind`.
    static Expression aggregated(int position, Statement.Query query, AggregateFunction kind) {
        Statement.Identifier column = new Statement.Identifier(position, "?column?");
        Expression value = new Expression.Name(position, null, column.name());
        Expression call = new Expression.Call(position, kind.called(), List.of(value));
        return new Expression.Subquery(
                position,
                QueryParser.rows(
                        position,
                        List.of(new Statement.Item.Value(call, null)),
                        new Statement.From.Derived(position, query, null, List.of(column), false)));
    }

    /// Whether the clauses after the elements begin here, without any element.
    private boolean atClauses() {
        Token token = tokens.peek();
        boolean nulls =
                token.is(Keyword.NULL)
                        && tokens.peek(1).is(Keyword.ON)
                        && tokens.peek(2).is(Keyword.NULL);
        return token.isSymbol(")")
                || nulls
                || tokens.atWord(0, "ABSENT")
                || token.is(Keyword.RETURNING);
    }

    private Expression closed(Token name, Function function, List<Expression> arguments) {
        return closed(name, new Expression.Call(name.position(), function.called(), arguments));
    }

    /// `call` after its RETURNING and parenthesis.
    private Expression closed(Token name, Expression call) {
        Type returning = returning();
        tokens.expect(")");
        return returning == null || returning.name() == Type.Name.JSON
                ? call
                : new Expression.Cast(name.position(), call, returning);
    }

    private Expression objectOfRows(Token name) {
        List<Expression> member = new ArrayList<>();
        member(member);
        boolean absent = absent(false);
        boolean unique = unique();
        Type returning = returning();
        tokens.expect(")");
        AggregateFunction kind =
                absent ? AggregateFunction.JSON_OBJECTAGG_ABSENT : AggregateFunction.JSON_OBJECTAGG;
        if (unique) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "JSON_OBJECTAGG does not know WITH UNIQUE KEYS: the last value of a name stays");
        }
        return aggregate(name, kind, member, List.of(), returning);
    }

    private Expression arrayOfRows(Token name) {
        boolean distinct = tokens.accept(Keyword.DISTINCT);
        if (distinct) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "JSON_ARRAYAGG does not know DISTINCT; JSON_AGG does");
        }
        Expression value = formatted(part());
        List<Statement.Order> order = List.of();
        if (expressions.queryParser().acceptBy(Keyword.ORDER)) {
            int mine = below;
            order = expressions.queryParser().orders();
            below = Math.max(mine, expressions.height());
        }
        AggregateFunction kind =
                absent(true) ? AggregateFunction.JSON_ARRAYAGG : AggregateFunction.JSON_AGG;
        Type returning = returning();
        tokens.expect(")");
        return aggregate(name, kind, List.of(value), order, returning);
    }

    private Expression aggregate(
            Token name,
            AggregateFunction kind,
            List<Expression> arguments,
            List<Statement.Order> order,
            @Nullable Type returning) {
        int mine = below;
        Expression.Extras extras = expressions.queryParser().windows().extras(order);
        below = Math.max(mine, expressions.height());
        Expression call =
                new Expression.Call(
                        name.position(),
                        kind.called(),
                        List.copyOf(arguments),
                        false,
                        false,
                        extras);
        return returning == null || returning.name() == Type.Name.JSON
                ? call
                : new Expression.Cast(name.position(), call, returning);
    }

    /// NULL ON NULL or ABSENT ON NULL; whether NULLs are left out.
    private boolean absent(boolean usual) {
        if (tokens.acceptWord("ABSENT")) {
            tokens.expect(Keyword.ON);
            tokens.expect(Keyword.NULL);
            return true;
        }
        if (tokens.accept(Keyword.NULL)) {
            tokens.expect(Keyword.ON);
            tokens.expect(Keyword.NULL);
            return false;
        }
        return usual;
    }

    /// WITH UNIQUE KEYS or WITHOUT UNIQUE KEYS; whether it is WITH.
    private boolean unique() {
        boolean with = tokens.peek().is(Keyword.WITH) && tokens.peek(1).is(Keyword.UNIQUE);
        boolean without = tokens.peek().is(Keyword.WITHOUT) && tokens.peek(1).is(Keyword.UNIQUE);
        if (with || without) {
            tokens.take();
            tokens.take();
            tokens.acceptWord("KEYS");
        }
        return with;
    }
}
