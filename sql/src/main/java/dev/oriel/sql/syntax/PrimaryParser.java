package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses primary expressions: constants, names, calls, and everything in parentheses.
final class PrimaryParser {
    /// Aggregates of other databases that stand for some of ours; see [OtherAggregates].
    private static final Set<String> OTHER_AGGREGATES =
            Set.of(
                    "APPROX_COUNT_DISTINCT",
                    "APPROX_DISTINCT",
                    "APPROX_MEDIAN",
                    "APPROX_PERCENTILE_CONT",
                    "ARG_MAX",
                    "ARG_MIN",
                    "BIT_NAND_AGG",
                    "BIT_NOR_AGG",
                    "BIT_XNOR_AGG",
                    "BIT_XOR_AGG",
                    "COUNTIF",
                    "COUNT_IF",
                    "GROUPING_ID",
                    "GROUP_CONCAT",
                    "LISTAGG",
                    "MAX_BY",
                    "MEDIAN",
                    "PERCENTILE_CONT",
                    "PERCENTILE_DISC",
                    "QUANTILE_CONT",
                    "MIN_BY",
                    "MODE",
                    "STATS_MODE");

    /// Aggregates and window functions of which [OtherAggregates] reads one form: with several arguments, or with
    /// WITHIN GROUP.
    private static final Set<String> OTHER_FORMS =
            Set.of("COUNT", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST");

    /// Window functions that are values of a row of a group, too.
    private static final Set<String> OF_ROWS = Set.of("FIRST_VALUE", "LAST_VALUE", "NTH_VALUE");

    private final TokenReader tokens;
    private final TypeParser types;
    private final JsonCallParser json;
    private final ExpressionParser expressions;

    /// Whether the last argument parsed follows VARIADIC.
    private boolean variadic;

    PrimaryParser(
            TokenReader tokens,
            TypeParser types,
            JsonCallParser json,
            ExpressionParser expressions) {
        this.tokens = tokens;
        this.types = types;
        this.json = json;
        this.expressions = expressions;
    }

    Expression primary() {
        Token token = tokens.peek();
        expressions.height(1);
        return switch (token.kind()) {
            case INTEGER -> literal(Expression.Literal.Kind.INTEGER);
            case DECIMAL -> literal(Expression.Literal.Kind.DECIMAL);
            case DOUBLE -> literal(Expression.Literal.Kind.DOUBLE);
            case STRING -> literal(Expression.Literal.Kind.STRING);
            case BYTES -> literal(Expression.Literal.Kind.BYTES);
            case PARAMETER -> {
                if (token.text().length() > 1) {
                    throw tokens.error(
                            SqlException.Kind.SYNTAX,
                            token.position(),
                            token.text()
                                    + " is a parameter of PREPARE; elsewhere a parameter is \"?\"");
                }
                tokens.take();
                yield expressions.parameter(token.position());
            }
            case SYMBOL -> {
                if (token.isSymbol("[") && ArrayForms.begins(tokens)) {
                    yield ArrayForms.listed(tokens, expressions, token.position());
                }
                if (!token.text().equals("(")) {
                    throw noExpression();
                }
                tokens.take();
                if (expressions.atQuery(0)) {
                    Expression query =
                            new Expression.Subquery(token.position(), expressions.subquery());
                    yield tokens.peek().isSymbol(".") ? member(query) : query;
                }
                Expression inner = expressions.expression();
                Expression whole =
                        tokens.peek().isSymbol(",") ? rowValue(token.position(), inner) : inner;
                tokens.expect(")");
                yield tokens.peek().isSymbol(".") ? member(whole) : whole;
            }
            case QUOTED -> name();
            case WORD -> token.keyword() == null ? word(token) : keyword(token, token.keyword());
            case END -> throw noExpression();
        };
    }

    /// A name, or a form that begins with a non-reserved word.
    private Expression word(Token token) {
        Token next = tokens.peek(1);
        return switch (token.text().toUpperCase(Locale.ROOT)) {
            case "EXTRACT" ->
                    next.isSymbol("(") && tokens.peek(3).is(Keyword.FROM) ? extract() : name();
            case "POSITION" -> next.isSymbol("(") ? position() : name();
            case "OVERLAY" -> next.isSymbol("(") ? overlay() : name();
            case "CONVERT" ->
                    OtherForms.atConvert(tokens)
                            ? new OtherForms(tokens, expressions).convert(types)
                            : name();
            case "INTERVAL" -> isInterval(next) ? signedInterval() : name();
            case "B" -> isBits(token, next) ? bits() : name();
            case "JSON", "JSONB", "UUID", "BYTEA" ->
                    next.kind() == Token.Kind.STRING ? typed() : name();
            case "TIMESTAMPTZ" ->
                    tokens.peek(behindType()).kind() == Token.Kind.STRING ? typed() : name();
            case "LOCALTIME" -> next.isSymbol(".") ? name() : localTime();
            case "JSONPATH" -> next.kind() == Token.Kind.STRING ? path() : name();
            default -> {
                boolean two = tokens.atWord(1, "PRECISION") || tokens.atWord(1, "VARYING");
                int behind = two ? 2 : behindType();
                boolean text = tokens.peek(behind).kind() == Token.Kind.STRING;
                if (text
                        && (TypeParser.isName(token.text())
                                || tokens.types().named(token.text()) != null)) {
                    yield typed();
                }
                yield JsonCallParser.begins(token, next) ? json.call() : name();
            }
        };
    }

    /// LOCALTIME, the time of LOCALTIMESTAMP.
    private Expression localTime() {
        int position = tokens.take().position();
        Expression now = new Expression.Call(position, Keyword.LOCALTIMESTAMP.name(), List.of());
        Type type = Type.temporal(Type.Name.TIME, types.secondDigits());
        return expressions.grown(1, new Expression.Cast(position, now, type));
    }

    /// `JSONPATH 'text'`.
    private Expression path() {
        int position = tokens.take().position();
        Expression text = literal(Expression.Literal.Kind.STRING);
        return expressions.grown(
                expressions.height(),
                new Expression.Call(position, Function.JSON_PATH.called(), List.of(text)));
    }

    /// `JSON 'text'` and the like are casts.
    private Expression typed() {
        Type type = types.type();
        Expression text = literal(Expression.Literal.Kind.STRING);
        return expressions.grown(
                expressions.height(), new Expression.Cast(text.position(), text, type));
    }

    private SqlException noExpression() {
        tokens.expected("an expression");
        return tokens.unexpected();
    }

    private Expression literal(Expression.Literal.Kind kind) {
        Token token = tokens.take();
        return new Expression.Literal(token.position(), kind, token.text());
    }

    private Expression keyword(Token token, Keyword keyword) {
        return switch (keyword) {
            case NULL -> literal(Expression.Literal.Kind.NULL);
            case TRUE, FALSE -> literal(Expression.Literal.Kind.BOOLEAN);
            case CASE -> caseOf();
            case VALUES -> excluded(token);
            case CAST -> cast();
            case CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, LOCALTIMESTAMP -> {
                tokens.take();
                Expression now = new Expression.Call(token.position(), keyword.name(), List.of());
                boolean empty = tokens.peek().isSymbol("(") && tokens.peek(1).isSymbol(")");
                if (empty) { // as of H2 and MySQL
                    tokens.take();
                    tokens.take();
                }
                yield !empty && tokens.peek().isSymbol("(") ? rounded(now, keyword) : now;
            }
            case DATE, TIME, TIMESTAMP -> temporal(token);
            case EXISTS -> {
                if (tokens.peek(1).isSymbol("(") && expressions.atWholeQuery(2)) {
                    tokens.take();
                    tokens.take();
                    yield new Expression.Exists(token.position(), expressions.subquery());
                }
                yield name();
            }
            case NEXT ->
                    tokens.atWord(1, "VALUE") && tokens.peek(2).is(Keyword.FOR) ? next() : name();
            case SUBSTRING -> tokens.peek(1).isSymbol("(") ? substring() : name();
            case TRIM -> tokens.peek(1).isSymbol("(") ? trim() : name();
            case ROW -> {
                if (!tokens.peek(1).isSymbol("(")) {
                    yield name();
                }
                tokens.take();
                tokens.take();
                List<Expression> values = List.copyOf(expressions.expressions());
                tokens.expect(")");
                yield expressions.grown(
                        expressions.height(), new Expression.RowValue(token.position(), values));
            }
            case ARRAY -> {
                if (tokens.peek(1).isSymbol("[")) {
                    tokens.take();
                    yield ArrayForms.listed(tokens, expressions, token.position());
                }
                yield tokens.peek(1).isSymbol("(") && expressions.atWholeQuery(2)
                        ? ArrayForms.ofQuery(tokens, expressions)
                        : name();
            }
            case LEFT, RIGHT, IF -> {
                if (!tokens.peek(1).isSymbol("(") && keyword.reserved()) {
                    throw noExpression();
                }
                yield name();
            }
            default -> {
                if (OtherForms.atUnique(tokens, expressions)) {
                    yield new OtherForms(tokens, expressions).unique();
                }
                if (keyword.reserved()) {
                    throw noExpression();
                }
                yield name();
            }
        };
    }

    /// `NEXT VALUE FOR sequence` is a call of NEXTVAL.
    private Expression next() {
        Token first = tokens.take();
        tokens.take();
        tokens.take();
        Statement.Identifier name = tokens.relation("a sequence name");
        Expression text =
                new Expression.Literal(
                        name.position(), Expression.Literal.Kind.STRING, quoted(name));
        return new Expression.Call(first.position(), "NEXTVAL", List.of(text));
    }

    /// `DATE '2024-02-29'` is a cast; DATE alone may be a column.
    private Expression temporal(Token token) {
        int behind = token.is(Keyword.DATE) ? 1 : behindType();
        Token next = tokens.peek(behind);
        boolean zoned =
                (next.is(Keyword.WITH) || next.is(Keyword.WITHOUT))
                        && !token.is(Keyword.DATE)
                        && tokens.peek(behind + 1).is(Keyword.TIME);
        if (next.kind() != Token.Kind.STRING && !zoned) {
            return name();
        }
        Type type = types.type();
        if (tokens.peek().kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        }
        Expression text = literal(Expression.Literal.Kind.STRING);
        return expressions.grown(
                expressions.height(), new Expression.Cast(text.position(), text, type));
    }

    /// The value of a clock function, to a given number of digits of a second.
    private Expression rounded(Expression now, Keyword clock) {
        Type.Name name =
                switch (clock) {
                    case CURRENT_TIME -> Type.Name.TIME_TZ;
                    case CURRENT_TIMESTAMP -> Type.Name.TIMESTAMP_TZ;
                    case LOCALTIMESTAMP -> Type.Name.TIMESTAMP;
                    default -> throw tokens.unexpected();
                };
        Type type = Type.temporal(name, types.secondDigits());
        return expressions.grown(
                expressions.height(), new Expression.Cast(now.position(), now, type));
    }

    /// Number of tokens of a type name, with its digits as in TIMESTAMP(3).
    private int behindType() {
        boolean digits =
                tokens.peek(1).isSymbol("(")
                        && tokens.peek(2).kind() == Token.Kind.INTEGER
                        && tokens.peek(3).isSymbol(")");
        return digits ? 4 : 1;
    }

    private Expression name() {
        Token first = tokens.take();
        if (tokens.peek().isSymbol("(")) {
            return call(first);
        }
        if (!tokens.peek().isSymbol(".")) {
            return new Expression.Name(first.position(), null, first.text());
        }
        tokens.take();
        if (tokens.peek(1).isSymbol("(") && isSystem(first)) {
            return call(tokens.take());
        }
        if (tokens.peek(1).isSymbol("(") && tokens.peek().isName()) {
            Token name = tokens.take();
            String path = SearchPath.named(first.text(), name.text());
            return call(new Token(Token.Kind.QUOTED, path, first.position(), null));
        }
        String qualifier = first.text();
        if (tokens.peek(1).isSymbol(".") && tokens.peek(2).isName()) {
            qualifier = SearchPath.named(qualifier, tokens.name("a table name").name());
            tokens.take();
        }
        if (tokens.accept("*")) {
            return new Expression.Name(first.position(), qualifier, Expression.Name.ALL);
        }
        Statement.Identifier column = tokens.name("a column name");
        return new Expression.Name(first.position(), qualifier, column.name());
    }

    /// Whether the function that follows is one of PostgreSQL's in `schema`.
    private boolean isSystem(Token schema) {
        boolean own = tokens.peek().text().regionMatches(true, 0, "_pg_", 0, "_pg_".length());
        return TokenReader.isName(schema, "pg_catalog")
                || (own && TokenReader.isName(schema, "information_schema"));
    }

    /// `(table).column`, `(value).attribute` and `(value).*`.
    private Expression member(Expression whole) {
        Expression member = whole;
        if (whole instanceof Expression.Name name && name.qualifier() == null) {
            tokens.take();
            member = new Expression.Name(name.position(), name.name(), memberName());
        }
        while (tokens.peek().isSymbol(".")) {
            member = attribute(member);
        }
        return member;
    }

    private String memberName() {
        return tokens.accept("*") ? Expression.Name.ALL : tokens.name("a column name").name();
    }

    /// `.attribute` or `.*` after `value`.
    Expression attribute(Expression value) {
        int position = tokens.take().position();
        Expression name =
                new Expression.Literal(position, Expression.Literal.Kind.STRING, memberName());
        return expressions.grown(
                expressions.height(),
                new Expression.Call(
                        value.position(), Function.ATTRIBUTE.called(), List.of(value, name)));
    }

    /// The name of a sequence as a string literal's text.
    private static String quoted(Statement.Identifier name) {
        return name.schema().isEmpty()
                ? name.name()
                : '"'
                        + name.schema().replace("\"", "\"\"")
                        + "\".\""
                        + name.name().replace("\"", "\"\"")
                        + '"';
    }

    private Expression rowValue(int position, Expression first) {
        List<Expression> values = new ArrayList<>();
        values.add(first);
        int below = expressions.height();
        tokens.take();
        values.addAll(expressions.expressions());
        below = Math.max(below, expressions.height());
        return expressions.grown(below, new Expression.RowValue(position, List.copyOf(values)));
    }

    /// Parses the arguments of `name` and the clauses after them.
    Expression.Call call(Token name) {
        tokens.take();
        List<Expression> arguments = List.of();
        List<Statement.Order> orderBy = List.of();
        boolean distinct = false;
        boolean star = false;
        int below = 0;
        if (tokens.peek().isSymbol("*")) {
            tokens.take();
            star = true;
        } else if (!tokens.peek().isSymbol(")")) {
            distinct = tokens.accept(Keyword.DISTINCT);
            if (!distinct) {
                tokens.accept(Keyword.ALL);
            }
            arguments = arguments(name);
            below = expressions.height();
            if (expressions.queryParser().acceptBy(Keyword.ORDER)) {
                orderBy = expressions.queryParser().orders();
                below = Math.max(below, expressions.height());
            }
            overflow(name);
            if (name.text().equalsIgnoreCase("GROUP_CONCAT")) {
                arguments = OtherAggregates.joined(tokens, expressions, arguments);
                below = Math.max(below, expressions.height());
            }
        }
        star = star || (arguments.isEmpty() && isCount(name)); // COUNT() counts rows, as in DuckDB
        tokens.expect(")");
        expressions.height(below);
        Expression.Extras extras = expressions.queryParser().windows().extras(orderBy);
        below = Math.max(below, expressions.height());
        if (variadic) {
            variadic = false;
            return expressions.grown(below, new Variadic(tokens, name).call(arguments));
        }
        String function = counted(name.text());
        if (expressions.isJavaAggregate(function)) {
            List<Expression> named = new ArrayList<>();
            named.add(
                    new Expression.Literal(
                            name.position(), Expression.Literal.Kind.STRING, function));
            named.addAll(arguments);
            arguments = List.copyOf(named);
            function = AggregateFunction.JAVA_AGGREGATE.name();
        }
        Expression.Call call =
                new Expression.Call(name.position(), function, arguments, distinct, star, extras);
        String upper = function.toUpperCase(Locale.ROOT);
        boolean form = arguments.size() > 1 || (extras != null && extras.within());
        boolean other = (form && OTHER_FORMS.contains(upper)) || OTHER_AGGREGATES.contains(upper);
        if (form && extras != null && extras.within() && OTHER_FORMS.contains(upper)) {
            expressions.queryParser().direct.note(call);
        }
        if (OF_ROWS.contains(upper) && OtherAggregates.isOfRow(call)) {
            return expressions.grown(below + 2, OtherAggregates.ofRow(call));
        }
        return expressions.grown(below, other ? OtherAggregates.of(call) : call);
    }

    private static boolean isCount(Token name) {
        return name.text().equalsIgnoreCase(AggregateFunction.COUNT.name());
    }

    /// The name of `function` whose extras were parsed last.
    private String counted(String function) {
        boolean last =
                expressions.queryParser().windows().fromLast
                        && function.equalsIgnoreCase(WindowFunction.NTH_VALUE.name());
        return last ? WindowFunction.NTH_VALUE_FROM_LAST.name() : function;
    }

    /// Reads ON OVERFLOW of LISTAGG: texts are never too long to be joined.
    private void overflow(Token function) {
        if (!tokens.peek().is(Keyword.ON)
                || !tokens.atWord(1, "OVERFLOW")
                || !function.text().equalsIgnoreCase("LISTAGG")) {
            return;
        }
        tokens.take();
        tokens.take();
        if (!tokens.acceptWord("ERROR")) {
            tokens.expected("ERROR");
            tokens.expectWord("TRUNCATE");
            if (tokens.peek().kind() == Token.Kind.STRING) {
                tokens.take();
            }
            if (!tokens.accept(Keyword.WITHOUT)) {
                tokens.expect(Keyword.WITH);
            }
            tokens.expectWord("COUNT");
        }
    }

    /// Parses the arguments of `function`, with or without names.
    private List<Expression> arguments(Token function) {
        NamedArguments arguments = new NamedArguments(tokens, function);
        int highest = 0;
        boolean last = false;
        do {
            Token name = arguments.name();
            last = name == null && atVariadic();
            arguments.add(name, expressions.expression());
            highest = Math.max(highest, expressions.height());
        } while (!last && tokens.accept(","));
        expressions.height(highest);
        List<Expression> ordered = arguments.ordered();
        variadic = last;
        return SequenceNames.uncast(function.text(), ordered);
    }

    /// Parses the arguments of `function`, a user's in FROM.
    List<Expression> argumentsOf(Statement.Identifier function) {
        Token name = new Token(Token.Kind.QUOTED, function.name(), function.position(), null);
        List<Expression> arguments = arguments(name);
        if (variadic) {
            variadic = false;
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    function.position(),
                    "\""
                            + function.name()
                            + "\" does not take VARIADIC; write the arguments singly");
        }
        return arguments;
    }

    /// Accepts VARIADIC before an argument; it may be the name of a column too.
    private boolean atVariadic() {
        Token next = tokens.peek(1);
        boolean array =
                next.is(Keyword.ARRAY)
                        || next.isName()
                        || next.kind() == Token.Kind.STRING
                        || next.kind() == Token.Kind.PARAMETER
                        || next.is(Keyword.NULL)
                        || next.is(Keyword.CAST);
        return array && tokens.acceptWord("VARIADIC");
    }

    private Expression called(Token name, List<Expression> arguments) {
        return expressions.grown(
                expressions.height(),
                new Expression.Call(name.position(), name.text(), List.copyOf(arguments)));
    }

    /// `EXTRACT(field FROM value)`: a function of the field's name and the value.
    private Expression extract() {
        Token name = tokens.take();
        tokens.expect("(");
        Token field = tokens.take();
        if (!field.isName()
                && field.kind() != Token.Kind.WORD
                && field.kind() != Token.Kind.STRING) {
            throw tokens.error(
                    SqlException.Kind.SYNTAX,
                    field.position(),
                    "EXTRACT needs a field, such as YEAR");
        }
        tokens.expect(Keyword.FROM);
        Expression value = expressions.expression();
        tokens.expect(")");
        Expression literal =
                new Expression.Literal(
                        field.position(), Expression.Literal.Kind.STRING, field.text());
        return called(name, List.of(literal, value));
    }

    /// `POSITION(part IN text)`.
    private Expression position() {
        Token name = tokens.take();
        tokens.expect("(");
        Expression part = expressions.operand();
        int below = expressions.height();
        if (!tokens.accept(Keyword.IN)) {
            tokens.expect(",");
        }
        Expression text = expressions.expression();
        expressions.height(Math.max(below, expressions.height()));
        tokens.expect(")");
        return called(name, List.of(part, text));
    }

    /// `OVERLAY(text PLACING part FROM start FOR length)`.
    private Expression overlay() {
        Token name = tokens.take();
        tokens.expect("(");
        List<Expression> arguments = new ArrayList<>();
        arguments.add(expressions.expression());
        int below = expressions.height();
        tokens.expectWord("PLACING");
        arguments.add(expressions.expression());
        below = Math.max(below, expressions.height());
        tokens.expect(Keyword.FROM);
        arguments.add(expressions.expression());
        below = Math.max(below, expressions.height());
        if (tokens.accept(Keyword.FOR)) {
            arguments.add(expressions.expression());
            below = Math.max(below, expressions.height());
        }
        tokens.expect(")");
        expressions.height(below);
        return called(name, arguments);
    }

    /// Whether `B'0101'` stands here, without a blank between the letter and the string.
    private static boolean isBits(Token letter, Token string) {
        return string.kind() == Token.Kind.STRING && string.position() == letter.position() + 1;
    }

    private Expression bits() {
        tokens.take();
        Expression text = literal(Expression.Literal.Kind.STRING);
        return expressions.grown(
                expressions.height(), new Expression.Cast(text.position(), text, Typing.BITS));
    }

    /// `VALUES(column)` of ON DUPLICATE KEY UPDATE.
    private Expression excluded(Token values) {
        if (tokens.peek(1).isSymbol(".")) { // a column of a table of this name
            tokens.take();
            tokens.take();
            return new Expression.Name(values.position(), values.text(), memberName());
        }
        String table = expressions.valuesOf();
        if (table == null || !tokens.peek(1).isSymbol("(")) {
            throw noExpression();
        }
        tokens.take();
        tokens.take();
        Statement.Identifier column = tokens.name("a column name");
        tokens.expect(")");
        return new Expression.Name(values.position(), table, column.name());
    }

    /// Whether INTERVAL begins a literal. A sign before the string needs fields behind it: else it would be an operator
    /// behind a column of this name.
    private boolean isInterval(Token next) {
        boolean sign = next.isSymbol("-") || next.isSymbol("+");
        return sign
                ? tokens.peek(2).kind() == Token.Kind.STRING
                        && Intervals.isField(tokens.peek(3).text())
                : next.kind() == Token.Kind.STRING;
    }

    /// An interval whose sign may stand before the string, as in `INTERVAL -'1-2' YEAR TO MONTH`. It applies to all
    /// parts of the string.
    private Expression signedInterval() {
        int position = tokens.position();
        boolean negative = tokens.peek(1).isSymbol("-");
        Expression interval = interval(tokens);
        return negative
                ? expressions.grown(
                        expressions.height(), new Expression.Negation(position, interval))
                : interval;
    }

    /// `INTERVAL '1 day'`, `INTERVAL '1' DAY` and `INTERVAL '1-2' YEAR TO MONTH`, without regard to a sign before the
    /// string.
    static Expression.IntervalLiteral interval(TokenReader tokens) {
        int position = tokens.take().position();
        if (tokens.peek().kind() == Token.Kind.SYMBOL) {
            tokens.take();
        }
        Token text = tokens.take();
        StringBuilder fields = new StringBuilder();
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.WORD && Intervals.isField(token.text())) {
            fields.append(tokens.take().text());
            if (tokens.peek().is(Keyword.TO)) {
                tokens.take();
                fields.append(" TO ").append(tokens.take().text());
            }
        }
        return new Expression.IntervalLiteral(position, text.text(), fields.toString());
    }

    private Expression substring() {
        Token name = tokens.take();
        tokens.expect("(");
        List<Expression> arguments = new ArrayList<>();
        arguments.add(expressions.expression());
        int below = expressions.height();
        boolean words = tokens.accept(Keyword.FROM);
        if (!words && tokens.atWord(0, "SIMILAR")) {
            tokens.take();
            arguments.add(SimilarPattern.ofSubstring(tokens, expressions));
            below = Math.max(below, expressions.height());
        } else if (!words && tokens.accept(Keyword.FOR)) {
            arguments.add(
                    new Expression.Literal(
                            tokens.position(), Expression.Literal.Kind.INTEGER, "1"));
            arguments.add(expressions.expression());
            below = Math.max(below, expressions.height());
        } else if (words || tokens.accept(",")) {
            arguments.add(expressions.expression());
            below = Math.max(below, expressions.height());
            if (words ? tokens.accept(Keyword.FOR) : tokens.accept(",")) {
                arguments.add(expressions.expression());
                below = Math.max(below, expressions.height());
            }
        }
        tokens.expect(")");
        expressions.height(below);
        return called(name, arguments);
    }

    private Expression trim() {
        Token name = tokens.take();
        tokens.expect("(");
        String function = "TRIM";
        if (tokens.accept(Keyword.LEADING)) {
            function = "LTRIM";
        } else if (tokens.accept(Keyword.TRAILING)) {
            function = "RTRIM";
        } else {
            tokens.accept(Keyword.BOTH);
        }
        List<Expression> arguments = new ArrayList<>();
        int below = 0;
        if (!tokens.accept(Keyword.FROM)) {
            arguments.add(expressions.expression());
            below = expressions.height();
            if (tokens.accept(Keyword.FROM)) {
                arguments.addFirst(expressions.expression());
                below = Math.max(below, expressions.height());
            } else if (tokens.accept(",")) {
                arguments.add(expressions.expression());
                below = Math.max(below, expressions.height());
            }
        } else {
            arguments.add(expressions.expression());
            below = expressions.height();
        }
        tokens.expect(")");
        expressions.height(below);
        return expressions.grown(
                expressions.height(),
                new Expression.Call(name.position(), function, List.copyOf(arguments)));
    }

    private Expression cast() {
        int position = tokens.take().position();
        tokens.expect("(");
        Expression operand = expressions.expression();
        int below = expressions.height();
        tokens.expect(Keyword.AS);
        Expression cast = types.cast(position, operand);
        if (cast instanceof Expression.Cast plain && tokens.acceptWord("FORMAT")) {
            cast = CastFormat.of(tokens, plain, expressions.operand());
        }
        tokens.expect(")");
        return expressions.grown(below, cast);
    }

    private Expression caseOf() {
        int position = tokens.take().position();
        int below = 0;
        @Nullable Expression operand = null;
        if (!tokens.peek().is(Keyword.WHEN)) {
            tokens.expected("WHEN");
            operand = expressions.expression();
            below = expressions.height();
        }
        List<Expression.When> whens = new ArrayList<>();
        tokens.expect(Keyword.WHEN);
        do {
            boolean continued = operand != null && expressions.atComparison();
            Expression condition = continued ? null : expressions.expression();
            below = Math.max(below, continued ? 0 : expressions.height());
            if (operand != null && (condition == null || tokens.peek().isSymbol(","))) {
                OtherForms forms = new OtherForms(tokens, expressions);
                operand = forms.arms(operand, condition, whens);
                below = Math.max(below, expressions.height());
                break;
            }
            tokens.expect(Keyword.THEN);
            whens.add(
                    new Expression.When(
                            Objects.requireNonNull(condition), expressions.expression()));
            below = Math.max(below, expressions.height());
        } while (tokens.accept(Keyword.WHEN));
        @Nullable Expression otherwise = null;
        if (tokens.accept(Keyword.ELSE)) {
            otherwise = expressions.expression();
            below = Math.max(below, expressions.height());
        }
        tokens.expect(Keyword.END);
        return expressions.grown(below, new Expression.Case(position, operand, whens, otherwise));
    }
}
