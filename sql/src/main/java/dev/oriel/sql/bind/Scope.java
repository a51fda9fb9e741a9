package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Scalar.ColumnRef;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.SelectedRows;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Column;
import dev.oriel.table.SearchPath;
import dev.oriel.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the names of a query may mean: the tables in its FROM, whose columns lie side by side in
/// the rows that expressions are evaluated on.
///
/// @param entries what columns are called without their table, in the order of `*`: those that
///     USING has merged are there once
public record Scope(List<Relation> relations, List<Entry> entries) {
    /// Nothing to name.
    static final Scope EMPTY = new Scope(List.of(), List.of());

    /// A table under the name that the query knows it by.
    ///
    /// @param table the name of the table that it is, with its schema ([Table#path]), or empty
    /// @param path the name with its schema ([SearchPath#named]) by which the query may call it too; else empty
    /// @param firstColumn position of its first column in the row
    /// @param outer whether a join may put NULLs for its columns
    /// @param qualified whether EXPLAIN writes its columns with its name
    record Relation(
            String name,
            String table,
            String path,
            List<Column> columns,
            int firstColumn,
            boolean outer,
            boolean qualified) {
        ColumnRef column(int position) {
            Column column = columns.get(position);
            String called = column.name().isEmpty() ? "row key" : column.name();
            return new ColumnRef(
                    firstColumn + position,
                    column.type(),
                    outer || column.nullable(),
                    qualified ? name + "." + called : called);
        }

        private Relation nullable() {
            return new Relation(name, table, path, columns, firstColumn, true, qualified);
        }
    }

    /// A column as it is known without its table.
    ///
    /// @param place what to call it to tell it from others of its name
    record Entry(String name, Scalar scalar, String place) {
        private Entry nullable() {
            return scalar instanceof ColumnRef ref
                    ? new Entry(
                            name, new ColumnRef(ref.column(), ref.type(), true, ref.name()), place)
                    : this;
        }
    }

    public static Scope of(Table table, String name) {
        String path = SearchPath.named(table.schema(), table.name());
        String known = name.equalsIgnoreCase(table.name()) ? path : "";
        return of(new Relation(name, table.path(), known, table.columns(), 0, false, false));
    }

    public static Scope of(Relation relation) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < relation.columns().size(); i++) {
            String column = relation.columns().get(i).name();
            if (column.isEmpty()) { // the row's key, which is no column (see Table.keyed)
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

    /// Both, side by side.
    Scope beside(Scope right) {
        List<Relation> both = new ArrayList<>(relations);
        both.addAll(right.relations);
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(right.entries);
        return new Scope(List.copyOf(both), List.copyOf(all));
    }

    /// The same where all columns may be NULL.
    Scope nullable() {
        return new Scope(
                relations.stream().map(Relation::nullable).toList(),
                entries.stream().map(Entry::nullable).toList());
    }

    /// The column that `name` means; null where it means nothing here.
    @Nullable Scalar find(SqlText source, Expression.Name name) {
        if (name.qualifier() == null) {
            List<Entry> found = entries(name.name());
            if (found.size() > 1) {
                throw ambiguous(source, name.position(), name.name(), found);
            }
            return found.isEmpty() ? null : found.getFirst().scalar();
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
        if (found < 0) {
            throw unknown(source, name);
        }
        return relation.column(found);
    }

    /// The columns that are called `name`.
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

    /// The error that `name` means nothing.
    SqlException unknown(SqlText source, Expression.Name name) {
        if (name.qualifier() != null && relation(name.qualifier()) == null) {
            return unknownRelation(source, name.position(), name.qualifier());
        }
        return source.error(
                Kind.UNKNOWN_COLUMN,
                name.position(),
                "There is no column \""
                        + name.name()
                        + "\""
                        + (relations.isEmpty() ? ": the query has no FROM" : "")
                        + Nearest.hint(name.name(), columnNames()));
    }

    /// What `*` or `qualifier.*` stands for.
    List<Expression.Starred> star(SqlText source, Statement.Item.Star star) {
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

    /// One of the columns of a star.
    Scalar starred(Expression.Starred starred) {
        return starred.relation() < 0
                ? entries.get(starred.column()).scalar()
                : relations.get(starred.relation()).column(starred.column());
    }

    /// The table that column `column` of the row belongs to, with its schema unless that is PUBLIC.
    String tableOf(int column) {
        for (Relation relation : relations) {
            int position = column - relation.firstColumn();
            if (position >= 0 && position < relation.columns().size()) {
                return SearchPath.shortened(relation.table());
            }
        }
        return "";
    }

    /// The table that the query calls `name`, before which its schema may stand ([dev.oriel.table.SearchPath#named]),
    /// or null.
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

    /// Whether another one is called as `relation` is, so that only their schemas tell them apart.
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
