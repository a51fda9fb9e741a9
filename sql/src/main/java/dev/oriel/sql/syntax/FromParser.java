package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.JoinKind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses FROM: tables, subqueries, and their joins.
public final class FromParser {
    /// Name of the function that generates rows from a first value, a last one and a step.
    public static final String GENERATE_SERIES = "GENERATE_SERIES";

    /// Name of the function that generates the subscripts of an array.
    public static final String GENERATE_SUBSCRIPTS = "GENERATE_SUBSCRIPTS";

    private static final String SYSTEM_RANGE = "SYSTEM_RANGE";

    /// DuckDB's series without its last value.
    private static final String RANGE = "RANGE";

    /// Maximum nesting depth of joins.
    private static final int NESTING_MAX = 100;

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final QueryParser queries;
    private int nesting;

    /// Number of tables in the FROM being parsed.
    private int tables;

    FromParser(TokenReader tokens, ExpressionParser expressions, QueryParser queries) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.queries = queries;
    }

    /// Parses a whole FROM.
    From from() {
        int around = tables;
        tables = 0;
        From from = listed();
        tables = around;
        return from;
    }

    private From listed() {
        From left = joined();
        while (tokens.peek().isSymbol(",")) {
            int position = tokens.take().position();
            From right = joined();
            left =
                    new From.Join(
                            position,
                            JoinKind.CROSS,
                            false,
                            left,
                            right,
                            null,
                            null,
                            tokens.position());
        }
        tokens.expected("\",\"");
        return left;
    }

    private From joined() {
        From left = source();
        while (true) {
            int position = tokens.position();
            boolean side = tokens.peek().is(Keyword.LEFT) || tokens.peek().is(Keyword.RIGHT);
            if (side && SemiJoin.follows(tokens)) {
                SemiJoin join = SemiJoin.begin(tokens);
                left = join.of(tokens, expressions, left, source());
                continue;
            }
            boolean natural = tokens.accept(Keyword.NATURAL);
            JoinKind kind = kind();
            if (kind == null) {
                if (natural) {
                    throw tokens.unexpected();
                }
                return left;
            }
            From right = source();
            left = join(position, kind, natural, left, right);
        }
    }

    private boolean atJoin() {
        Token token = tokens.peek();
        return token.is(Keyword.NATURAL)
                || token.is(Keyword.CROSS)
                || token.is(Keyword.INNER)
                || token.is(Keyword.LEFT)
                || token.is(Keyword.RIGHT)
                || token.is(Keyword.FULL)
                || token.is(Keyword.JOIN);
    }

    /// Accepts the words up to JOIN; null if there are none.
    private @Nullable JoinKind kind() {
        JoinKind kind;
        if (tokens.accept(Keyword.CROSS)) {
            kind = JoinKind.CROSS;
        } else if (tokens.accept(Keyword.INNER)) {
            kind = JoinKind.INNER;
        } else if (tokens.accept(Keyword.LEFT)) {
            kind = JoinKind.LEFT;
        } else if (tokens.accept(Keyword.RIGHT)) {
            kind = JoinKind.RIGHT;
        } else if (tokens.accept(Keyword.FULL)) {
            kind = JoinKind.FULL;
        } else {
            return tokens.accept(Keyword.JOIN) ? JoinKind.INNER : null;
        }
        if (kind != JoinKind.CROSS && kind != JoinKind.INNER) {
            tokens.accept(Keyword.OUTER);
        }
        tokens.expect(Keyword.JOIN);
        return kind;
    }

    private From join(int position, JoinKind kind, boolean natural, From left, From second) {
        if (natural && kind == JoinKind.CROSS) {
            throw tokens.error(Kind.SYNTAX, position, "A CROSS JOIN cannot be NATURAL");
        }
        if (natural || kind == JoinKind.CROSS) {
            return new From.Join(
                    position, kind, natural, left, second, null, null, tokens.position());
        }
        From right = second;
        while (atJoin()) { // a JOIN b JOIN c ON ... ON ...: the joins on the right come first
            int inner = tokens.position();
            boolean alsoNatural = tokens.accept(Keyword.NATURAL);
            JoinKind with = kind();
            if (with == null) {
                throw tokens.unexpected();
            }
            right = join(inner, with, alsoNatural, right, source());
        }
        if (tokens.accept(Keyword.ON)) {
            Expression on = expressions.expression();
            return new From.Join(position, kind, false, left, right, on, null, tokens.position());
        }
        boolean alone = second.equals(right) && kind != JoinKind.FULL;
        if (alone && !tokens.peek().is(Keyword.USING)) {
            return unconditional(position, kind, left, right);
        }
        tokens.expect(Keyword.USING);
        tokens.expect("(");
        List<Identifier> using = new ArrayList<>();
        do {
            using.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(")");
        Identifier alias = tokens.accept(Keyword.AS) ? tokens.name("a name for the join") : null;
        UsingColumns merged = new UsingColumns(using, alias);
        return new From.Join(position, kind, false, left, right, null, merged, tokens.position());
    }

    /// A join without a condition, as in H2 and MySQL: of all rows.
    private From unconditional(int position, JoinKind kind, From left, From right) {
        if (kind == JoinKind.INNER) {
            return new From.Join(
                    position, JoinKind.CROSS, false, left, right, null, null, tokens.position());
        }
        Expression always =
                new Expression.Literal(position, Expression.Literal.Kind.BOOLEAN, "TRUE");
        return new From.Join(position, kind, false, left, right, always, null, tokens.position());
    }

    private From enclosed() {
        if (++nesting > NESTING_MAX) {
            throw tokens.error(
                    Kind.TOO_COMPLEX,
                    tokens.position(),
                    "Joins are nested more than "
                            + NESTING_MAX
                            + " levels deep; write them side by side");
        }
        From inner = joined();
        nesting--;
        return inner;
    }

    /// Parses the end of `(a JOIN b)`, perhaps with a name, which hides the names of its tables: as a query of all its
    /// columns.
    private From called(int position, From inner) {
        tokens.expect(")");
        Identifier alias = queries.alias();
        if (alias == null) {
            return inner;
        }
        Statement.Query all =
                QueryParser.rows(position, List.of(new Statement.Item.Star(position, null)), inner);
        return new From.Derived(position, all, alias, queries.columns(), false);
    }

    private From source() {
        int position = tokens.position();
        expressions.growFrom(++tables);
        boolean lateral = tokens.accept(Keyword.LATERAL);
        if (tokens.accept("(")) {
            if (!queries.begins()) {
                if (lateral) {
                    tokens.expected("SELECT");
                    throw tokens.unexpected();
                }
                return called(position, enclosed());
            }
            Statement.Query query = queries.query();
            tokens.expect(")");
            Identifier alias = queries.alias();
            List<Identifier> columns = alias == null ? List.of() : queries.columns();
            return new From.Derived(position, query, alias, columns, lateral);
        }
        if (!lateral && tokens.peek().is(Keyword.VALUES) && !tokens.namesValues(0)) {
            return derived(position, queries.values());
        }
        if (!lateral && atChangedTable()) {
            return queries.changedTables().from();
        }
        if (tokens.peek().is(Keyword.ROWS)
                && tokens.peek(1).is(Keyword.FROM)
                && tokens.peek(2).isSymbol("(")) {
            return rowsFrom(position);
        }
        if (!lateral && tokens.peek().is(Keyword.TABLE) && tokens.peek(1).isSymbol("(")) {
            return tableOfColumns(position);
        }
        JsonRecords records = new JsonRecords(tokens, expressions);
        if (records.begin()) {
            return records.from();
        }
        boolean function = isSeries(tokens.peek()) || RowsFunction.is(tokens.peek());
        if (function && tokens.peek(1).isSymbol("(")) {
            return rowsOf(lateral);
        }
        Identifier table = tokens.onlyTable();
        if (tokens.peek().isSymbol("(")) {
            return computed(table, false);
        }
        if (lateral) {
            tokens.expected("\"(\"");
            throw tokens.unexpected();
        }
        queries.mentioned(table);
        tokens.accept("*"); // with its descendants, as without it
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        From named = new From.Named(table, alias, columns);
        return tokens.acceptWord("TABLESAMPLE")
                ? new Sampling(tokens, expressions).of(table, alias, columns)
                : named;
    }

    /// Whether FINAL TABLE, NEW TABLE or OLD TABLE of a change follows.
    private boolean atChangedTable() {
        return tokens.peek(1).is(Keyword.TABLE)
                && tokens.peek(2).isSymbol("(")
                && (tokens.atWord(0, "FINAL")
                        || tokens.atWord(0, "NEW")
                        || tokens.atWord(0, "OLD"));
    }

    /// Parses a call of a function that returns rows.
    private From rowsOf(boolean lateral) {
        Expression.Call call = expressions.primaries().call(tokens.take());
        boolean several =
                RowsFunction.of(call.name()) == RowsFunction.UNNEST && call.arguments().size() > 1;
        if (several) {
            return sideBySide(
                    new RowsFrom(call.position(), RowsFrom.unnest(call)),
                    new Identifier(call.position(), call.name()));
        }
        boolean numbered = numbered();
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        if (call.name().equalsIgnoreCase(RANGE) && OtherForms.isRangeOfMoments(call)) {
            From range = OtherForms.rangeOfMoments(call, alias, columns, lateral);
            return numbered ? numbered(range, columns) : range;
        }
        if (call.name().equalsIgnoreCase(RANGE)) {
            Expression.Call series = new OtherForms(tokens, expressions).range(call);
            Identifier name = alias == null ? new Identifier(call.position(), RANGE) : alias;
            List<Identifier> named =
                    columns.isEmpty() ? List.of(new Identifier(call.position(), "value")) : columns;
            From range =
                    new From.Function(series, name, numbered ? List.of() : named, lateral, false);
            return numbered ? numbered(range, columns) : range;
        }
        if (call.name().equalsIgnoreCase(SYSTEM_RANGE)) {
            From range = range(call, alias, numbered ? List.of() : columns, lateral);
            return numbered ? numbered(range, columns) : range;
        }
        boolean self = RowsFunction.of(call.name()) != null;
        return numbered && !self
                ? numbered(new From.Function(call, alias, List.of(), lateral, false), columns)
                : new From.Function(call, alias, columns, lateral, numbered);
    }

    /// Parses the name of a query without parentheses, as in H2.
    private From derived(int position, Statement.Query query) {
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        return new From.Derived(position, query, alias, columns, false);
    }

    /// Accepts WITH ORDINALITY.
    private boolean numbered() {
        boolean numbered = tokens.peek().is(Keyword.WITH) && tokens.atWord(1, "ORDINALITY");
        if (numbered) {
            tokens.take();
            tokens.take();
        }
        return numbered;
    }

    /// The rows of `function` with their numbers.
    private static From numbered(From function, List<Identifier> columns) {
        int position = function.position();
        Identifier name =
                switch (function) {
                    case From.Function rows ->
                            rows.alias() == null
                                    ? new Identifier(position, rows.call().name())
                                    : rows.alias();
                    case From.Computed rows -> rows.alias() == null ? rows.name() : rows.alias();
                    default -> throw new IllegalStateException(function + " is no function");
                };
        List<Statement.Item> items =
                List.of(
                        new Statement.Item.Star(position, null),
                        new Statement.Item.Value(
                                rowNumber(position), new Identifier(position, "ordinality")));
        Statement.Select select = QueryParser.rows(position, items, function);
        return new From.Derived(position, select, name, columns, true);
    }

    /// The number of a row.
    static Expression rowNumber(int position) {
        return new Expression.Call(
                position,
                WindowFunction.ROW_NUMBER.name(),
                List.of(),
                false,
                false,
                new Expression.Extras(
                        List.of(),
                        false,
                        null,
                        false,
                        new Expression.Over(position, null, false, List.of(), List.of(), null)));
    }

    /// Parses the rest of `ROWS FROM (f(), g())`.
    private From rowsFrom(int position) {
        List<From> functions = new ArrayList<>();
        tokens.take();
        tokens.take();
        tokens.expect("(");
        do {
            boolean rows = isSeries(tokens.peek()) || RowsFunction.is(tokens.peek());
            if (!rows || !tokens.peek(1).isSymbol("(")) {
                functions.add(function(tokens.relation("a function name")));
                continue;
            }
            Expression.Call call = expressions.primaries().call(tokens.take());
            if (RowsFunction.of(call.name()) == RowsFunction.UNNEST) {
                functions.addAll(RowsFrom.unnest(call));
            } else {
                functions.add(new From.Function(call, null, List.of(), true, false));
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        return sideBySide(new RowsFrom(position, functions), new Identifier(position, "rows"));
    }

    /// Parses `TABLE (name type = (value, ...), ...)`, H2's table of columns side by side.
    private From tableOfColumns(int position) {
        tokens.take();
        tokens.expect("(");
        List<From> functions = new ArrayList<>();
        List<Identifier> names = new ArrayList<>();
        do {
            names.add(tokens.name("a column name"));
            Type type = expressions.type();
            tokens.expect("=");
            int start = tokens.position();
            Expression value = expressions.expression();
            List<Expression> values =
                    value instanceof Expression.RowValue row ? row.values() : List.of(value);
            Expression array =
                    value instanceof Expression.ArrayOf
                            ? value
                            : new Expression.ArrayOf(start, values);
            Expression.Call unnest =
                    new Expression.Call(
                            start,
                            RowsFunction.UNNEST.name(),
                            List.of(new Expression.Cast(start, array, Type.array(type))));
            functions.add(new From.Function(unnest, null, List.of(), true, false));
        } while (tokens.accept(","));
        tokens.expect(")");
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        return new RowsFrom(position, functions)
                .from(
                        false,
                        alias == null ? new Identifier(position, "table") : alias,
                        columns.isEmpty() ? List.copyOf(names) : columns);
    }

    /// @param otherwise the name if there is no alias
    private From sideBySide(RowsFrom rows, Identifier otherwise) {
        boolean numbered = numbered();
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        return rows.from(numbered, alias == null ? otherwise : alias, columns);
    }

    /// A call of a function without alias.
    private From function(Identifier name) {
        boolean bare = name.schema().isEmpty();
        Identifier schema = bare ? null : new Identifier(name.position(), name.schema());
        tokens.expect("(");
        List<Expression> arguments = new ArrayList<>();
        if (!tokens.peek().isSymbol(")")) {
            arguments.addAll(expressions.primaries().argumentsOf(name));
        }
        tokens.expect(")");
        return new From.Computed(
                name.position(),
                schema,
                new Identifier(name.position(), name.name()),
                arguments,
                false,
                null,
                List.of());
    }

    /// Parses the rest of CALL.
    From call() {
        return computed(tokens.relation("the name of a procedure"), true);
    }

    private From computed(Identifier first, boolean call) {
        boolean bare = first.schema().isEmpty();
        Identifier schema = bare ? null : new Identifier(first.position(), first.schema());
        Identifier name = new Identifier(first.position(), first.name());
        List<Expression> arguments = null;
        if (call ? expected("(") : tokens.accept("(")) {
            arguments = new ArrayList<>();
            if (!tokens.peek().isSymbol(")")) {
                arguments.addAll(expressions.primaries().argumentsOf(name));
            }
            tokens.expect(")");
        }
        boolean numbered = !call && arguments != null && numbered();
        Identifier alias = call ? null : queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        From computed =
                new From.Computed(
                        first.position(),
                        schema,
                        name,
                        arguments,
                        call,
                        alias,
                        numbered ? List.of() : columns);
        return numbered ? numbered(computed, columns) : computed;
    }

    private boolean expected(String symbol) {
        tokens.expect(symbol);
        return true;
    }

    private static boolean isSeries(Token token) {
        return token.kind() == Token.Kind.WORD
                && (isSeries(token.text())
                        || token.text().equalsIgnoreCase(SYSTEM_RANGE)
                        || token.text().equalsIgnoreCase(RANGE));
    }

    /// Whether `name` is that of a function that generates numbers.
    public static boolean isSeries(String name) {
        return name.equalsIgnoreCase(GENERATE_SERIES) || name.equalsIgnoreCase(GENERATE_SUBSCRIPTS);
    }

    /// H2's form of a series, whose column is X.
    private static From range(
            Expression.Call call,
            @Nullable Identifier alias,
            List<Identifier> columns,
            boolean lateral) {
        int position = call.position();
        List<Expression> bounds = new ArrayList<>();
        for (Expression bound : call.arguments()) {
            bounds.add(new Expression.Cast(position, bound, Type.of(Type.Name.BIGINT)));
        }
        return new From.Function(
                new Expression.Call(position, GENERATE_SERIES, List.copyOf(bounds)),
                alias == null ? new Identifier(position, SYSTEM_RANGE) : alias,
                columns.isEmpty() ? List.of(new Identifier(position, "X")) : columns,
                lateral,
                false);
    }
}
