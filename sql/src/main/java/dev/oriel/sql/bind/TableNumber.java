package dev.oriel.sql.bind;

import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Catalog;
import dev.oriel.table.Partition;
import dev.oriel.table.Table;
import dev.oriel.table.View;
import org.jspecify.annotations.Nullable;

/// PostgreSQL's column `tableoid`: the number of the table that has the row, as of [PgCatalog]. For a row of a
/// partitioned table it is that of the partition, which follows from the key.
final class TableNumber {
    static final String NAME = "tableoid";

    private TableNumber() {}

    /// The number that `name` refers to; null if it refers to a column, or to no table of `scope`.
    static @Nullable Scalar of(Catalog catalog, Scope scope, Expression.Name name) {
        if (!scope.entries(NAME).isEmpty()) {
            return null;
        }
        Scalar found = null;
        for (Scope.Relation relation : scope.relations()) {
            boolean meant =
                    name.qualifier() == null || relation.name().equalsIgnoreCase(name.qualifier());
            Scalar number = meant ? of(catalog, relation) : null;
            if (number != null && found != null) {
                return null; // ambiguous
            }
            found = number == null ? found : number;
        }
        return found;
    }

    private static @Nullable Scalar of(Catalog catalog, Scope.Relation relation) {
        Table table = relation.table().isEmpty() ? null : catalog.table(relation.table());
        View view = relation.path().isEmpty() ? null : catalog.view(relation.path());
        Partition place =
                table != null
                        ? catalog.partition(table.id())
                        : view == null ? null : catalog.partition(view.id());
        if (place == null) {
            return table == null
                    ? null
                    : Scalar.Constant.of(Typing.BIGINT, PgCatalog.oid(table.id()));
        }
        SqlText text = new SqlText(Partitions.around(catalog, place).number(place));
        BindContext around = BindContext.of(text, catalog, new ParameterTypes(0));
        return new ScalarBinder(around, Scope.of(relation))
                .assign(Parser.expression(text), Typing.BIGINT, "The number of a table");
    }
}
