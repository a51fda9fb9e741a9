package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.BodyParser;
import dev.oriel.sql.syntax.BodyStatement;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.TokenReader;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SqlFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses the body of a function of SQL.
final class FunctionBody {
    private FunctionBody() {}

    /// The query in `text`, the body of `function`.
    static Statement.Query query(
            SqlText text, SqlFunction function, Catalog catalog, ComputedTables computed) {
        List<Token> tokens = tokens(text, function);
        Statement statement =
                Parser.parse(
                                new TokenReader(text, tokens, UserTypes.of(catalog)),
                                name -> computed.aggregate(name) != null)
                        .statement();
        boolean changes =
                statement instanceof Statement.With with && Statement.changesRows(with.tables());
        if (statement instanceof Statement.Query query
                && !changes
                && !(query instanceof Statement.Locking)) {
            return query;
        }
        throw text.error(
                Kind.NOT_SUPPORTED,
                statement.position(),
                "The body of a function is a query that changes and locks nothing; send changes"
                        + " as statements of their own");
    }

    /// Whether the body is more than a query that changes and locks nothing. It is if it calls a procedure, which may
    /// be defined later.
    static boolean runs(SqlText text, SqlFunction function, Catalog catalog) {
        if (function.body().form() == SqlFunction.Form.RETURN) {
            return false;
        }
        List<BodyStatement> statements =
                new BodyParser(
                                text,
                                UserTypes.of(catalog),
                                name -> false,
                                name -> catalog.procedure(name) != null)
                        .statements();
        if (statements.size() != 1
                || !(statements.getFirst() instanceof BodyStatement.Run run)
                || !(run.statement() instanceof Statement.Query query)) {
            return true;
        }
        boolean calls =
                query instanceof Statement.Select select
                        && select.from() instanceof From.Computed computed
                        && computed.call();
        return query instanceof Statement.Locking
                || (calls && !function.returnsSet())
                || (query instanceof Statement.With with && Statement.changesRows(with.tables()));
    }

    /// The tokens of the body: a parameter `$1` is a name, and RETURN begins a SELECT.
    private static List<Token> tokens(SqlText text, SqlFunction function) {
        List<Token> tokens = new ArrayList<>();
        if (function.body().form() == SqlFunction.Form.RETURN) {
            tokens.add(new Token(Token.Kind.WORD, "SELECT", 0, Keyword.SELECT));
        }
        for (Token token : Lexer.tokens(text)) {
            boolean parameter = token.kind() == Token.Kind.PARAMETER;
            tokens.add(
                    parameter
                            ? new Token(
                                    Token.Kind.QUOTED, "$" + number(token), token.position(), null)
                            : token);
        }
        for (int i = 0; i < tokens.size(); i++) {
            boolean last = i + 1 == tokens.size() || tokens.get(i + 1).kind() == Token.Kind.END;
            if (tokens.get(i).isSymbol(";") && !last) {
                throw text.error(
                        Kind.NOT_SUPPORTED,
                        tokens.get(i + 1).position(),
                        "The body of a function is one query; name the results of others in WITH");
            }
        }
        if (tokens.getFirst().kind() == Token.Kind.END) {
            throw text.error(
                    Kind.FUNCTION_DEFINITION,
                    0,
                    "The body of the function is empty; write a query");
        }
        return tokens;
    }

    private static String number(Token parameter) {
        String text = parameter.text();
        return text.startsWith("$") ? text.substring(1) : text;
    }

    /// The expression that is all of `query`; null if it has other parts, aggregates or windows.
    static @Nullable Expression expression(Statement.Query query) {
        if (query instanceof Statement.Select select
                && !select.distinct()
                && select.from() == null
                && select.where() == null
                && select.groupBy().isEmpty()
                && select.having() == null
                && select.qualify() == null
                && select.tail().isNone()
                && select.items().size() == 1
                && select.items().getFirst() instanceof Statement.Item.Value value
                && isOfOneRow(value.expression())) {
            return value.expression();
        }
        return null;
    }

    private static boolean isOfOneRow(Expression expression) {
        Deque<Expression> open = new ArrayDeque<>();
        open.push(expression);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Expression.Call call
                    && (call.over() != null || AggregateLevels.isAggregate(call))) {
                return false;
            }
            Expression.operands(next).forEach(open::push);
        }
        return true;
    }

    /// Whether `query` cannot have more than one row.
    static boolean isSingle(Statement.Query query) {
        return query instanceof Statement.Select select
                && select.groupBy().isEmpty()
                && (select.from() == null || AggregateLevels.isWrittenGrouped(select));
    }
}
