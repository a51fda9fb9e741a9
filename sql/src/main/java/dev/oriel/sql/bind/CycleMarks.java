package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// CYCLE of a recursive query, as in the standard. A row is marked, and not expanded, if its values occurred
/// earlier on its path from the first rows.
///
/// Implemented by rewriting the query. Each row carries its path as an array of texts, one for each row on it:
/// `(1)`, or `(1,"a")` for several columns. The first operand begins the path. The second operand takes the path of
/// the row that it expands, which must not be marked, and appends its own text.
final class CycleMarks {
    private static final String ROWS = "cycle rows";

    private final SqlText source;
    private final Statement.CommonTable table;
    private final Statement.Cycle cycle;
    private final List<Column> columns;

    /// @param columns columns of `table` without mark and path
    CycleMarks(
            SqlText source,
            Statement.CommonTable table,
            Statement.Cycle cycle,
            List<Column> columns) {
        this.source = source;
        this.table = table;
        this.cycle = cycle;
        this.columns = columns;
        for (Identifier added : List.of(cycle.mark(), cycle.path())) {
            if (position(added) >= 0) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        added.position(),
                        "\"" + added.name() + "\" is a column of the query already");
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

    /// Names of all columns.
    List<Identifier> names() {
        List<Identifier> names = new ArrayList<>();
        columns.forEach(column -> names.add(new Identifier(cycle.position(), column.name())));
        names.add(cycle.mark());
        names.add(cycle.path());
        return names;
    }

    /// `operation` with the columns for mark and path.
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
        String text =
                "SELECT "
                        + list()
                        + ", "
                        + cycle.otherwise()
                        + ", ARRAY["
                        + key()
                        + "] FROM (SELECT 1) AS x";
        return reading(text, query, columns());
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
        checkWidth(operation, items.size());
        int at = cycle.position();
        items.add(
                new Statement.Item.Value(
                        new Expression.Name(at, working.name(), cycle.path().name()), null));
        Expression goesOn =
                Parser.expression(
                        new SqlText(
                                quoted(working.name())
                                        + "."
                                        + quoted(cycle.mark().name())
                                        + " IS DISTINCT FROM "
                                        + cycle.value()));
        Expression where =
                select.where() == null
                        ? goesOn
                        : new Expression.Logical(at, true, List.of(goesOn, select.where()));
        Statement.Select carrying =
                new Statement.Select(
                        select.position(),
                        false,
                        items,
                        select.from(),
                        where,
                        List.of(),
                        null,
                        select.windows(),
                        select.qualify(),
                        select.tail());
        String path = quoted(cycle.path().name());
        String text =
                "SELECT "
                        + list()
                        + ", CASE WHEN "
                        + key()
                        + " = ANY ("
                        + path
                        + ") THEN "
                        + cycle.value()
                        + " ELSE "
                        + cycle.otherwise()
                        + " END, "
                        + path
                        + " || "
                        + key()
                        + " FROM (SELECT 1) AS x";
        List<Identifier> names = columns();
        names.add(cycle.path());
        return reading(text, carrying, names);
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
                cycle.position(),
                "With CYCLE the second operand of UNION must be " + needed);
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
        columns.forEach(column -> names.add(new Identifier(cycle.position(), column.name())));
        return names;
    }

    private String list() {
        return String.join(", ", columns.stream().map(column -> quoted(column.name())).toList());
    }

    /// Text that identifies a row by its CYCLE columns.
    private String key() {
        List<String> parts = new ArrayList<>();
        for (Identifier name : cycle.columns()) {
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
            parts.add(text(columns.get(position)));
        }
        return "CONCAT('(', " + String.join(", ',', ", parts) + ", ')')";
    }

    /// Text of a value of `column`, the same for equal values.
    private static String text(Column column) {
        String name = quoted(column.name());
        return switch (column.type().shape()) {
            case TEXT -> "'\"' || REPLACE(" + name + ", '\"', '\"\"') || '\"'";
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

    /// The SELECT `text`, with `query` as its input under the names `names`.
    private Statement.Query reading(String text, Statement.Query query, List<Identifier> names) {
        Statement parsed = Parser.parse(new SqlText(text)).statement();
        if (!(parsed instanceof Statement.Select select)) {
            throw new IllegalStateException("no SELECT: " + text);
        }
        int at = cycle.position();
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
