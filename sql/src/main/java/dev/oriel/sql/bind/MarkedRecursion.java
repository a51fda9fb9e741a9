package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.RecursionMarks;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// SEARCH and CYCLE of a recursive query, as in the standard. With CYCLE a row is marked, and not expanded, if its
/// values occurred earlier on its path from the first rows. SEARCH adds a column that orders the rows depth first or
/// breadth first.
///
/// Implemented by rewriting the query. For CYCLE each row carries its path as an array of texts, one for each row on
/// it: `(1)`, or `(1,"a")` for several columns. The first operand begins the path. The second operand takes the path
/// of the row that it expands, which must not be marked, and appends its own text. For SEARCH DEPTH FIRST a row
/// carries an array of the rows on its path, with itself as the last, for BREADTH FIRST a row that begins with its
/// depth.
final class MarkedRecursion {
    private static final String ROWS = "marked rows";

    private final SqlText source;
    private final Statement.CommonTable table;
    private final RecursionMarks marks;
    private final RecursionMarks.@Nullable Search search;
    private final RecursionMarks.@Nullable Cycle cycle;
    private final List<Column> columns;

    /// @param columns columns of `table` without those of the clauses
    MarkedRecursion(SqlText source, Statement.CommonTable table, List<Column> columns) {
        this.source = source;
        this.table = table;
        this.marks = table.marks();
        this.search = marks.search();
        this.cycle = marks.cycle();
        this.columns = columns;
        List<Identifier> added = added();
        for (int i = 0; i < added.size(); i++) {
            Identifier name = added.get(i);
            boolean taken =
                    added.subList(0, i).stream()
                            .anyMatch(before -> before.name().equalsIgnoreCase(name.name()));
            if (taken || position(name) >= 0) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "\""
                                + name.name()
                                + "\" is a column of the query already; choose another name");
            }
        }
    }

    private int position(Identifier name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name.name())) {
                return i;
            }
        }
        return -1;
    }

    private List<Identifier> added() {
        List<Identifier> added = new ArrayList<>();
        if (search != null) {
            added.add(search.sequence());
        }
        if (cycle != null) {
            added.add(cycle.mark());
            added.add(cycle.path());
        }
        return added;
    }

    /// Names of all columns.
    List<Identifier> names() {
        List<Identifier> names = columns();
        names.addAll(added());
        return names;
    }

    /// `operation` with the columns of the clauses.
    Statement.SetOperation of(Statement.SetOperation operation) {
        return new Statement.SetOperation(
                operation.position(),
                operation.kind(),
                operation.all(),
                first(operation.left()),
                next(operation),
                operation.tail());
    }

    private Statement.Query first(Statement.Query query) {
        StringBuilder text = new StringBuilder("SELECT ").append(list());
        if (search != null) {
            text.append(search.depth() ? ", ARRAY[" + row("") + "]" : ", " + row("0::BIGINT, "));
        }
        if (cycle != null) {
            text.append(", " + cycle.otherwise() + ", ARRAY[" + key() + "]");
        }
        return reading(text.append(" FROM (SELECT 1) AS x").toString(), query, columns());
    }

    private Statement.Query next(Statement.SetOperation operation) {
        if (!(operation.right() instanceof Statement.Select select)
                || select.from() == null
                || select.distinct()
                || AggregateLevels.isWrittenGrouped(select)) {
            throw refused("a SELECT without DISTINCT and groups");
        }
        Identifier working = working(select.from());
        if (working == null) {
            throw refused("a SELECT that reads \"" + table.name().name() + "\" in its FROM");
        }
        List<Statement.Item> items = new ArrayList<>(select.items());
        for (Statement.Item item : items) {
            if (item instanceof Statement.Item.Star star
                    && (star.qualifier() == null
                            || star.qualifier().equalsIgnoreCase(working.name()))) {
                throw refused("a SELECT that names its columns, without *");
            }
        }
        if (items.stream().noneMatch(Statement.Item.Star.class::isInstance)) {
            checkWidth(operation, items.size());
        }
        int at = marks.position();
        List<Identifier> names = columns();
        if (search != null) {
            names.add(search.sequence());
        }
        if (cycle != null) {
            names.add(cycle.path());
        }
        for (Identifier carried : names.subList(columns.size(), names.size())) {
            Expression name = new Expression.Name(at, working.name(), carried.name());
            items.add(new Statement.Item.Value(name, null));
        }
        Statement.Select carrying =
                new Statement.Select(
                        select.position(),
                        false,
                        items,
                        select.from(),
                        condition(working, select.where()),
                        List.of(),
                        null,
                        select.windows(),
                        select.qualify(),
                        select.tail());
        return reading(next(), carrying, names);
    }

    /// Text of the second operand's SELECT over its rows.
    private String next() {
        StringBuilder text = new StringBuilder("SELECT ").append(list());
        if (search != null) {
            String sequence = quoted(search.sequence().name());
            text.append(
                    search.depth()
                            ? ", " + sequence + " || " + row("")
                            : ", " + row("(" + sequence + ").f1 + 1, "));
        }
        if (cycle != null) {
            String path = quoted(cycle.path().name());
            text.append(", CASE WHEN " + key() + " = ANY (" + path + ") THEN " + cycle.value());
            text.append(" ELSE " + cycle.otherwise() + " END, " + path + " || " + key());
        }
        return text.append(" FROM (SELECT 1) AS x").toString();
    }

    /// `where`, and with CYCLE that the row of `working` is not marked.
    private @Nullable Expression condition(Identifier working, @Nullable Expression where) {
        if (cycle == null) {
            return where;
        }
        Expression goesOn =
                Parser.expression(
                        new SqlText(
                                quoted(working.name())
                                        + "."
                                        + quoted(cycle.mark().name())
                                        + " IS DISTINCT FROM "
                                        + cycle.value()));
        return where == null
                ? goesOn
                : new Expression.Logical(cycle.position(), true, List.of(goesOn, where));
    }

    /// A row of `first` and the columns of SEARCH.
    private String row(String first) {
        List<String> parts = new ArrayList<>();
        for (Identifier name : search == null ? List.<Identifier>of() : search.columns()) {
            parts.add(quoted(column(name).name()));
        }
        return "ROW(" + first + String.join(", ", parts) + ")";
    }

    /// Refuses a second operand of `width` columns, before its own are added, if the first has another number.
    private void checkWidth(Statement.SetOperation operation, int width) {
        if (width != columns.size()) {
            throw source.error(
                    Kind.SYNTAX,
                    operation.position(),
                    "UNION needs the same number of columns on both sides, not "
                            + columns.size()
                            + " and "
                            + width);
        }
    }

    private SqlException refused(String needed) {
        return source.error(
                Kind.NOT_SUPPORTED,
                marks.position(),
                "With " + marks.called() + " the second operand of UNION must be " + needed);
    }

    /// Name of the working table in the second operand; null if it is not read.
    private @Nullable Identifier working(From from) {
        return switch (from) {
            case From.Named named ->
                    named.table().name().equalsIgnoreCase(table.name().name())
                            ? named.alias() == null ? named.table() : named.alias()
                            : null;
            case From.Join join -> {
                Identifier left = working(join.left());
                yield left == null ? working(join.right()) : left;
            }
            case From.Computed computed -> null;
            case From.Derived derived -> null;
            case From.Function function -> null;
        };
    }

    private List<Identifier> columns() {
        List<Identifier> names = new ArrayList<>();
        columns.forEach(column -> names.add(new Identifier(marks.position(), column.name())));
        return names;
    }

    private String list() {
        return String.join(", ", columns.stream().map(column -> quoted(column.name())).toList());
    }

    /// Text that identifies a row by its CYCLE columns.
    private String key() {
        List<String> parts = new ArrayList<>();
        for (Identifier name : cycle == null ? List.<Identifier>of() : cycle.columns()) {
            parts.add(text(column(name)));
        }
        return "CONCAT('(', " + String.join(", ',', ", parts) + ", ')')";
    }

    private Column column(Identifier name) {
        int position = position(name);
        if (position < 0) {
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    name.position(),
                    "The query has no column \""
                            + name.name()
                            + "\""
                            + Nearest.hint(
                                    name.name(), columns.stream().map(Column::name).toList()));
        }
        return columns.get(position);
    }

    /// Text of a value of `column`, the same for equal values.
    private static String text(Column column) {
        String name = quoted(column.name());
        return switch (column.type().shape()) {
            case TEXT -> textOf(name);
            case FOLDED -> textOf(Function.FOLD_CASE.written(name));
            // Equal decimals may differ in trailing zeros, equal doubles in the sign of zero.
            case DECIMAL -> "RTRIM(RTRIM(CAST(" + name + " + 0.0 AS VARCHAR), '0'), '.')";
            case DOUBLE ->
                    "CAST(CASE WHEN "
                            + name
                            + " = 0 THEN ABS("
                            + name
                            + ") ELSE "
                            + name
                            + " END AS VARCHAR)";
            case LONG, BYTES -> "CAST(" + name + " AS VARCHAR)";
        };
    }

    private static String textOf(String text) {
        return "'\"' || REPLACE(" + text + ", '\"', '\"\"') || '\"'";
    }

    /// The SELECT `text`, with `query` as its input under the names `names`.
    private Statement.Query reading(String text, Statement.Query query, List<Identifier> names) {
        Statement parsed = Parser.parse(new SqlText(text)).statement();
        if (!(parsed instanceof Statement.Select select)) {
            throw new IllegalStateException("no SELECT: " + text);
        }
        int at = marks.position();
        From from = new From.Derived(at, query, new Identifier(at, ROWS), names, false);
        return new Statement.Select(
                select.position(),
                false,
                select.items(),
                from,
                null,
                List.of(),
                null,
                List.of(),
                null,
                Statement.Tail.NONE);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
