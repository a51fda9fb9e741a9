package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Parses expressions by precedence climbing, loosest first:
///
/// ```
/// OR | AND | NOT | IS | = <> < <= > >= | BETWEEN IN LIKE | || ~ << | + - | * / % | ^ | AT | sign | ::
/// ```
/// Recursion has two bounds. [#NESTING_MAX] limits the depth at which this parser calls itself. [#HEIGHT_MAX]
/// limits the height of a tree: a chain such as `1 + 1 + 1` is parsed by a loop but bound by recursion. Chains of
/// AND and OR become one node and have no limit.
public final class ExpressionParser {
    /// Maximum nesting depth of expressions.
    public static final int NESTING_MAX = 25_000;

    /// Maximum height of an expression tree.
    static final int HEIGHT_MAX = 25_000;

    /// Maximum number of queries combined by UNION, INTERSECT and EXCEPT.
    private static final int OPERANDS_MAX = 25_000;

    /// Maximum number of tables joined in one FROM.
    private static final int TABLES_MAX = 400;

    /// Number of levels that a query adds to the height.
    private static final int QUERY_LEVELS = 10;

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int IS = 4;
    private static final int COMPARISON = 5;
    private static final int RANGE = 6;
    private static final int CONCAT = 7;
    private static final int SUM = 8;
    private static final int PRODUCT = 9;
    private static final int POWER = 10;
    private static final int AT = 11;
    private static final int SIGN = 12;

    private final TokenReader tokens;
    private final TypeParser types;
    private @Nullable String valuesOf;
    private final PrimaryParser primaries;
    private final JsonCallParser json;
    private final Predicate<String> aggregates;
    private int parameters;
    private int nesting;

    /// Height of the last tree parsed.
    private int height;

    /// Height of the highest tree in the query being parsed.
    private int highest;

    /// Parses queries within expressions; set once, since each parser needs the other.
    private @Nullable QueryParser queries;

    /// @param aggregates whether a name is that of an aggregate written in Java
    ExpressionParser(TokenReader tokens, Predicate<String> aggregates) {
        this.tokens = tokens;
        this.aggregates = aggregates;
        this.types = new TypeParser(tokens);
        this.json = new JsonCallParser(tokens, types, this);
        this.primaries = new PrimaryParser(tokens, types, json, this);
    }

    /// Whether `name` is that of an aggregate written in Java.
    boolean isJavaAggregate(String name) {
        return aggregates.test(name);
    }

    /// Number of question marks read so far.
    int parameters() {
        return parameters;
    }

    /// The next parameter, a question mark at `position`.
    Expression parameter(int position) {
        int index = parameters++;
        return new Expression.Parameter(position, index, tokens.given(index));
    }

    /// Height of the last tree parsed.
    int height() {
        return height;
    }

    /// Sets the height of the tree being parsed.
    void height(int levels) {
        height = levels;
    }

    void queries(QueryParser parser) {
        queries = parser;
    }

    /// The parser of queries.
    QueryParser queryParser() {
        if (queries == null) {
            throw new IllegalStateException("no parser of queries has been set");
        }
        return queries;
    }

    /// Notes the start of a query, which binds and runs by recursion as expressions do. The caller passes the
    /// result to [#endQuery].
    int beginQuery() {
        int before = highest;
        highest = 0;
        return before;
    }

    /// Notes the end of the query whose start returned `before`.
    void endQuery(int before) {
        height = highest + QUERY_LEVELS;
        if (height > HEIGHT_MAX) {
            throw tooDeep("Queries and operators are nested more than " + HEIGHT_MAX + " levels");
        }
        highest = Math.max(before, height);
    }

    /// Notes the number of operands of a set operation, which are parsed by a loop but bound by recursion.
    void growQuery(int operands) {
        if (operands > OPERANDS_MAX) {
            throw tooDeep("A query is made of more than " + OPERANDS_MAX + " others");
        }
        highest = Math.max(highest, operands);
    }

    /// Notes the number of tables in a FROM so far; they too are bound by recursion.
    void growFrom(int tables) {
        if (tables > TABLES_MAX) {
            throw tooDeep("More than " + TABLES_MAX + " tables are joined to one another");
        }
        highest = Math.max(highest, tables);
    }

    PrimaryParser primaries() {
        return primaries;
    }

    /// Parses a query and its closing parenthesis.
    Statement.Query subquery() {
        Statement.Query query = queryParser().query();
        tokens.expect(")");
        return query;
    }

    /// Whether a query begins `ahead` tokens from here, rather than an expression that begins with a query.
    boolean atQuery(int ahead) {
        return queryParser().begins(ahead, false);
    }

    /// Whether a query begins `ahead` tokens from here, including one wholly in parentheses.
    boolean atWholeQuery(int ahead) {
        return queryParser().begins(ahead, true);
    }

    /// Parses an expression.
    Expression expression() {
        return climb(OR);
    }

    /// Parses a possible operand of IN.
    Expression operand() {
        return climb(CONCAT);
    }

    /// Parses a type.
    Type type() {
        return types.type();
    }

    /// Parses `expression, expression, ...`.
    List<Expression> expressions() {
        List<Expression> list = new ArrayList<>();
        int highest = 0;
        do {
            list.add(expression());
            highest = Math.max(highest, height);
        } while (tokens.accept(","));
        height = highest;
        return list;
    }

    private Expression climb(int least) {
        if (++nesting > NESTING_MAX) {
            throw tooDeep("The expression is nested more than " + NESTING_MAX + " levels deep");
        }
        Expression left = prefix();
        int open = Integer.MAX_VALUE;
        while (true) {
            int precedence = precedence();
            if (precedence < least || precedence >= open) {
                break;
            }
            // Comparisons do not chain: a < b < c has no sensible meaning.
            open = precedence == COMPARISON || precedence == RANGE ? precedence : Integer.MAX_VALUE;
            left = infix(left, precedence);
        }
        nesting--;
        tokens.expected("an operator");
        return left;
    }

    private SqlException tooDeep(String message) {
        return tokens.error(
                Kind.TOO_COMPLEX,
                tokens.position(),
                message + "; divide it, or name parts of it in WITH or views");
    }

    /// Records the height of `node`, whose operands have at most the height `below`; returns it.
    <T extends Expression> T grown(int below, T node) {
        height = below + 1;
        highest = Math.max(highest, height);
        if (height > HEIGHT_MAX) {
            throw tooDeep("More than " + HEIGHT_MAX + " operators are applied to one another");
        }
        return node;
    }

    private Expression prefix() {
        Token token = tokens.peek();
        if (token.is(Keyword.NOT)) {
            tokens.take();
            Expression operand = climb(NOT);
            return grown(height, new Expression.Not(token.position(), operand));
        }
        if (token.isSymbol("-")) {
            tokens.take();
            Expression operand = climb(SIGN);
            return negated(token.position(), operand);
        }
        if (token.isSymbol("+")) {
            tokens.take();
            return climb(SIGN);
        }
        if (token.isSymbol("~")) {
            tokens.take();
            Expression operand = climb(CONCAT);
            return grown(height, call(token.position(), Function.BITNOT, operand));
        }
        Expression operand = primaries.primary();
        while (true) {
            Token next = tokens.peek();
            if (next.isSymbol("::")) {
                tokens.take();
                operand = grown(height, types.cast(next.position(), operand));
            } else if (next.isSymbol("[")) {
                operand = element(operand);
                while (tokens.peek().isSymbol(".")) {
                    operand = primaries.attribute(operand);
                }
            } else if (tokens.atWord(0, "FORMAT") && tokens.atWord(1, "JSON")) {
                tokens.take();
                tokens.take();
                operand = grown(height, new Expression.Cast(next.position(), operand, Typing.JSON));
            } else if (types.atFolded()) {
                types.passFolded();
                operand =
                        grown(height, new Expression.Cast(next.position(), operand, Typing.FOLDED));
            } else if (next.kind() != Token.Kind.WORD || !types.collated()) {
                return operand;
            }
        }
    }

    /// `array[index]`, or a slice, `array[first:last]`.
    private Expression element(Expression array) {
        int below = height;
        int position = tokens.take().position();
        Expression index = tokens.peek().isSymbol(":") ? bound(1) : expression();
        if (tokens.accept(":")) {
            below = Math.max(below, height);
            Expression last = tokens.peek().isSymbol("]") ? bound(Long.MAX_VALUE) : expression();
            tokens.expect("]");
            return grown(
                    Math.max(below, height),
                    call(position, Function.ARRAY_SLICE, array, index, last));
        }
        tokens.expect("]");
        return grown(
                Math.max(below, height),
                new Expression.Call(
                        position, Function.ARRAY_ELEMENT.called(), List.of(array, index)));
    }

    /// A call that returns `whole` with `part` set to `value`, which was just parsed.
    Expression withPart(PartParser.Part part, Expression whole, Expression value) {
        return grown(Math.max(part.height(), height), part.set(whole, value));
    }

    /// An omitted bound.
    Expression bound(long value) {
        return new Expression.Literal(
                tokens.position(), Expression.Literal.Kind.INTEGER, Long.toString(value));
    }

    /// A sign before digits belongs to the number: the least BIGINT cannot be written otherwise.
    private Expression negated(int position, Expression operand) {
        if (operand instanceof Expression.Literal literal
                && !literal.text().startsWith("-")
                && switch (literal.kind()) {
                    case INTEGER, DECIMAL, DOUBLE -> true;
                    case STRING, BYTES, BOOLEAN, NULL -> false;
                }) {
            return new Expression.Literal(position, literal.kind(), "-" + literal.text());
        }
        return grown(height, new Expression.Negation(position, operand));
    }

    private int precedence() {
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.SYMBOL) {
            return switch (token.text()) {
                case "=", "<>", "<", "<=", ">", ">=" -> COMPARISON;
                case "&&", "||", "->", "->>", "#>", "#>>", "#-", "@>", "<@", "@?", "@@" -> CONCAT;
                case "~", "~*", "!~", "!~*", "&", "|", "#", "<<", ">>" -> CONCAT;
                case "+", "-" -> SUM;
                case "*", "/", "%" -> PRODUCT;
                case "^" -> POWER;
                default -> 0;
            };
        }
        if (token.kind() == Token.Kind.PARAMETER && token.text().equals("?")) {
            return CONCAT;
        }
        if (token.keyword() == null) {
            boolean range = atSimilar(0) || atOverlaps() || atRegexp(0);
            return atTimeZone() ? AT : atNullTest() ? IS : range ? RANGE : 0;
        }
        return switch (token.keyword()) {
            case OR -> OR;
            case AND -> AND;
            case IS -> IS;
            case BETWEEN, IN, LIKE, ILIKE -> RANGE;
            case NOT ->
                    tokens.peek(1).is(Keyword.BETWEEN)
                                    || tokens.peek(1).is(Keyword.IN)
                                    || tokens.peek(1).is(Keyword.LIKE)
                                    || tokens.peek(1).is(Keyword.ILIKE)
                                    || atSimilar(1)
                                    || atRegexp(1)
                            ? RANGE
                            : 0;
            default -> 0;
        };
    }

    private boolean atTimeZone() {
        return tokens.atWord(0, "AT")
                && (tokens.atWord(1, "LOCAL")
                        || (tokens.peek(1).is(Keyword.TIME) && tokens.peek(2).is(Keyword.ZONE)));
    }

    /// Whether REGEXP and a pattern follow; a name alone would be an alias.
    private boolean atRegexp(int ahead) {
        Token.Kind pattern = tokens.peek(ahead + 1).kind();
        return tokens.atWord(ahead, "REGEXP")
                && (pattern == Token.Kind.STRING
                        || pattern == Token.Kind.PARAMETER
                        || tokens.peek(ahead + 1).isName());
    }

    /// Whether a comparison goes on here whose first operand is missing.
    boolean atComparison() {
        int precedence = precedence();
        return precedence == IS || precedence == COMPARISON || precedence == RANGE;
    }

    /// The comparison of `left` that goes on here.
    Expression continued(Expression left) {
        return infix(left, precedence());
    }

    private boolean atSimilar(int ahead) {
        return tokens.atWord(ahead, "SIMILAR") && tokens.peek(ahead + 1).is(Keyword.TO);
    }

    private boolean atOverlaps() {
        return tokens.atWord(0, "OVERLAPS")
                && (tokens.peek(1).isSymbol("(") || tokens.peek(1).is(Keyword.ROW));
    }

    /// `(a, b) OVERLAPS (c, d)`: a call with both periods.
    private Expression overlaps(int position, Expression left) {
        int below = height;
        tokens.take();
        Expression right = climb(CONCAT);
        List<Expression> bounds = new ArrayList<>();
        for (Expression period : List.of(left, right)) {
            if (!(period instanceof Expression.RowValue row) || row.values().size() != 2) {
                throw tokens.error(
                        Kind.SYNTAX,
                        period.position(),
                        "OVERLAPS stands between two periods, each (start, end)");
            }
            bounds.addAll(row.values());
        }
        return grown(
                Math.max(below, height),
                new Expression.Call(position, Function.OVERLAPS.called(), List.copyOf(bounds)));
    }

    /// `x ISNULL` and `x NOTNULL`.
    private boolean atNullTest() {
        return tokens.atWord(0, "ISNULL") || tokens.atWord(0, "NOTNULL");
    }

    private Expression infix(Expression left, int precedence) {
        int below = height;
        if (precedence == OR || precedence == AND) {
            return logical(left, precedence == AND);
        }
        int position = tokens.position();
        if (precedence == IS) {
            boolean negated = tokens.atWord(0, "NOTNULL");
            return tokens.take().is(Keyword.IS)
                    ? is(position, left)
                    : grown(below, new Expression.IsNull(position, left, negated));
        }
        if (precedence == RANGE) {
            return range(position, left);
        }
        if (precedence == AT) {
            tokens.take();
            boolean local = tokens.acceptWord("LOCAL");
            if (!local) {
                tokens.take();
                tokens.take();
            }
            Expression zone = local ? ownZone(position) : climb(SIGN);
            return grown(Math.max(below, height), call(position, Function.TIMEZONE, zone, left));
        }
        String symbol = tokens.take().text();
        if (symbol.equals("?")) {
            symbol = memberTest(position);
        }
        if (tokens.position() == position + symbol.length()) {
            symbol = continued(symbol);
        }
        Operator operator = Operator.of(symbol);
        if (operator == null) {
            Expression right = climb(precedence + 1);
            return grown(Math.max(below, height), called(position, symbol, left, right));
        }
        Token word = tokens.peek();
        boolean all = word.is(Keyword.ALL);
        if (operator.isComparison()
                && (all || word.is(Keyword.ANY) || word.is(Keyword.SOME))
                && tokens.peek(1).isSymbol("(")
                && atWholeQuery(2)) {
            return quantified(left, operator, position, all);
        }
        boolean any = all || word.is(Keyword.ANY) || word.is(Keyword.SOME);
        if (operator.isComparison() && any && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            tokens.take();
            Expression test = ofList(left, operator, position, all);
            tokens.expect(")");
            return grown(Math.max(below, height), test);
        }
        Expression right = climb(precedence + 1);
        return grown(
                Math.max(below, height), new Expression.Binary(position, operator, left, right));
    }

    /// The time zone of the session.
    private static Expression ownZone(int position) {
        return call(
                position,
                Function.CURRENT_SETTING,
                new Expression.Literal(position, Expression.Literal.Kind.STRING, "timezone"));
    }

    /// `?`, `?|` or `?&` after an operand, a position in which no parameter is possible. Drivers double the
    /// question mark.
    private String memberTest(int position) {
        int next = position + 1;
        if (tokens.position() == next && tokens.peek().kind() == Token.Kind.PARAMETER) {
            tokens.take();
            next++;
        }
        Token token = tokens.peek();
        if (token.position() == next && (token.isSymbol("|") || token.isSymbol("&"))) {
            tokens.take();
            return token.isSymbol("|")
                    ? Function.JSON_HAS_ANY.called()
                    : Function.JSON_HAS_ALL.called();
        }
        return Function.JSON_HAS.called();
    }

    /// `symbol` with the next token, if both are one operator: `==`, MySQL's `<=>`, or `~~`, PostgreSQL's LIKE.
    private String continued(String symbol) {
        String next = tokens.peek().text();
        boolean longer =
                switch (symbol) {
                    case "=" -> next.equals("=");
                    case "<=" -> next.equals(">");
                    case "~", "!~" -> next.equals("~") || next.equals("~*");
                    default -> false;
                };
        if (!longer || tokens.peek().kind() != Token.Kind.SYMBOL) {
            return symbol;
        }
        tokens.take();
        return symbol.equals("=") ? symbol : symbol + next;
    }

    /// Operators that are functions; JSON and array functions are named after their operators.
    private static Expression called(
            int position, String symbol, Expression left, Expression right) {
        return switch (symbol) {
            case "~", "~*" -> matched(position, left, right, symbol.length() > 1);
            case "!~", "!~*" ->
                    new Expression.Not(
                            position, matched(position, left, right, symbol.length() > 2));
            case "~~", "~~*", "!~~", "!~~*" -> OtherForms.like(position, symbol, left, right);
            case "<=>" -> new Expression.IsDistinct(position, left, right, true);
            case "^" -> call(position, Function.POWER, left, right);
            case "&" -> call(position, Function.BITAND, left, right);
            case "|" -> call(position, Function.BITOR, left, right);
            case "@?" -> path(position, Function.JSON_PATH_EXISTS, left, right);
            case "@@" -> path(position, Function.JSON_PATH_MATCH, left, right);
            case "#" -> call(position, Function.BITXOR, left, right);
            case "<<" -> call(position, Function.LSHIFT, left, right);
            case ">>" -> call(position, Function.RSHIFT, left, right);
            default -> new Expression.Call(position, symbol, List.of(left, right));
        };
    }

    /// A path operator, which evaluates to unknown if the data have errors.
    private static Expression path(
            int position, Function function, Expression json, Expression path) {
        return call(
                position,
                function,
                json,
                path,
                new Expression.Literal(position, Expression.Literal.Kind.STRING, "{}"),
                new Expression.Literal(position, Expression.Literal.Kind.BOOLEAN, "TRUE"));
    }

    private static Expression matched(
            int position, Expression text, Expression pattern, boolean anyCase) {
        return anyCase
                ? call(
                        position,
                        Function.REGEXP_LIKE,
                        text,
                        pattern,
                        new Expression.Literal(position, Expression.Literal.Kind.STRING, "i"))
                : call(position, Function.REGEXP_LIKE, text, pattern);
    }

    private static Expression call(int position, Function function, Expression... arguments) {
        return new Expression.Call(position, function.called(), List.of(arguments));
    }

    /// `operand = ANY (array)`, or a list of values as in H2 and Calcite. A list is searched as that of IN.
    private Expression ofList(Expression left, Operator operator, int position, boolean all) {
        int start = tokens.position();
        List<Expression> listed = List.copyOf(expressions());
        if (listed.size() == 1) {
            return new Expression.ArrayTest(position, operator, left, listed.getFirst(), all);
        }
        boolean in = operator == (all ? Operator.NOT_EQUAL : Operator.EQUAL);
        return in
                ? new Expression.In(position, left, listed, all)
                : new Expression.ArrayTest(
                        position, operator, left, new Expression.ArrayOf(start, listed), all);
    }

    private Expression quantified(Expression left, Operator operator, int position, boolean all) {
        int below = height;
        tokens.take();
        tokens.expect("(");
        Statement.Query query = subquery();
        boolean in = operator == (all ? Operator.NOT_EQUAL : Operator.EQUAL);
        return grown(
                Math.max(below, height),
                left instanceof Expression.RowValue && in
                        ? new Expression.InQuery(position, left, query, all)
                        : new Expression.Quantified(position, operator, left, query, all));
    }

    private Expression logical(Expression first, boolean and) {
        Keyword keyword = and ? Keyword.AND : Keyword.OR;
        int position = tokens.position();
        int below = height;
        List<Expression> terms = new ArrayList<>();
        terms.add(first);
        while (tokens.peek().is(keyword)) {
            tokens.take();
            terms.add(climb(and ? NOT : AND));
            below = Math.max(below, height);
        }
        return grown(below, new Expression.Logical(position, and, terms));
    }

    private Expression is(int position, Expression operand) {
        int below = height;
        boolean negated = tokens.accept(Keyword.NOT);
        if (tokens.accept(Keyword.NULL)) {
            return grown(below, new Expression.IsNull(position, operand, negated));
        }
        if (tokens.accept(Keyword.DISTINCT)) {
            tokens.expect(Keyword.FROM);
            OtherForms others = new OtherForms(tokens, this);
            if (others.atQuantified()) {
                height = below;
                return others.quantified(position, operand, negated);
            }
            Expression right = climb(COMPARISON);
            return grown(
                    Math.max(below, height),
                    new Expression.IsDistinct(position, operand, right, negated));
        }
        if (tokens.acceptWord("JSON")) {
            Expression test = json.is(position, operand);
            return grown(below + 1, negated ? new Expression.Not(position, test) : test);
        }
        if (tokens.acceptWord("OF")) {
            Expression test = ofType(position, operand);
            return grown(below + 1, negated ? new Expression.Not(position, test) : test);
        }
        int truth;
        if (tokens.accept(Keyword.TRUE)) {
            truth = 1;
        } else if (tokens.accept(Keyword.FALSE)) {
            truth = 0;
        } else if (tokens.accept(Keyword.UNKNOWN)) {
            truth = -1;
        } else {
            throw tokens.unexpected();
        }
        return grown(below, new Expression.IsTruth(position, operand, truth, negated));
    }

    /// Returns the result of `parsing`, within which `VALUES(column)` means the column of the table `name`.
    <R> R withValuesOf(String name, Supplier<R> parsing) {
        String outer = valuesOf;
        valuesOf = name;
        try {
            return parsing.get();
        } finally {
            valuesOf = outer;
        }
    }

    /// The table that `VALUES(column)` means; null if it means nothing.
    @Nullable String valuesOf() {
        return valuesOf;
    }

    /// `IS OF (type, ...)`, a call whose further arguments have these types.
    private Expression ofType(int position, Expression operand) {
        List<Expression> arguments = new ArrayList<>();
        arguments.add(operand);
        tokens.expect("(");
        do {
            Expression nothing =
                    new Expression.Literal(position, Expression.Literal.Kind.NULL, "NULL");
            arguments.add(new Expression.Cast(position, nothing, types.type()));
        } while (tokens.accept(","));
        tokens.expect(")");
        return new Expression.Call(position, Function.IS_OF.called(), List.copyOf(arguments));
    }

    private Expression range(int position, Expression operand) {
        if (atOverlaps()) {
            return overlaps(position, operand);
        }
        int below = height;
        boolean negated = tokens.accept(Keyword.NOT);
        if (atRegexp(0)) {
            tokens.take();
            Expression matched = matched(position, operand, climb(CONCAT), false);
            return grown(
                    Math.max(below, height) + 1,
                    negated ? new Expression.Not(position, matched) : matched);
        }
        Token token = tokens.take();
        if (token.is(Keyword.BETWEEN)) {
            boolean bare = tokens.peek(1).is(Keyword.AND);
            boolean symmetric = !bare && tokens.acceptWord("SYMMETRIC");
            if (!bare && !symmetric) {
                tokens.acceptWord("ASYMMETRIC");
            }
            Expression low = climb(CONCAT);
            below = Math.max(below, height);
            tokens.expect(Keyword.AND);
            Expression high = climb(CONCAT);
            Expression between = new Expression.Between(position, operand, low, high, negated);
            if (symmetric) {
                // SYMMETRIC: between the bounds in either order; negated, in neither order.
                Expression other = new Expression.Between(position, operand, high, low, negated);
                between = new Expression.Logical(position, negated, List.of(between, other));
                height++;
            }
            return grown(Math.max(below, height), between);
        }
        if (token.is(Keyword.IN)) {
            tokens.expect("(");
            if (atWholeQuery(0)) {
                Statement.Query query = subquery();
                return grown(
                        Math.max(below, height),
                        new Expression.InQuery(position, operand, query, negated));
            }
            List<Expression> list = expressions();
            tokens.expect(")");
            return grown(
                    Math.max(below, height), new Expression.In(position, operand, list, negated));
        }
        if (token.kind() == Token.Kind.WORD && token.keyword() == null) {
            tokens.expect(Keyword.TO);
            Expression pattern = climb(CONCAT);
            Expression escape = tokens.accept(Keyword.ESCAPE) ? climb(CONCAT) : null;
            Expression similar = SimilarPattern.test(tokens, position, operand, pattern, escape);
            return grown(below + 1, negated ? new Expression.Not(position, similar) : similar);
        }
        boolean all = tokens.peek().is(Keyword.ALL);
        boolean some = all || tokens.peek().is(Keyword.ANY) || tokens.peek().is(Keyword.SOME);
        if (some && tokens.peek(1).isSymbol("(")) {
            return grown(
                    below,
                    SomePatterns.like(
                            this, tokens, operand, token.is(Keyword.ILIKE), negated, all));
        }
        Expression pattern = climb(CONCAT);
        below = Math.max(below, height);
        Expression escape = tokens.accept(Keyword.ESCAPE) ? climb(CONCAT) : null;
        return grown(
                Math.max(below, height),
                new Expression.Like(
                        position, operand, pattern, escape, token.is(Keyword.ILIKE), negated));
    }
}
