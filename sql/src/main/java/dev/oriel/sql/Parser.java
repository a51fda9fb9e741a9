package dev.oriel.sql;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.Statement.Identifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses one statement by recursive descent. The grammar of definitions is in [DefinitionParser],
/// that of expressions in [ExpressionParser].
final class Parser {
    private static final Probe PARSE = Probe.of(Parser.class, "parse");

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final DefinitionParser definitions;

    private Parser(SqlText source) {
        this.tokens = new TokenReader(source);
        this.expressions = new ExpressionParser(tokens);
        this.definitions = new DefinitionParser(tokens);
    }

    /// A statement and the number of its parameters.
    record Parsed(Statement statement, int parameters) {}

    /// Parses `source`, which holds one statement and perhaps a closing semicolon.
    ///
    /// @throws SqlException if it is not in the grammar
    static Parsed parse(SqlText source) {
        long entered = PARSE.enter();
        try {
            Parser parser = new Parser(source);
            Statement statement = parser.statement();
            parser.end();
            return new Parsed(statement, parser.expressions.parameters());
        } finally {
            PARSE.exit(entered);
        }
    }

    private void end() {
        tokens.accept(";");
        if (tokens.peek().kind() != Token.Kind.END) {
            refuseWhatIsMissing();
            tokens.expected("the end of the statement");
            throw tokens.unexpected();
        }
    }

    private void refuseWhatIsMissing() {
        Token token = tokens.peek();
        if (token.keyword() == null) {
            return;
        }
        String what =
                switch (token.keyword()) {
                    case JOIN, CROSS, INNER, LEFT, RIGHT, FULL, NATURAL -> "Joins";
                    case UNION, INTERSECT, EXCEPT -> "Set operations";
                    case FOR -> "Row locks (FOR UPDATE)";
                    default -> "";
                };
        if (!what.isEmpty()) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED, token.position(), what + " are not supported yet");
        }
    }

    private Statement statement() {
        int position = tokens.position();
        if (tokens.peek().is(Keyword.SELECT)) {
            return select();
        } else if (tokens.accept(Keyword.INSERT)) {
            return insert(position);
        } else if (tokens.accept(Keyword.UPDATE)) {
            return update(position);
        } else if (tokens.accept(Keyword.DELETE)) {
            return delete(position);
        } else if (tokens.accept(Keyword.CREATE)) {
            return definitions.create(position);
        } else if (tokens.accept(Keyword.DROP)) {
            return definitions.drop(position);
        } else if (tokens.accept(Keyword.TRUNCATE)) {
            tokens.accept(Keyword.TABLE);
            return new Statement.Truncate(position, tokens.name("a table name"));
        } else if (tokens.accept(Keyword.EXPLAIN)) {
            if (tokens.peek().is(Keyword.EXPLAIN)) {
                throw tokens.unexpected();
            }
            return new Statement.Explain(position, statement());
        }
        return control(position);
    }

    private Statement control(int position) {
        if (tokens.accept(Keyword.BEGIN)) {
            transactionWord();
            return new Statement.Begin(position);
        } else if (tokens.accept(Keyword.START)) {
            tokens.expect(Keyword.TRANSACTION);
            return new Statement.Begin(position);
        } else if (tokens.accept(Keyword.COMMIT)) {
            transactionWord();
            return new Statement.Commit(position);
        } else if (tokens.accept(Keyword.ROLLBACK)) {
            transactionWord();
            if (tokens.accept(Keyword.TO)) {
                tokens.accept(Keyword.SAVEPOINT);
                return new Statement.RollbackTo(position, tokens.name("a savepoint name"));
            }
            return new Statement.Rollback(position);
        } else if (tokens.accept(Keyword.SAVEPOINT)) {
            return new Statement.Savepoint(position, tokens.name("a savepoint name"));
        } else if (tokens.accept(Keyword.RELEASE)) {
            tokens.accept(Keyword.SAVEPOINT);
            return new Statement.Release(position, tokens.name("a savepoint name"));
        } else if (tokens.peek().is(Keyword.WITH)) {
            throw tokens.error(Kind.NOT_SUPPORTED, position, "WITH is not supported yet");
        }
        tokens.expected("SELECT");
        throw tokens.unexpected();
    }

    private void transactionWord() {
        if (!tokens.accept(Keyword.TRANSACTION)) {
            tokens.accept(Keyword.WORK);
        }
    }

    private Statement.Select select() {
        int position = tokens.position();
        tokens.expect(Keyword.SELECT);
        boolean distinct = tokens.peek().is(Keyword.DISTINCT);
        if (distinct || tokens.peek().is(Keyword.ALL)) {
            tokens.take();
        }
        List<Statement.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (tokens.accept(","));
        Statement.@Nullable From from = tokens.accept(Keyword.FROM) ? from() : null;
        Expression where = tokens.accept(Keyword.WHERE) ? expressions.expression() : null;
        List<Expression> groupBy = acceptBy(Keyword.GROUP) ? expressions.expressions() : List.of();
        Expression having = tokens.accept(Keyword.HAVING) ? expressions.expression() : null;
        List<Statement.Order> orderBy = acceptBy(Keyword.ORDER) ? orders() : List.of();
        Limits limits = limits();
        return new Statement.Select(
                position,
                distinct,
                items,
                from,
                where,
                groupBy,
                having,
                orderBy,
                limits.limit,
                limits.offset);
    }

    private boolean acceptBy(Keyword keyword) {
        if (!tokens.accept(keyword)) {
            return false;
        }
        tokens.expect(Keyword.BY);
        return true;
    }

    private Statement.Item item() {
        Token token = tokens.peek();
        if (token.isSymbol("*")) {
            tokens.take();
            return new Statement.Item.Star(token.position(), null);
        }
        if (token.isName() && tokens.peek(1).isSymbol(".") && tokens.peek(2).isSymbol("*")) {
            tokens.take();
            tokens.take();
            tokens.take();
            return new Statement.Item.Star(token.position(), token.text());
        }
        if (token.is(Keyword.FROM)) {
            tokens.expected("a column name");
            tokens.expected("an expression");
            tokens.expected("\"*\"");
            throw tokens.unexpected();
        }
        return new Statement.Item.Value(expressions.expression(), alias());
    }

    private @Nullable Identifier alias() {
        if (tokens.accept(Keyword.AS)) {
            return tokens.name("a name");
        }
        return tokens.peek().isName() ? tokens.name("a name") : null;
    }

    private Statement.From from() {
        if (tokens.peek().isSymbol("(")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED, tokens.position(), "Subqueries are not supported yet");
        }
        Identifier table = tokens.name("a table name");
        Identifier alias = alias();
        if (tokens.peek().isSymbol(",")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED, tokens.position(), "Joins are not supported yet");
        }
        refuseWhatIsMissing();
        return new Statement.From.Named(table, alias);
    }

    private List<Statement.Order> orders() {
        List<Statement.Order> orders = new ArrayList<>();
        do {
            Expression expression = expressions.expression();
            boolean descending = tokens.accept(Keyword.DESC);
            if (!descending) {
                tokens.accept(Keyword.ASC);
            }
            @Nullable Boolean nullsFirst = null;
            if (tokens.accept(Keyword.NULLS)) {
                nullsFirst = tokens.accept(Keyword.FIRST);
                if (!nullsFirst) {
                    tokens.expect(Keyword.LAST);
                }
            }
            orders.add(new Statement.Order(expression, descending, nullsFirst));
        } while (tokens.accept(","));
        return orders;
    }

    /// LIMIT, OFFSET and FETCH in any order, each at most once.
    private Limits limits() {
        Limits limits = new Limits();
        while (true) {
            if (limits.limit == null && !limits.all && tokens.accept(Keyword.LIMIT)) {
                if (tokens.accept(Keyword.ALL)) {
                    limits.all = true;
                } else {
                    limits.limit = expressions.expression();
                }
            } else if (limits.limit == null && !limits.all && tokens.accept(Keyword.FETCH)) {
                limits.limit = fetch();
            } else if (limits.offset == null && tokens.accept(Keyword.OFFSET)) {
                limits.offset = expressions.expression();
                if (!tokens.accept(Keyword.ROWS)) {
                    tokens.accept(Keyword.ROW);
                }
            } else {
                return limits;
            }
        }
    }

    private Expression fetch() {
        if (!tokens.accept(Keyword.FIRST)) {
            tokens.expect(Keyword.NEXT);
        }
        Token token = tokens.peek();
        Expression count =
                token.is(Keyword.ROW) || token.is(Keyword.ROWS)
                        ? new Expression.Literal(
                                token.position(), Expression.Literal.Kind.INTEGER, "1")
                        : expressions.expression();
        if (!tokens.accept(Keyword.ROWS)) {
            tokens.expect(Keyword.ROW);
        }
        tokens.expect(Keyword.ONLY);
        return count;
    }

    private Statement insert(int position) {
        tokens.expect(Keyword.INTO);
        Identifier table = tokens.name("a table name");
        List<Identifier> columns = List.of();
        if (tokens.accept("(")) {
            columns = new ArrayList<>();
            do {
                columns.add(tokens.name("a column name"));
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        if (tokens.peek().is(Keyword.SELECT)) {
            return new Statement.Insert(
                    position, table, columns, new Statement.InsertSource.Query(select()));
        }
        tokens.expected("SELECT");
        tokens.expect(Keyword.VALUES);
        List<Statement.Values> rows = new ArrayList<>();
        do {
            int row = tokens.position();
            tokens.expect("(");
            rows.add(new Statement.Values(row, expressions.expressions()));
            tokens.expect(")");
        } while (tokens.accept(","));
        return new Statement.Insert(
                position, table, columns, new Statement.InsertSource.Rows(rows));
    }

    private Statement update(int position) {
        Identifier table = tokens.name("a table name");
        Identifier alias = tokens.peek().is(Keyword.SET) ? null : alias();
        tokens.expect(Keyword.SET);
        List<Statement.Assignment> assignments = new ArrayList<>();
        do {
            Identifier column = tokens.name("a column name");
            tokens.expect("=");
            assignments.add(new Statement.Assignment(column, expressions.expression()));
        } while (tokens.accept(","));
        return new Statement.Update(position, table, alias, assignments, where());
    }

    private Statement delete(int position) {
        tokens.expect(Keyword.FROM);
        Identifier table = tokens.name("a table name");
        Identifier alias = alias();
        return new Statement.Delete(position, table, alias, where());
    }

    private @Nullable Expression where() {
        return tokens.accept(Keyword.WHERE) ? expressions.expression() : null;
    }

    private static final class Limits {
        private @Nullable Expression limit;
        private @Nullable Expression offset;
        private boolean all;
    }
}
