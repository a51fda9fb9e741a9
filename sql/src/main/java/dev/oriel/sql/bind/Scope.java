package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Scalar.ColumnRef;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.SelectedRows;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Habits;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names visible in a query: the tables in its FROM, whose columns lie side by side in the row that expressions are
/// evaluated on.
///
/// @param entries unqualified columns in the order of `*`; columns merged by USING occur once
public record Scope(List<Relation> relations, List<Entry> entries) {
    /// A scope without names.
    static final Scope EMPTY = new Scope(List.of(), List.of());

    /// A table in FROM, under its name in the query.
    ///
    /// @param table qualified name of the table or partition ([Table#path]), or empty
    /// @param path qualified name ([SearchPath#named]) that the query may use too; else empty
    /// @param firstColumn position of its first column in the row
    /// @param outer whether an outer join may pad its columns with NULL
    /// @param qualified whether EXPLAIN qualifies its columns with its name
    /// @param values expressions for its columns, if it is a view of a table whose row begins at `firstColumn`;
    ///     empty if its columns lie in the row side by side
    /// @param single whether its name alone means its first column, as of a function that returns one value per row
    record Relation(
            String name,
            String table,
            String path,
            List<Column> columns,
            int firstColumn,
            boolean outer,
            boolean qualified,
            List<Scalar> values,
            boolean single) {
        Scalar column(int position) {
            if (!values.isEmpty()) {
                Scalar value = values.get(position);
                return outer ? Scope.nullable(value) : value;
            }
            Column column = columns.get(position);
            String called = column.name().isEmpty() ? "row key" : column.name();
            return new ColumnRef(
                    firstColumn + position,
                    column.type(),
                    outer || column.nullable(),
                    qualified ? name + "." + called : called);
        }

        private Relation nullable() {
            return new Relation(
                    name, table, path, columns, firstColumn, true, qualified, values, single);
        }

        /// Whether the row's column `column` belongs to it.
        boolean holds(int column) {
            int position = column - firstColumn;
            return position >= 0 && position < columns.size() && values.isEmpty();
        }
    }

    /// A column under its unqualified name.
    ///
    /// @param place qualified name, to distinguish columns of the same name
    record Entry(String name, Scalar scalar, String place) {
        private Entry nullable() {
            return new Entry(name, Scope.nullable(scalar), place);
        }
    }

    static Scalar nullable(Scalar scalar) {
        return scalar instanceof ColumnRef ref
                ? new ColumnRef(ref.column(), ref.type(), true, ref.name())
                : scalar;
    }

    public static Scope of(Table table, String name) {
        String path = SearchPath.named(table.schema(), table.name());
        String known = name.equalsIgnoreCase(table.name()) ? path : "";
        return of(
                new Relation(
                        name,
                        table.path(),
                        known,
                        table.columns(),
                        0,
                        false,
                        false,
                        List.of(),
                        false));
    }

    public static Scope of(Relation relation) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < relation.columns().size(); i++) {
            String column = relation.columns().get(i).name();
            if (column.isEmpty()) { // row key, which is no column (see Table.keyed)
                continue;
            }
            entries.add(
                    new Entry(
                            column,
                            relation.column(i),
                            relation.name().isEmpty() ? column : relation.name() + "." + column));
        }
        return new Scope(List.of(relation), List.copyOf(entries));
    }

    /// Both scopes, side by side.
    Scope beside(Scope right) {
        List<Relation> both = new ArrayList<>(relations);
        both.addAll(right.relations);
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(right.entries);
        return new Scope(List.copyOf(both), List.copyOf(all));
    }

    /// This scope with all columns nullable.
    Scope nullable() {
        return new Scope(
                relations.stream().map(Relation::nullable).toList(),
                entries.stream().map(Entry::nullable).toList());
    }

    /// The column that `name` refers to; null if there is none.
    @Nullable Scalar find(SqlText source, Expression.Name name) {
        if (name.qualifier() == null) {
            List<Entry> found = entries(name.name());
            if (found.size() > 1) {
                throw ambiguous(source, name.position(), name.name(), found);
            }
            return found.isEmpty() ? single(name.name()) : found.getFirst().scalar();
        }
        Relation relation = relation(source, name.position(), name.qualifier());
        if (relation == null) {
            return null;
        }
        int found = -1;
        for (int i = 0; i < relation.columns().size(); i++) {
            if (!relation.columns().get(i).name().equalsIgnoreCase(name.name())) {
                continue;
            }
            if (found >= 0) {
                throw source.error(
                        Kind.AMBIGUOUS_COLUMN,
                        name.position(),
                        "More than one column of \""
                                + relation.name()
                                + "\" is called \""
                                + name.name()
                                + "\"");
            }
            found = i;
        }
        if (found < 0 && name.name().equals(Expression.Name.ALL)) {
            return null;
        }
        if (found < 0 && relation.single() && relation.name().equalsIgnoreCase(name.name())) {
            return relation.column(0);
        }
        if (found < 0) {
            throw unknown(source, name);
        }
        return relation.column(found);
    }

    /// The column that the name of its relation alone means; null if there is none.
    private @Nullable Scalar single(String name) {
        Relation relation = relation(name);
        return relation == null || !relation.single() ? null : relation.column(0);
    }

    /// The columns called `name`.
    List<Entry> entries(String name) {
        List<Entry> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.name().equalsIgnoreCase(name)) {
                found.add(entry);
            }
        }
        return found;
    }

    static SqlException ambiguous(SqlText source, int position, String name, List<Entry> found) {
        return source.error(
                Kind.AMBIGUOUS_COLUMN,
                position,
                "Column \""
                        + name
                        + "\" is ambiguous: it may be "
                        + String.join(" or ", found.stream().map(Entry::place).toList()));
    }

    /// The error that `name` is unknown.
    SqlException unknown(SqlText source, Expression.Name name) {
        if (name.qualifier() != null && relation(name.qualifier()) == null) {
            return unknownRelation(source, name.position(), name.qualifier());
        }
        String hint = Nearest.hint(name.name(), columnNames());
        if (hint.isEmpty() && name.qualifier() == null) {
            hint = Habits.ofColumn(source, name.position(), name.name());
        }
        return source.error(
                Kind.UNKNOWN_COLUMN,
                name.position(),
                "There is no column \""
                        + name.name()
                        + "\""
                        + (relations.isEmpty() ? ": the query has no FROM" : "")
                        + hint);
    }

    /// Expands `*` or `qualifier.*`, without the columns that it leaves out.
    List<Expression.Starred> star(SqlText source, Statement.Item.Star star) {
        List<Expression.Starred> columns = whole(source, star);
        for (Expression.Name name : star.without()) {
            Scalar column = name.qualifier() == null ? null : find(source, name);
            boolean known =
                    columns.removeIf(each ->
                            column == null
                                    ? each.name().equalsIgnoreCase(name.name())
                                    : starred(each).equals(column));
            if (!known) {
                throw unknown(source, name);
            }
        }
        if (columns.isEmpty() && !star.without().isEmpty()) {
            throw source.error(
                    Kind.SYNTAX, star.position(), "EXCEPT leaves no column; name one to return");
        }
        return columns;
    }

    private List<Expression.Starred> whole(SqlText source, Statement.Item.Star star) {
        if (relations.isEmpty()) {
            throw source.error(
                    Kind.SYNTAX, star.position(), "\"*\" needs a FROM: the query reads no table");
        }
        List<Expression.Starred> columns = new ArrayList<>();
        if (star.qualifier() == null) {
            for (int i = 0; i < entries.size(); i++) {
                String name = entries.get(i).name();
                if (!SelectedRows.isHidden(name)) {
                    columns.add(new Expression.Starred(star.position(), name, -1, i));
                }
            }
            return columns;
        }
        Relation relation = relation(source, star.position(), star.qualifier());
        if (relation == null) {
            throw unknownRelation(source, star.position(), star.qualifier());
        }
        for (int i = 0; i < relation.columns().size(); i++) {
            if (relation.columns().get(i).name().isEmpty()) {
                continue;
            }
            columns.add(
                    new Expression.Starred(
                            star.position(),
                            relation.columns().get(i).name(),
                            relations.indexOf(relation),
                            i));
        }
        return columns;
    }

    /// A column of an expanded star.
    Scalar starred(Expression.Starred starred) {
        return starred.relation() < 0
                ? entries.get(starred.column()).scalar()
                : relations.get(starred.relation()).column(starred.column());
    }

    /// Table of the row's column `column`, qualified with its schema unless that is PUBLIC.
    String tableOf(int column) {
        for (Relation relation : relations) {
            if (relation.holds(column)) {
                return SearchPath.shortened(relation.table());
            }
        }
        return "";
    }

    /// The table called `name` in the query, with or without its schema ([dev.oriel.table.definition.SearchPath#named]), or
    /// null.
    @Nullable Relation relation(String name) {
        boolean whole = name.indexOf('\0', 1) > 0;
        for (Relation relation : relations) {
            if ((whole ? relation.path() : relation.name()).equalsIgnoreCase(name)) {
                return relation;
            }
        }
        return null;
    }

    private @Nullable Relation relation(SqlText source, int position, String name) {
        Relation relation = relation(name);
        if (relation != null && name.indexOf('\0', 1) < 0 && isAmbiguous(relation)) {
            throw source.error(
                    Kind.AMBIGUOUS_ALIAS,
                    position,
                    "More than one table of this FROM is called \""
                            + name
                            + "\": write its schema before it");
        }
        return relation;
    }

    /// Whether another table has the name of `relation`, so that only their schemas tell them apart.
    boolean isAmbiguous(Relation relation) {
        int alike = 0;
        for (Relation other : relations) {
            alike += other.name().equalsIgnoreCase(relation.name()) ? 1 : 0;
        }
        return alike > 1;
    }

    private SqlException unknownRelation(SqlText source, int position, String path) {
        String name = path.replace('\0', '.');
        List<String> names = new ArrayList<>();
        relations.forEach(relation -> names.add(relation.name()));
        return source.error(
                Kind.UNKNOWN_TABLE,
                position,
                "The query reads no table \"" + name + "\"" + Nearest.hint(name, names));
    }

    private List<String> columnNames() {
        List<String> names = new ArrayList<>();
        for (Relation relation : relations) {
            relation.columns().forEach(column -> names.add(column.name()));
        }
        return names;
    }
}
