package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// PostgreSQL's column `tableoid`: the number of the table that has the row, as in [PgCatalog]. For a row of a
/// partitioned table it is that of the partition, which follows from the key.
final class TableNumber {
    static final String NAME = "tableoid";

    private TableNumber() {}

    /// The number that `name` refers to; null if it refers to a column, or to no table of `scope`.
    static @Nullable Scalar of(BindContext around, Scope scope, Expression.Name name) {
        if (!scope.entries(NAME).isEmpty()) {
            return null;
        }
        Catalog catalog = around.binding().catalog();
        Scalar found = null;
        boolean outer = false;
        for (Scope.Relation relation : scope.relations()) {
            boolean meant =
                    name.qualifier() == null
                            ? !hidden(scope, relation)
                            : relation.name().equalsIgnoreCase(name.qualifier());
            Scalar number = meant ? of(catalog, relation) : null;
            if (number != null && found != null) {
                return null; // ambiguous
            }
            found = number == null ? found : number;
            outer |= number != null && relation.outer();
        }
        if (outer) {
            throw around.source()
                    .error(
                            Kind.NOT_SUPPORTED,
                            name.position(),
                            "tableoid of the optional side of an outer join is not supported;"
                                    + " select it in a subquery");
        }
        return found;
    }

    /// Whether no column of `relation` has a name of its own, as of OLD and NEW in RETURNING.
    private static boolean hidden(Scope scope, Scope.Relation relation) {
        if (!relation.outer()) {
            return false;
        }
        String prefix = relation.name() + ".";
        for (Scope.Entry entry : scope.entries()) {
            if (entry.place().startsWith(prefix)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Scalar of(Catalog catalog, Scope.Relation relation) {
        String path = relation.table().isEmpty() ? relation.path() : relation.table();
        Table table = relation.table().isEmpty() ? null : catalog.table(path);
        View view = path.isEmpty() ? null : catalog.view(path);
        Partition place = path.isEmpty() ? null : SelectBinder.place(catalog, path);
        if (place == null) {
            return table == null
                    ? null
                    : Scalar.Constant.of(Typing.BIGINT, PgCatalog.oid(table.id()));
        }
        Partitions partitions = Partitions.around(catalog, place);
        SqlText text = new SqlText(partitions.number(place));
        BindContext around = BindContext.of(text, catalog, new ParameterTypes(0));
        List<String> names =
                table == null && view != null
                        ? view.columns()
                        : partitions.table().columns().stream().map(Column::name).toList();
        return new ScalarBinder(around, Scope.of(called(relation, names)))
                .assign(Parser.expression(text), Typing.BIGINT, "The number of a table");
    }

    /// `relation` with columns called `names`, whatever the query calls them.
    private static Scope.Relation called(Scope.Relation relation, List<String> names) {
        List<Column> columns = new ArrayList<>(relation.columns());
        for (int i = 0; i < names.size(); i++) {
            columns.set(i, columns.get(i).withName(names.get(i)));
        }
        return new Scope.Relation(
                relation.name(),
                relation.table(),
                relation.path(),
                List.copyOf(columns),
                relation.firstColumn(),
                relation.outer(),
                relation.qualified(),
                relation.values(),
                relation.single());
    }
}
