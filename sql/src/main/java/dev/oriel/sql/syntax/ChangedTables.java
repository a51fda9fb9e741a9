package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// FINAL TABLE, NEW TABLE and OLD TABLE of a change, as in the SQL standard and H2. Each becomes a change in the WITH
/// of the whole statement, which reads the rows that it returns.
public final class ChangedTables {
    /// Name of the rows before a change in its RETURNING, beside OLD, which may be the name of a table.
    public static final String OLD_ROWS = "?old";

    private final TokenReader tokens;
    private final QueryParser queries;
    private final Supplier<Statement.@Nullable RowChange> changes;
    private int number;

    ChangedTables(
            TokenReader tokens,
            QueryParser queries,
            Supplier<Statement.@Nullable RowChange> changes) {
        this.tokens = tokens;
        this.queries = queries;
        this.changes = changes;
    }

    /// Parses one as a table in FROM.
    From from() {
        int position = tokens.position();
        boolean old = tokens.acceptWord("OLD");
        if (!old) {
            tokens.take();
        }
        tokens.expect(Keyword.TABLE);
        tokens.expect("(");
        Statement.RowChange change = changes.get();
        if (change == null) {
            tokens.expected("INSERT");
            throw tokens.unexpected();
        }
        if (!change.returning().isEmpty()) {
            throw tokens.error(
                    Kind.SYNTAX,
                    position,
                    "A change in FROM returns its whole rows; leave out RETURNING");
        }
        boolean deletes = change instanceof Statement.Delete;
        if (old ? !deletes && !(change instanceof Statement.Update) : deletes) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    old
                            ? "OLD TABLE goes with UPDATE and DELETE; write RETURNING old.* in WITH"
                            : "A DELETE leaves no rows; write OLD TABLE");
        }
        if (change instanceof Statement.Merge merge && mayDelete(merge)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "A MERGE that deletes would show deleted rows too; write RETURNING in WITH");
        }
        int end = tokens.position();
        tokens.expect(")");
        if (queries.isWithinInnerWith()) {
            throw within(position);
        }
        Identifier name = new Identifier(position, unusedName());
        String rows = old && !deletes ? OLD_ROWS : called(change);
        List<Statement.Item> all = List.of(new Statement.Item.Star(position, rows));
        queries.mentioned(name);
        queries.named(
                new Statement.CommonTable(
                        name,
                        List.of(),
                        new Statement.ChangedRows(position, change.withReturning(all)),
                        end,
                        0,
                        new RecursionMarks(null, null)));
        Identifier alias = queries.alias();
        List<Identifier> columns = alias == null ? List.of() : queries.columns();
        return new From.Named(name, alias == null ? change.table() : alias, columns);
    }

    private static boolean mayDelete(Statement.Merge merge) {
        return merge.whens().stream()
                .anyMatch(when -> when.action() instanceof Statement.MergeAction.Delete);
    }

    /// A name that the statement does not mention.
    private String unusedName() {
        while (true) {
            String name = "changed table " + ++number;
            if (tokens.all().stream().noneMatch(token -> token.text().equalsIgnoreCase(name))) {
                return name;
            }
        }
    }

    /// The name of the changed table within the change.
    private static String called(Statement.RowChange change) {
        Identifier alias =
                switch (change) {
                    case Statement.Insert insert -> insert.alias();
                    case Statement.Update update -> update.alias();
                    case Statement.Delete delete -> delete.alias();
                    case Statement.Merge merge -> merge.alias();
                    case Statement.CopyFrom copy -> null;
                    case Statement.WithChange with -> null;
                };
        return alias == null ? change.table().name() : alias.name();
    }

    /// `statement` with `tables` before it, which are the changes that it reads.
    Statement around(Statement statement, List<Statement.CommonTable> tables) {
        return switch (statement) {
            case Statement.Query query ->
                    new Statement.With(query.position(), false, tables, query);
            case Statement.WithChange with -> throw within(with.position());
            case Statement.RowChange change ->
                    new Statement.WithChange(change.position(), false, tables, change);
            case Statement.Explain explain ->
                    new Statement.Explain(
                            explain.position(),
                            around(explain.statement(), tables),
                            explain.options());
            default -> throw within(statement.position());
        };
    }

    private SqlException within(int position) {
        return tokens.error(
                Kind.NOT_SUPPORTED,
                position,
                "A change in FROM belongs to the whole statement, a query or a change; write WITH"
                        + " name AS (change RETURNING *) at its beginning");
    }
}
