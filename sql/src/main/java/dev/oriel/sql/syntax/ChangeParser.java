package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Assignment;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Matching;
import dev.oriel.sql.syntax.Statement.MergeAction;
import dev.oriel.sql.syntax.Statement.Overriding;
import dev.oriel.sql.text.Keyword;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Parses INSERT, UPDATE, DELETE, MERGE and UPSERT, and REPLACE, which is UPSERT.
final class ChangeParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final QueryParser queries;

    ChangeParser(TokenReader tokens, ExpressionParser expressions, QueryParser queries) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.queries = queries;
    }

    Statement insert(int position) {
        boolean ignores = !tokens.peek().is(Keyword.INTO) && tokens.acceptWord("IGNORE");
        tokens.expect(Keyword.INTO);
        Identifier table = tokens.relation("a table name");
        Identifier alias = tokens.accept(Keyword.AS) ? tokens.name("a name") : null;
        Statement.OnConflict nothing =
                new Statement.OnConflict(position, List.of(), null, null, null, null, false, false);
        return inserted(position, table, alias, ignores ? nothing : null); // IGNORE: as of MySQL
    }

    /// @param upsert action for rows that exist already; null if ON CONFLICT may give one
    private Statement inserted(
            int position,
            Identifier table,
            @Nullable Identifier alias,
            Statement.@Nullable OnConflict upsert) {
        List<Identifier> columns = List.of();
        InsertParts parts = null;
        tokens.expected("\"(\"");
        if (tokens.peek().isSymbol("(") && tokens.peek(1).isSymbol(")")) {
            tokens.take(); // as of MySQL, before empty VALUES
            tokens.take();
        } else if (tokens.peek().isSymbol("(") && !queries.begins()) {
            List<Identifier> listed = new ArrayList<>();
            parts = listed(table, listed);
            columns = parts == null ? listed : parts.columns();
        }
        boolean assigned = columns.isEmpty() && tokens.peek().is(Keyword.SET);
        List<Assignment> set = assigned ? set() : List.of();
        if (assigned) {
            columns = set.stream().map(Assignment::column).toList();
        }
        Overriding overriding = overriding();
        Statement.InsertSource source = assigned ? row(position, set) : source();
        source = parts == null ? source : parts.of(source);
        Statement.OnConflict conflict = upsert;
        if (upsert == null && tokens.peek().is(Keyword.ON) && tokens.atWord(1, "DUPLICATE")) {
            conflict = onDuplicateKey(alias == null ? table : alias);
        } else if (upsert == null && tokens.peek().is(Keyword.ON) && tokens.atWord(1, "CONFLICT")) {
            int at = tokens.take().position();
            tokens.take();
            conflict = conflict(at, alias == null ? table : alias);
        }
        return new Statement.Insert(
                position, table, alias, columns, overriding, source, conflict, returning());
    }

    /// `SET column = value, ...` of an INSERT, as in MySQL and H2.
    private List<Assignment> set() {
        tokens.expect(Keyword.SET);
        List<Assignment> set = new ArrayList<>();
        do {
            Identifier column = tokens.name("a column name");
            tokens.expect("=");
            set.add(new Assignment(column, expressions.expression()));
        } while (tokens.accept(","));
        return set;
    }

    private static Statement.InsertSource row(int position, List<Assignment> set) {
        List<Expression> values = new ArrayList<>();
        for (Assignment assignment : set) {
            values.add(Objects.requireNonNull(assignment.value()));
        }
        return new Statement.InsertSource.Rows(List.of(new Statement.Values(position, values)));
    }

    private Overriding overriding() {
        if (!tokens.acceptWord("OVERRIDING")) {
            return Overriding.NONE;
        }
        boolean system = tokens.acceptWord("SYSTEM");
        if (!system) {
            tokens.expectWord("USER");
        }
        tokens.expectWord("VALUE");
        return system ? Overriding.SYSTEM : Overriding.USER;
    }

    private Statement.InsertSource source() {
        if (tokens.acceptWords("DEFAULT", "VALUES")) {
            return new Statement.InsertSource.Defaults();
        }
        boolean rows = tokens.peek().is(Keyword.VALUES);
        if (rows && tokens.peek(1).isSymbol("(") && tokens.peek(2).isSymbol(")")) {
            tokens.take();
            tokens.take();
            tokens.take();
            return new Statement.InsertSource.Defaults();
        }
        tokens.expected("VALUES");
        if (!rows && !queries.begins()) {
            tokens.expected("SELECT");
            throw tokens.unexpected();
        }
        Statement.Query query = queries.query();
        return query instanceof Statement.RowList list && list.tail().isNone()
                ? new Statement.InsertSource.Rows(list.rows())
                : new Statement.InsertSource.OfQuery(query);
    }

    /// `ON DUPLICATE KEY UPDATE column = value, ...`, as in MySQL and H2. VALUES(column) in it is the value to be
    /// inserted.
    private Statement.OnConflict onDuplicateKey(Identifier target) {
        int position = tokens.take().position();
        tokens.take();
        tokens.expect(Keyword.KEY);
        tokens.expect(Keyword.UPDATE);
        List<Assignment> assignments =
                expressions.withValuesOf("EXCLUDED", () -> assignments(target));
        return new Statement.OnConflict(
                position, List.of(), null, null, assignments, null, false, true);
    }

    private Statement.OnConflict conflict(int position, Identifier target) {
        List<Identifier> columns = List.of();
        Identifier constraint = null;
        ConflictIndex index = null;
        if (tokens.accept("(")) {
            List<Expression> terms = expressions.expressions();
            tokens.expect(")");
            Expression indexed = where();
            columns = names(terms);
            if (indexed != null || columns.isEmpty()) {
                index = new ConflictIndex(List.copyOf(terms), indexed);
            }
        } else if (tokens.accept(Keyword.ON)) {
            tokens.expect(Keyword.CONSTRAINT);
            constraint = tokens.name("a constraint name");
        }
        tokens.expectWord("DO");
        if (tokens.acceptWord("NOTHING")) {
            return new Statement.OnConflict(
                    position, columns, index, constraint, null, null, false, false);
        }
        tokens.expected("NOTHING");
        tokens.expect(Keyword.UPDATE);
        tokens.expect(Keyword.SET);
        List<Assignment> assignments = assignments(target);
        return new Statement.OnConflict(
                position, columns, index, constraint, assignments, where(), false, false);
    }

    /// The columns that `terms` are; empty if one is an expression.
    private static List<Identifier> names(List<Expression> terms) {
        List<Identifier> names = new ArrayList<>();
        for (Expression term : terms) {
            if (!(term instanceof Expression.Name name) || name.qualifier() != null) {
                return List.of();
            }
            boolean known = names.stream().anyMatch(n -> n.name().equalsIgnoreCase(name.name()));
            if (!known) {
                names.add(new Identifier(name.position(), name.name()));
            }
        }
        return List.copyOf(names);
    }

    Statement update(int position) {
        Top top = Top.ofChange(tokens);
        Identifier table = tokens.onlyTable();
        Identifier alias = tokens.peek().is(Keyword.SET) ? null : queries.alias();
        tokens.expect(Keyword.SET);
        List<Assignment> assignments = assignments(alias == null ? table : alias);
        Statement.@Nullable From from = tokens.accept(Keyword.FROM) ? queries.from() : null;
        return new Statement.Update(
                position, table, alias, assignments, from, where(), limit(top, from), returning());
    }

    /// @param target name of the table to change
    private List<Assignment> assignments(Identifier target) {
        return new SetParser(tokens, expressions, target).assignments();
    }

    Statement delete(int position) {
        Top top = Top.ofChange(tokens);
        tokens.expect(Keyword.FROM);
        Identifier table = tokens.onlyTable();
        Identifier alias = queries.alias();
        Statement.@Nullable From using = tokens.accept(Keyword.USING) ? queries.from() : null;
        return new Statement.Delete(
                position, table, alias, using, where(), limit(top, using), returning());
    }

    Statement merge(int position) {
        tokens.expect(Keyword.INTO);
        Identifier table = tokens.relation("a table name");
        boolean keyed = tokens.atWord(0, "KEY") && tokens.peek(1).isSymbol("(");
        if (keyed || tokens.peek().isSymbol("(") || queries.begins()) {
            return replaced(position, table);
        }
        Identifier alias = queries.alias();
        return merged(position, table, alias);
    }

    /// `MERGE INTO t (columns) KEY (columns) VALUES ...`, H2's form of UPSERT.
    private Statement replaced(int position, Identifier table) {
        boolean listed = tokens.peek().isSymbol("(") && !queries.begins();
        List<Identifier> columns = listed ? names() : List.of();
        List<Identifier> key = tokens.acceptWord("KEY") ? names() : List.of();
        return new Statement.Insert(
                position,
                table,
                null,
                columns,
                Overriding.NONE,
                source(),
                new Statement.OnConflict(position, key, null, null, List.of(), null, true, false),
                returning());
    }

    /// `UPSERT INTO ... VALUES` replaces rows with the same primary key; with USING it is MERGE.
    Statement upsert(int position) {
        tokens.expect(Keyword.INTO);
        Identifier table = tokens.relation("a table name");
        boolean rows =
                tokens.atWord(0, "OVERRIDING")
                        || (tokens.atWord(0, "DEFAULT") && tokens.peek(1).is(Keyword.VALUES));
        Identifier alias = rows ? null : queries.alias();
        tokens.expected("USING");
        if (tokens.peek().is(Keyword.USING)) {
            return merged(position, table, alias);
        }
        return inserted(
                position,
                table,
                alias,
                new Statement.OnConflict(
                        position, List.of(), null, null, List.of(), null, true, false));
    }

    private Statement merged(int position, Identifier table, @Nullable Identifier alias) {
        tokens.expect(Keyword.USING);
        Statement.From source = queries.from();
        tokens.expect(Keyword.ON);
        Expression on = expressions.expression();
        List<Statement.MergeWhen> whens = new ArrayList<>();
        do {
            whens.add(when(table, alias == null ? table : alias));
        } while (tokens.peek().is(Keyword.WHEN));
        return new Statement.Merge(position, table, alias, source, on, whens, returning());
    }

    private Statement.MergeWhen when(Identifier table, Identifier target) {
        int position = tokens.position();
        tokens.expect(Keyword.WHEN);
        boolean not = tokens.accept(Keyword.NOT);
        tokens.expectWord("MATCHED");
        Matching rows = not ? Matching.NOT_BY_TARGET : Matching.MATCHED;
        if (not && tokens.accept(Keyword.BY)) {
            if (tokens.acceptWord("SOURCE")) {
                rows = Matching.NOT_BY_SOURCE;
            } else {
                tokens.expectWord("TARGET");
            }
        }
        Expression condition = tokens.accept(Keyword.AND) ? expressions.expression() : null;
        tokens.expect(Keyword.THEN);
        boolean stored = rows != Matching.NOT_BY_TARGET;
        return new Statement.MergeWhen(position, rows, condition, action(stored, table, target));
    }

    /// @param stored whether it changes a row of the target, or else adds one
    private MergeAction action(boolean stored, Identifier table, Identifier target) {
        if (tokens.acceptWord("DO")) {
            tokens.expectWord("NOTHING");
            return new MergeAction.Nothing();
        }
        tokens.expected("DO NOTHING");
        if (stored && tokens.accept(Keyword.DELETE)) {
            return new MergeAction.Delete();
        }
        if (stored) {
            tokens.expect(Keyword.UPDATE);
            tokens.expect(Keyword.SET);
            return new MergeAction.Update(assignments(target));
        }
        tokens.expect(Keyword.INSERT);
        List<Identifier> columns = new ArrayList<>();
        InsertParts parts = tokens.peek().isSymbol("(") ? listed(table, columns) : null;
        columns = parts == null ? columns : parts.columns();
        Overriding overriding = overriding();
        if (tokens.acceptWords("DEFAULT", "VALUES")) {
            return new MergeAction.Insert(columns, null, overriding);
        }
        tokens.expect(Keyword.VALUES);
        int position = tokens.position();
        tokens.expect("(");
        List<Expression> values = expressions.expressions();
        tokens.expect(")");
        Statement.Values row = new Statement.Values(position, values);
        return new MergeAction.Insert(columns, parts == null ? row : parts.of(row), overriding);
    }

    private List<Statement.Item> returning() {
        return tokens.accept(Keyword.RETURNING) ? queries.items() : List.of();
    }

    /// Parses the columns of an INSERT into `columns`.
    ///
    /// @return the parts of columns among them; null if there are none
    private @Nullable InsertParts listed(Identifier table, List<Identifier> columns) {
        List<PartParser.@Nullable Part> parts = new ArrayList<>();
        boolean any = false;
        tokens.expect("(");
        do {
            columns.add(tokens.name("a column name"));
            boolean part = tokens.peek().isSymbol("[") || tokens.peek().isSymbol(".");
            parts.add(part ? PartParser.part(tokens, expressions) : null);
            any |= part;
        } while (tokens.accept(","));
        tokens.expect(")");
        return any ? new InsertParts(tokens, table, List.copyOf(columns), parts) : null;
    }

    private List<Identifier> names() {
        List<Identifier> names = new ArrayList<>();
        tokens.expect("(");
        do {
            names.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(")");
        return names;
    }

    /// LIMIT or FETCH after WHERE: the number of rows to change.
    private @Nullable Expression limit(@Nullable Top top, Statement.@Nullable From others) {
        int position = tokens.position();
        Expression limit = null;
        if (tokens.accept(Keyword.LIMIT)) {
            limit = expressions.expression();
        } else if (tokens.accept(Keyword.FETCH)) {
            limit = Limits.fetch(tokens, expressions);
            tokens.expect(Keyword.ONLY);
        }
        if (top != null && (limit != null || top.percent() || top.ties())) {
            throw tokens.error(
                    Kind.SYNTAX,
                    top.position(),
                    "A change has TOP with a number of rows, or LIMIT; leave the rest out");
        } else if (top != null) {
            limit = top.count();
        }
        if (limit != null && others != null) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "A change by a join has no LIMIT; name its rows by a query with a LIMIT");
        }
        return limit;
    }

    private @Nullable Expression where() {
        if (!tokens.accept(Keyword.WHERE)) {
            return null;
        }
        if (tokens.atWord(0, "CURRENT") && tokens.atWord(1, "OF")) {
            int position = tokens.take().position();
            tokens.take();
            Identifier cursor = tokens.name("a cursor name");
            Expression name =
                    new Expression.Literal(
                            cursor.position(), Expression.Literal.Kind.STRING, cursor.name());
            return new Expression.Call(position, Function.CURRENT_OF.called(), List.of(name));
        }
        return expressions.expression();
    }
}
