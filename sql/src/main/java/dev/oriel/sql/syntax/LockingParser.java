package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.store.Transaction;
import java.util.ArrayList;
import java.util.List;

/// Parses FOR UPDATE and its variants after a query.
final class LockingParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;

    /// Position of the first locking clause in a subquery; negative if there is none.
    private int within = -1;

    LockingParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// `query` with its locking clause.
    Statement.Locking locking(Statement.Query query) {
        int position = tokens.take().position();
        Transaction.LockMode mode = Transaction.LockMode.EXCLUSIVE;
        if (tokens.acceptWord("SHARE") || tokens.acceptWords("KEY", "SHARE")) {
            mode = Transaction.LockMode.SHARED;
        } else {
            tokens.expected("SHARE");
            tokens.acceptWords("NO", "KEY");
            tokens.expect(Keyword.UPDATE);
        }
        if (!(query instanceof Statement.Select select)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "FOR UPDATE and FOR SHARE need a plain SELECT, not UNION, VALUES or WITH");
        }
        List<Identifier> of = new ArrayList<>();
        if (tokens.acceptWord("OF")) {
            do {
                of.add(tokens.name("a table name"));
            } while (tokens.accept(","));
        }
        Transaction.Wait.Kind wait = Transaction.Wait.Kind.WAIT;
        if (tokens.acceptWord("NOWAIT")) {
            wait = Transaction.Wait.Kind.NOWAIT;
        } else if (tokens.acceptWord("SKIP")) {
            tokens.expectWord("LOCKED");
            wait = Transaction.Wait.Kind.SKIP;
        }
        return new Statement.Locking(position, limited(select), mode, wait, List.copyOf(of));
    }

    /// `select` with LIMIT, OFFSET and FETCH that follow the locking clause instead of ORDER BY.
    private Statement.Select limited(Statement.Select select) {
        Statement.Tail tail = select.tail();
        if (tail.limit() != null || tail.offset() != null) {
            return select;
        }
        Limits limits = Limits.after(tail.orderBy(), null, tokens, expressions);
        return select.ended(
                new Statement.Tail(
                        tail.orderBy(), limits.limit, limits.offset, limits.ties, limits.percent));
    }

    /// Same as [#locking], for a subquery.
    Statement.Locking within(Statement.Query query) {
        Statement.Locking locking = locking(query);
        if (within < 0) {
            within = locking.position();
        }
        return locking;
    }

    /// Refuses a subquery that locks rows in a statement that does not run as a writing one.
    void check(Statement statement) {
        Statement run =
                statement instanceof Statement.Explain explain ? explain.statement() : statement;
        boolean changes =
                run instanceof Statement.RowChange
                        || (run instanceof Statement.With with
                                && Statement.changesRows(with.tables()));
        if (within >= 0 && !changes) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    within,
                    "Rows are locked by the outermost SELECT, or within a statement that changes"
                            + " rows");
        }
    }
}
