package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.ChangedTables;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Binds the RETURNING clause of a change.
///
/// OLD and NEW name the versions of the changed row before and after the change; each is all NULL if there is none. If
/// the clause reads them, they follow the row read by the other names.
final class ReturningBinder {
    private final BindContext around;
    private final SqlText source;
    private final ChangedRelation changed;
    private final List<Scalar> values = new ArrayList<>();
    private final List<Prepared.OutputColumn> columns = new ArrayList<>();

    ReturningBinder(BindContext around, ChangedRelation changed) {
        this.around = around;
        this.source = around.binding().source();
        this.changed = changed;
    }

    /// Binds `items`.
    ///
    /// @param own names of the row that the change offers
    /// @param width number of columns of that row
    Command.Returning bind(List<Statement.Item> items, Scope own, int width) {
        Scope scope = withVersions(own, width);
        ScalarBinder binder = new ScalarBinder(around, scope);
        for (Statement.Item item : items) {
            switch (item) {
                case Statement.Item.Star star -> {
                    for (Expression.Starred column : scope.star(source, star)) {
                        add(binder.bind(column), column.name(), scope);
                    }
                }
                case Statement.Item.Value value -> {
                    if (around.binding().levels().holds(value.expression(), binder)) {
                        throw source.error(
                                Kind.GROUPING,
                                value.position(),
                                "RETURNING cannot contain an aggregate");
                    }
                    String name =
                            value.alias() == null
                                    ? SelectBinder.name(value.expression())
                                    : value.alias().name();
                    add(binder.bind(value.expression()), name, scope);
                }
            }
        }
        BitSet read = new BitSet();
        values.forEach(value -> PlanParts.columns(value, read));
        int versions = read.length() > width ? width : -1;
        return new Command.Returning(List.copyOf(values), List.copyOf(columns), versions);
    }

    /// `own` with OLD and NEW, unless it has tables of these names. Names without a table do not mean their columns.
    private Scope withVersions(Scope own, int width) {
        List<Scope.Relation> relations = new ArrayList<>(own.relations());
        add(ChangedTables.OLD_ROWS, width, relations);
        int first = width;
        for (String name : List.of("OLD", "NEW")) {
            if (own.relation(name) == null) {
                add(name, first, relations);
            }
            first += changed.table().columns().size();
        }
        return new Scope(List.copyOf(relations), own.entries());
    }

    private void add(String name, int first, List<Scope.Relation> relations) {
        Scope.Relation version = changed.relation(name, "", first, true);
        relations.addAll(Scope.of(version).nullable().relations());
    }

    private void add(Scalar value, String name, Scope scope) {
        values.add(value);
        String table =
                value instanceof Scalar.ColumnRef column ? scope.tableOf(column.column()) : "";
        columns.add(new Prepared.OutputColumn(name, value.type(), value.nullable(), table));
    }
}
