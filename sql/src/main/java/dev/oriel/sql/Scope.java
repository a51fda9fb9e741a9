package dev.oriel.sql;

import dev.oriel.sql.Scalar.ColumnRef;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Column;
import dev.oriel.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the names of a query may mean: the tables in its FROM, whose columns lie side by side in
/// the rows that expressions are evaluated on.
record Scope(List<Relation> relations) {
    /// Nothing to name.
    static final Scope EMPTY = new Scope(List.of());

    /// A table under the name that the query knows it by.
    ///
    /// @param firstColumn position of its first column in the row
    record Relation(String name, Table table, int firstColumn) {
        ColumnRef column(int position) {
            Column column = table.columns().get(position);
            return new ColumnRef(
                    firstColumn + position, column.type(), column.nullable(), column.name());
        }
    }

    static Scope of(Table table, String name) {
        return new Scope(List.of(new Relation(name, table, 0)));
    }

    /// The column that `name` means.
    ColumnRef resolve(SqlText source, Expression.Name name) {
        @Nullable ColumnRef found = null;
        boolean qualified = false;
        for (Relation relation : relations) {
            if (name.qualifier() != null && !name.qualifier().equalsIgnoreCase(relation.name())) {
                continue;
            }
            qualified = true;
            int column = relation.table().column(name.name());
            if (column < 0) {
                continue;
            }
            if (found != null) {
                throw source.error(
                        Kind.AMBIGUOUS_COLUMN,
                        name.position(),
                        "Column \"" + name.name() + "\" is in more than one table");
            }
            found = relation.column(column);
        }
        if (found != null) {
            return found;
        }
        if (name.qualifier() != null && !qualified) {
            throw unknownRelation(source, name.position(), name.qualifier());
        }
        throw source.error(
                Kind.UNKNOWN_COLUMN,
                name.position(),
                "There is no column \""
                        + name.name()
                        + "\""
                        + (relations.isEmpty() ? ": the query has no FROM" : "")
                        + Nearest.hint(name.name(), columnNames()));
    }

    /// The relations that `*` or `qualifier.*` stands for.
    List<Relation> star(SqlText source, Statement.Item.Star star) {
        if (relations.isEmpty()) {
            throw source.error(
                    Kind.SYNTAX, star.position(), "\"*\" needs a FROM: the query reads no table");
        }
        if (star.qualifier() == null) {
            return relations;
        }
        for (Relation relation : relations) {
            if (relation.name().equalsIgnoreCase(star.qualifier())) {
                return List.of(relation);
            }
        }
        throw unknownRelation(source, star.position(), star.qualifier());
    }

    /// The table that column `column` of the row belongs to.
    String tableOf(int column) {
        for (Relation relation : relations) {
            int position = column - relation.firstColumn();
            if (position >= 0 && position < relation.table().columns().size()) {
                return relation.table().name();
            }
        }
        return "";
    }

    private SqlException unknownRelation(SqlText source, int position, String name) {
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
            relation.table().columns().forEach(column -> names.add(column.name()));
        }
        return names;
    }
}
