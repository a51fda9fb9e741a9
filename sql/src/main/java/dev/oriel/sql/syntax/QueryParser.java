package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.SearchPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Parses queries: SELECT, VALUES, set operations, and WITH before them. [FromParser] parses FROM.
final class QueryParser {
    /// Maximum nesting depth of queries.
    private static final int NESTING_MAX = 600;

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final FromParser sources;
    private final WindowParser windows;
    private final GroupParser groupings;
    private final LockingParser locks;

    /// Number of reads from each name so far; names in upper case.
    private final Map<String, Integer> mentions = new HashMap<>();

    /// Parses a change of rows, if one begins here.
    private Supplier<Statement.@Nullable RowChange> changes = () -> null;

    /// Changes that stand in FROM; null if there are none.
    private @Nullable ChangedTables changedTables;

    /// Tables of the WITH at the beginning of the statement, and changes that stand in FROM.
    private List<Statement.CommonTable> outermost = new ArrayList<>(0);

    /// Number of WITHs around the place being parsed, without that of the statement.
    private int innerWith;

    /// Whether the next query stands in WITH itself, where a change may follow a WITH of its own.
    private boolean ofName;

    private int nesting;

    /// Whether the tail just parsed has ORDER BY ALL.
    private boolean ordersByAll;

    /// Whether the last operand parsed was in parentheses.
    private boolean enclosed;

    /// DISTINCT ON of the last SELECT parsed; empty if it has none.
    private List<Expression> distinctOn = List.of();

    final DirectArguments direct = new DirectArguments();

    /// TOP of the last SELECT parsed, or null.
    private @Nullable Top top;

    /// The select list of the last SELECT as it is written, if it has set-returning functions.
    private List<Statement.Item> listed = List.of();

    QueryParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.sources = new FromParser(tokens, expressions, this);
        this.windows = new WindowParser(tokens, expressions, this);
        this.groupings = new GroupParser(tokens, expressions);
        this.locks = new LockingParser(tokens, expressions);
        expressions.queries(this);
    }

    /// Parses changes within WITH by `parser`, which returns null if none begins.
    void changes(Supplier<Statement.@Nullable RowChange> parser) {
        changes = parser;
    }

    /// The changes that stand in FROM.
    ChangedTables changedTables() {
        ChangedTables tables = changedTables;
        if (tables == null) {
            tables = new ChangedTables(tokens, this, changes);
            changedTables = tables;
        }
        return tables;
    }

    /// Whether a WITH within the statement is being parsed.
    boolean isWithinInnerWith() {
        return innerWith > 0;
    }

    /// Adds a table to the WITH of the statement, before the one that is being parsed.
    void named(Statement.CommonTable table) {
        outermost.add(table);
    }

    /// `statement` with the changes that stand in its FROM, if it has no WITH that they belong to.
    Statement changed(Statement statement) {
        return outermost.isEmpty()
                ? statement
                : changedTables().around(statement, counted(outermost));
    }

    WindowParser windows() {
        return windows;
    }

    LockingParser locks() {
        return locks;
    }

    /// Whether a query begins here.
    boolean begins() {
        return begins(0, true);
    }

    /// Whether a query begins `ahead` tokens from here. In parentheses it may also be the beginning of an
    /// expression; the tokens after them decide.
    ///
    /// @param enclosed whether a query wholly in parentheses counts
    boolean begins(int ahead, boolean enclosed) {
        int first = tokens.afterParentheses(ahead);
        Token token = tokens.peek(first);
        boolean query =
                token.is(Keyword.SELECT)
                        || token.is(Keyword.WITH)
                        || token.is(Keyword.VALUES)
                        || (token.is(Keyword.TABLE) && tokens.peek(first + 1).isName());
        if (!query || first == ahead) {
            return query;
        }
        for (int open = first - 1; open >= ahead; open--) {
            int behind = tokens.closing(open) + 1;
            Token after = tokens.peek(behind);
            boolean minus = tokens.atWord(behind, "MINUS") && begins(behind + 1, true);
            if (open == ahead) {
                return minus || goesOn(after) || (enclosed && ends(after));
            } else if (!minus && !goesOn(after) && !after.isSymbol(")")) {
                return false;
            }
        }
        return false;
    }

    /// Whether the token `after` a parenthesised query continues it as a larger query.
    private static boolean goesOn(Token after) {
        return after.is(Keyword.UNION)
                || after.is(Keyword.INTERSECT)
                || after.is(Keyword.EXCEPT)
                || after.is(Keyword.ORDER)
                || after.is(Keyword.LIMIT)
                || after.is(Keyword.OFFSET)
                || after.is(Keyword.FETCH);
    }

    /// Whether the token `after` a parenthesised query ends it.
    private static boolean ends(Token after) {
        return after.isSymbol(")")
                || after.isSymbol(";")
                || after.kind() == Token.Kind.END
                || after.is(Keyword.ON)
                || after.is(Keyword.RETURNING)
                || after.is(Keyword.FOR);
    }

    /// Parses a subquery.
    Statement.Query query() {
        Statement.Query query = whole();
        return tokens.peek().is(Keyword.FOR) ? locks.within(query) : query;
    }

    /// Parses the query of a definition.
    Statement.Query fixed() {
        int start = tokens.position();
        int before = expressions.parameters();
        Statement.Query query = query();
        if (expressions.parameters() == before) {
            return query;
        }
        throw tokens.error(Kind.SYNTAX, start, "A definition cannot have parameters");
    }

    /// Parses a query up to FOR UPDATE.
    Statement.Query whole() {
        boolean named = ofName;
        ofName = false;
        if (++nesting > NESTING_MAX) {
            throw tokens.error(
                    Kind.TOO_COMPLEX,
                    tokens.position(),
                    "Queries are nested more than "
                            + NESTING_MAX
                            + " levels deep; name inner ones in WITH or views");
        }
        int before = expressions.beginQuery();
        Statement.Query query = tokens.peek().is(Keyword.WITH) ? with(named) : compound();
        nesting--;
        if (nesting > 0) {
            expressions.endQuery(before);
        }
        return query;
    }

    /// Parses the rest of CALL: of a procedure as a query of all rows that it returns, of an expression as a query of its
    /// value.
    Statement.Query call(int position) {
        if (!atProcedure()) {
            Statement.Item value = new Statement.Item.Value(expressions.expression(), null);
            return rows(position, List.of(value), null);
        }
        Statement.Item all = new Statement.Item.Star(position, null);
        return rows(position, List.of(all), sources.call());
    }

    /// Whether a call follows that is no expression.
    private boolean atProcedure() {
        Token name = tokens.peek();
        if (!name.isName() || name.kind() == Token.Kind.QUOTED) {
            return name.isName();
        }
        int open = tokens.peek(1).isSymbol(".") ? 3 : 1;
        if (Function.of(name.text()) != null || OtherFunctions.is(name.text())) {
            return false;
        } else if (!tokens.peek(open).isSymbol("(")) {
            return tokens.peek(1).kind() == Token.Kind.END;
        }
        Token after = tokens.peek(tokens.closing(open) + 1);
        return after.kind() == Token.Kind.END || after.isSymbol(";");
    }

    /// @param inName whether a change may follow
    private Statement.Query with(boolean inName) {
        int position = tokens.take().position();
        boolean recursive = tokens.accept(Keyword.RECURSIVE);
        innerWith++;
        List<Statement.CommonTable> named = new ArrayList<>();
        named(named);
        Statement.RowChange changed = inName ? changes.get() : null;
        if (changed != null) {
            innerWith--;
            return new Statement.ChangedRows(
                    position,
                    new Statement.WithChange(position, recursive, counted(named), changed));
        }
        Statement.Query body = compound();
        innerWith--;
        return new Statement.With(position, recursive, counted(named), body);
    }

    /// Parses WITH at the beginning of a statement.
    Statement wholeWith() {
        int position = tokens.take().position();
        boolean recursive = tokens.accept(Keyword.RECURSIVE);
        nesting++;
        int _ = expressions.beginQuery();
        named(outermost);
        Statement.RowChange changed = changes.get();
        Statement.Query body = changed == null ? compound() : null;
        nesting--;
        List<Statement.CommonTable> tables = counted(outermost);
        outermost = new ArrayList<>(0);
        if (changed != null) {
            return new Statement.WithChange(position, recursive, tables, changed);
        } else if (body != null) {
            return new Statement.With(position, recursive, tables, body);
        }
        throw new IllegalStateException("WITH before nothing");
    }

    /// Parses the common table expressions of WITH, and adds them to `named`.
    private void named(List<Statement.CommonTable> named) {
        do {
            Identifier name = tokens.name("a name");
            List<Identifier> columns = columns();
            tokens.expect(Keyword.AS);
            if (tokens.accept(Keyword.NOT)) {
                tokens.expect(Keyword.MATERIALIZED);
            } else {
                tokens.accept(Keyword.MATERIALIZED);
            }
            tokens.expect("(");
            Statement.Query query = rowsOfName();
            int end = tokens.peek().position();
            tokens.expect(")");
            int before = mentions.getOrDefault(folded(name), 0);
            RecursionMarks.Search search = search();
            RecursionMarks marks = new RecursionMarks(search, cycle());
            named.add(new Statement.CommonTable(name, columns, query, end, before, marks));
        } while (tokens.accept(","));
    }

    /// Parses a query in WITH, or a change whose rows others read.
    private Statement.Query rowsOfName() {
        int position = tokens.position();
        int before = expressions.beginQuery();
        Statement.RowChange changed = changes.get();
        expressions.endQuery(before);
        if (changed != null) {
            return new Statement.ChangedRows(position, changed);
        }
        ofName = true;
        return query();
    }

    /// `named` with the number of times each is read, known once all is parsed.
    private List<Statement.CommonTable> counted(List<Statement.CommonTable> named) {
        List<Statement.CommonTable> tables = new ArrayList<>();
        for (Statement.CommonTable table : named) {
            int count = mentions.getOrDefault(folded(table.name()), 0) - table.mentions();
            tables.add(table.withMentions(count));
        }
        return List.copyOf(tables);
    }

    /// The SEARCH clause, if there is one.
    private RecursionMarks.@Nullable Search search() {
        int position = tokens.peek().position();
        if (!tokens.acceptWord("SEARCH")) {
            return null;
        }
        boolean depth = tokens.acceptWord("DEPTH");
        if (!depth) {
            tokens.expected("DEPTH");
            tokens.expectWord("BREADTH");
        }
        tokens.expect(Keyword.FIRST);
        tokens.expect(Keyword.BY);
        List<Identifier> columns = new ArrayList<>();
        do {
            columns.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(Keyword.SET);
        Identifier sequence = tokens.name("a name for the order");
        return new RecursionMarks.Search(position, depth, List.copyOf(columns), sequence);
    }

    /// The CYCLE clause, if there is one.
    private RecursionMarks.@Nullable Cycle cycle() {
        int position = tokens.peek().position();
        if (!tokens.acceptWord("CYCLE")) {
            return null;
        }
        List<Identifier> columns = new ArrayList<>();
        do {
            columns.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(Keyword.SET);
        Identifier mark = tokens.name("a name for the mark");
        String value = "TRUE";
        String otherwise = "FALSE";
        if (tokens.accept(Keyword.TO)) {
            value = constant();
            tokens.expectWord("DEFAULT");
            otherwise = constant();
        }
        tokens.expect(Keyword.USING);
        Identifier path = tokens.name("a name for the path");
        return new RecursionMarks.Cycle(
                position, List.copyOf(columns), mark, value, otherwise, path);
    }

    /// The text of a literal.
    private String constant() {
        int begin = tokens.peek().position();
        if (!(expressions.expression() instanceof Expression.Literal)) {
            throw tokens.source()
                    .error(
                            SqlException.Kind.SYNTAX,
                            begin,
                            "The values of a CYCLE mark must be literals");
        }
        return tokens.source().text().substring(begin, tokens.peek().position());
    }

    private static String folded(Identifier name) {
        return name.name().toUpperCase(Locale.ROOT);
    }

    /// Notes a read of the table `name`.
    void mentioned(Identifier name) {
        mentions.merge(folded(name), 1, Integer::sum);
    }

    /// Parses column names in parentheses, if there are any.
    List<Identifier> columns() {
        List<Identifier> columns = new ArrayList<>();
        if (tokens.accept("(")) {
            do {
                columns.add(tokens.name("a column name"));
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        return List.copyOf(columns);
    }

    private Statement.Query compound() {
        Statement.Query left = intersection();
        int operands = 1;
        while (tokens.peek().is(Keyword.UNION) || tokens.peek().is(Keyword.EXCEPT) || atMinus()) {
            left = firsts(left, takeFirsts(), List.of());
            Token word = tokens.take();
            boolean all = all();
            Statement.Query right = intersection();
            right = firsts(right, takeFirsts(), List.of());
            expressions.growQuery(++operands);
            Statement.SetKind kind =
                    word.is(Keyword.UNION) ? Statement.SetKind.UNION : Statement.SetKind.EXCEPT;
            left = combined(word, kind, all, left, right);
        }
        boolean inner = enclosed;
        tokens.expected("UNION");
        tokens.expected("INTERSECT");
        tokens.expected("EXCEPT");
        List<Expression> firstOf = takeFirsts();
        Expression.Call outer = direct.begin();
        Top first = top;
        top = null; // queries within ORDER BY have their own
        List<Statement.Item> list = listed;
        listed = List.of();
        Statement.Tail tail = tail(first);
        if (!list.isEmpty() && left instanceof Statement.Select) {
            tail = RowsKeys.ordered(tail, list);
        }
        direct.end(tokens, left instanceof Statement.Select of ? of.groupBy() : List.of(), outer);
        if (ordersByAll) {
            ordersByAll = false;
            tail = AllColumns.ordered(tokens, left, tail);
        }
        Statement.Query whole = EndedQuery.of(firsts(left, firstOf, tail.orderBy()), inner, tail);
        enclosed = false;
        return whole;
    }

    private Statement.Query intersection() {
        Statement.Query left = operand();
        int operands = 1;
        while (tokens.peek().is(Keyword.INTERSECT)) {
            left = firsts(left, takeFirsts(), List.of());
            Token word = tokens.take();
            boolean all = all();
            Statement.Query right = operand();
            right = firsts(right, takeFirsts(), List.of());
            expressions.growQuery(++operands);
            left = combined(word, Statement.SetKind.INTERSECT, all, left, right);
        }
        return left;
    }

    /// Returns and clears DISTINCT ON of the last SELECT parsed.
    private List<Expression> takeFirsts() {
        List<Expression> taken = distinctOn;
        distinctOn = List.of();
        return taken;
    }

    private Statement.Query firsts(
            Statement.Query query, List<Expression> on, List<Statement.Order> orderBy) {
        return !on.isEmpty() && query instanceof Statement.Select select
                ? FirstRows.of(tokens, select, on, orderBy)
                : query;
    }

    private boolean all() {
        Top.refuse(top, tokens);
        boolean all = tokens.accept(Keyword.ALL);
        if (!all) {
            tokens.accept(Keyword.DISTINCT);
        }
        return all;
    }

    private Statement.Query combined(
            Token word,
            Statement.SetKind kind,
            boolean all,
            Statement.Query left,
            Statement.Query right) {
        Top.refuse(top, tokens);
        enclosed = false;
        return new Statement.SetOperation(
                word.position(), kind, all, left, right, Statement.Tail.NONE);
    }

    private Statement.Query operand() {
        if (tokens.accept("(")) {
            Statement.Query query = query();
            tokens.expect(")");
            enclosed = true;
            return query;
        }
        enclosed = false;
        if (tokens.peek().is(Keyword.VALUES)) {
            return values();
        }
        return tokens.peek().is(Keyword.TABLE) ? table() : select();
    }

    /// `TABLE t` is `SELECT * FROM t`.
    private Statement.Query table() {
        int position = tokens.take().position();
        Identifier name = tokens.relation("a table name");
        mentioned(name);
        return rows(
                position,
                List.of(new Statement.Item.Star(position, null)),
                new Statement.From.Named(name, null, List.of()));
    }

    /// Parses VALUES and its rows. A row of one value may omit its parentheses, as in H2.
    Statement.Query values() {
        int position = tokens.take().position();
        List<Statement.Values> rows = new ArrayList<>();
        do {
            int row = tokens.position();
            if (tokens.peek().is(Keyword.ROW) && tokens.peek(1).isSymbol("(")) {
                tokens.take(); // as in MySQL
            }
            if (isRow()) {
                tokens.expect("(");
                rows.add(new Statement.Values(row, expressions.expressions()));
                tokens.expect(")");
            } else {
                rows.add(new Statement.Values(row, List.of(expressions.expression())));
            }
        } while (tokens.accept(","));
        return new Statement.RowList(position, List.copyOf(rows), Statement.Tail.NONE);
    }

    /// Whether a row in parentheses follows, and not an expression that begins with them.
    private boolean isRow() {
        if (!tokens.peek().isSymbol("(")) {
            tokens.expected("\"(\"");
            return false;
        }
        if (begins(1, true)) {
            return false;
        }
        Token after = tokens.peek(tokens.closing(0) + 1);
        return after.kind() != Token.Kind.SYMBOL
                || after.isSymbol(",")
                || after.isSymbol(")")
                || after.isSymbol(";");
    }

    /// A SELECT of `items` from `from`, without further clauses.
    static Statement.Select rows(
            int position, List<Statement.Item> items, Statement.@Nullable From from) {
        return new Statement.Select(
                position,
                false,
                items,
                from,
                null,
                List.of(),
                null,
                List.of(),
                null,
                Statement.Tail.NONE);
    }

    @SuppressWarnings("ReferenceEquality") // without such functions FROM stays as it is
    private Statement.Select select() {
        int position = tokens.position();
        tokens.expect(Keyword.SELECT);
        boolean distinct = tokens.peek().is(Keyword.DISTINCT);
        if (distinct || tokens.peek().is(Keyword.ALL)) {
            tokens.take();
        }
        boolean firsts = distinct && tokens.accept(Keyword.ON);
        List<Expression> on = List.of();
        if (firsts) {
            tokens.expect("(");
            on = List.copyOf(expressions.expressions());
            tokens.expect(")");
        }
        Top first = Top.of(tokens);
        Expression.Call outer = direct.begin();
        List<Statement.Item> items =
                (tokens.peek().is(Keyword.FROM) || atNoItems()) && !distinct ? List.of() : items();
        Statement.@Nullable From from = tokens.accept(Keyword.FROM) ? sources.from() : null;
        Expression where = tokens.accept(Keyword.WHERE) ? expressions.expression() : null;
        List<Statement.GroupElement> groupBy = acceptBy(Keyword.GROUP) ? groups(items) : List.of();
        Expression having = tokens.accept(Keyword.HAVING) ? expressions.expression() : null;
        List<Statement.NamedWindow> named =
                tokens.accept(Keyword.WINDOW) ? windows.named() : List.of();
        Expression qualify = tokens.accept(Keyword.QUALIFY) ? expressions.expression() : null;
        if (firsts && qualify != null) {
            throw tokens.source()
                    .error(
                            Kind.NOT_SUPPORTED,
                            position,
                            "A SELECT has DISTINCT ON or QUALIFY, not both: put one into a query in"
                                    + " FROM");
        }
        direct.end(tokens, groupBy, outer);
        distinctOn = on;
        top = first;
        Statement.Select select =
                new Statement.Select(
                        position,
                        distinct && !firsts,
                        List.copyOf(items),
                        from,
                        where,
                        groupBy,
                        having,
                        named,
                        qualify,
                        Statement.Tail.NONE);
        Statement.Select moved = SelectedRows.moved(select, firsts, tokens);
        listed = moved.from() == from ? List.of() : select.items();
        return moved;
    }

    /// Whether the select list is empty, as in PostgreSQL: a row without columns.
    private boolean atNoItems() {
        Token token = tokens.peek();
        boolean clause =
                token.is(Keyword.WHERE)
                        || token.is(Keyword.GROUP)
                        || token.is(Keyword.HAVING)
                        || token.is(Keyword.QUALIFY);
        return clause || ends(token) || goesOn(token);
    }

    private List<Statement.GroupElement> groups(List<Statement.Item> items) {
        int position = tokens.position();
        if (tokens.accept(Keyword.DISTINCT)) {
            List<Statement.GroupElement> elements = new ArrayList<>();
            elements.add(new Statement.GroupElement.Distinct());
            elements.addAll(groupings.elements());
            return List.copyOf(elements);
        }
        return tokens.accept(Keyword.ALL) && AllColumns.ends(tokens.peek())
                ? AllColumns.keys(tokens, position, items)
                : groupings.elements();
    }

    private Statement.Tail tail(@Nullable Top first) {
        List<Statement.Order> orderBy = acceptBy(Keyword.ORDER) ? orders(true) : List.of();
        Limits limits = Limits.after(orderBy, first, tokens, expressions);
        return new Statement.Tail(
                orderBy, limits.limit, limits.offset, limits.ties, limits.percent);
    }

    /// Accepts `keyword` BY, if it is next.
    boolean acceptBy(Keyword keyword) {
        if (!tokens.accept(keyword)) {
            return false;
        }
        tokens.expect(Keyword.BY);
        return true;
    }

    List<Statement.Item> items() {
        List<Statement.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (tokens.accept(","));
        return items;
    }

    /// Parses FROM.
    Statement.From from() {
        return sources.from();
    }

    private Statement.Item item() {
        Token token = tokens.peek();
        if (token.isSymbol("*")) {
            tokens.take();
            return star(token.position(), null);
        }
        if (token.isName()
                && tokens.peek(1).isSymbol(".")
                && tokens.peek(3).isSymbol(".")
                && tokens.peek(4).isSymbol("*")) {
            tokens.take();
            tokens.take();
            String table = tokens.name("a table name").name();
            tokens.take();
            tokens.take();
            String qualifier = SearchPath.named(token.text(), table);
            return star(token.position(), qualifier);
        }
        if (token.isName() && tokens.peek(1).isSymbol(".") && tokens.peek(2).isSymbol("*")) {
            tokens.take();
            tokens.take();
            tokens.take();
            return star(token.position(), token.text());
        }
        if (token.is(Keyword.FROM)) {
            tokens.expected("a column name");
            tokens.expected("an expression");
            tokens.expected("\"*\"");
            throw tokens.unexpected();
        }
        Expression value = expressions.expression();
        if (value instanceof Expression.Name star && star.name().equals(Expression.Name.ALL)) {
            return new Statement.Item.Star(star.position(), star.qualifier());
        }
        Identifier name = tokens.accept(Keyword.AS) ? tokens.heading() : alias();
        return new Statement.Item.Value(value, name);
    }

    /// `*`, perhaps with EXCEPT (or EXCLUDE, as in DuckDB) and names of columns, which no query begins with.
    private Statement.Item.Star star(int position, @Nullable String qualifier) {
        boolean less =
                (tokens.peek().is(Keyword.EXCEPT) || tokens.atWord(0, "EXCLUDE"))
                        && tokens.peek(1).isSymbol("(")
                        && tokens.peek(2).isName();
        if (!less) {
            return new Statement.Item.Star(position, qualifier);
        }
        tokens.take();
        tokens.expect("(");
        List<Expression.Name> without = new ArrayList<>();
        do {
            Identifier first = tokens.name("a column name");
            Identifier column = tokens.accept(".") ? tokens.name("a column name") : null;
            without.add(
                    column == null
                            ? new Expression.Name(first.position(), null, first.name())
                            : new Expression.Name(first.position(), first.name(), column.name()));
        } while (tokens.accept(","));
        int end = tokens.position() + 1;
        tokens.expect(")");
        return new Statement.Item.Star(position, qualifier, List.copyOf(without), end);
    }

    /// Parses an alias, if there is one.
    @Nullable Identifier alias() {
        if (tokens.accept(Keyword.AS)) {
            return tokens.name("a name");
        }
        boolean other = atMinus() || (tokens.atWord(0, "TABLESAMPLE") && tokens.peek(1).isName());
        return tokens.peek().isName() && !other ? tokens.name("a name") : null;
    }

    /// Whether MINUS and a query follow, Oracle's EXCEPT.
    private boolean atMinus() {
        return tokens.atWord(0, "MINUS") && begins(1, true);
    }

    /// Parses the keys of ORDER BY.
    List<Statement.Order> orders() {
        return orders(false);
    }

    /// @param ofRows whether ALL may stand for the columns of the select list
    private List<Statement.Order> orders(boolean ofRows) {
        List<Statement.Order> orders = new ArrayList<>();
        int highest = 0;
        do {
            boolean all = ofRows && orders.isEmpty() && tokens.peek().is(Keyword.ALL);
            ordersByAll |= all;
            Expression expression =
                    all
                            ? new Expression.Name(
                                    tokens.take().position(), null, Expression.Name.ALL)
                            : expressions.expression();
            highest = Math.max(highest, expressions.height());
            boolean by =
                    tokens.accept(Keyword.USING); // PostgreSQL: by the operator that comes first
            boolean descending = by ? tokens.accept(">") : tokens.accept(Keyword.DESC);
            if (by && !descending) {
                tokens.expect("<");
            } else if (!descending) {
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
        expressions.height(highest);
        return List.copyOf(orders);
    }
}
