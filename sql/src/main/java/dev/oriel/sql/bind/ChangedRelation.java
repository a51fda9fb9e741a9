package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The relation that a statement changes: a table, or a view of one. Rows are found and written in the table; the
/// columns of a view are expressions over its rows.
///
/// @param view null for the table itself
/// @param columns columns of the relation
/// @param values for each column of a view its expression over the table's row; empty for a table
/// @param conditions conditions of the views on the table's rows, those of inner views first
/// @param checks conditions that each row written must meet
record ChangedRelation(
        Table table,
        @Nullable View view,
        List<Column> columns,
        List<Scalar> values,
        List<Command.ViewCheck> conditions,
        List<Command.ViewCheck> checks) {
    static ChangedRelation of(Table table) {
        return new ChangedRelation(table, null, table.columns(), List.of(), List.of(), List.of());
    }

    /// Qualified name by which its statement may refer to it.
    String path() {
        return view == null
                ? SearchPath.named(table.schema(), table.name())
                : SearchPath.named(view.schema(), view.name());
    }

    private String name() {
        return view == null ? table.name() : view.name();
    }

    /// Number of columns of the relation.
    int width() {
        return columns.size();
    }

    /// Position in the table of the relation's column `i`; negative if that cannot be written.
    int target(int i) {
        return view == null ? i : values.get(i) instanceof Scalar.ColumnRef ref ? ref.column() : ~i;
    }

    /// Position in the table of the column `name`; negative if that cannot be written.
    int target(SqlText source, Identifier name) {
        if (view == null) {
            return Compiler.column(source, table, name);
        }
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name.name())) {
                return target(i);
            }
        }
        throw Compiler.unknown(source, "View \"" + view.name() + "\"", columns, name);
    }

    /// Position in the table of the column `name`, to be written.
    int written(SqlText source, Identifier name) {
        return written(source, target(source, name), name.position());
    }

    /// Checks that `target` is the position of a column of the table.
    int written(SqlText source, int target, int position) {
        if (target < 0) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "Column \""
                            + columns.get(~target).name()
                            + "\" of view \""
                            + name()
                            + "\" is computed; change the columns that it is computed from");
        }
        return target;
    }

    /// Names in the relation of the table's column `column`.
    List<String> names(int column) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (target(i) == column) {
                names.add(columns.get(i).name());
            }
        }
        return names;
    }

    /// Whether a column can be written.
    boolean isWritable() {
        return view == null || values.stream().anyMatch(value -> value instanceof Scalar.ColumnRef);
    }

    /// Type for a value of the column with the position `target` in the table, as in [#target].
    Column column(int target) {
        return target < 0 ? columns.get(~target) : table.columns().get(target);
    }

    /// Scope of an expression over the table's row.
    Scope scope(String called) {
        return Scope.of(relation(called, called.equalsIgnoreCase(name()) ? path() : "", 0, false));
    }

    /// The relation in a scope.
    ///
    /// @param path qualified name that the query may use too; else empty
    /// @param first position of the table's first column in the row
    /// @param qualified whether EXPLAIN qualifies its columns with its name
    Scope.Relation relation(String called, String path, int first, boolean qualified) {
        if (view == null) {
            return new Scope.Relation(
                    called, table.path(), path, columns, first, false, qualified, List.of(), false);
        }
        List<Scalar> moved = new ArrayList<>();
        for (Scalar value : values) {
            moved.add(moved(value, qualified ? called + "." : "", first));
        }
        return new Scope.Relation(called, "", path, columns, first, false, qualified, moved, false);
    }

    /// Conditions of the views, with the table's first column at the position `first` in the row.
    ///
    /// @param prefix precedes names of columns in EXPLAIN
    List<Scalar> conditions(String prefix, int first) {
        List<Scalar> moved = new ArrayList<>();
        conditions.forEach(view -> moved.add(moved(view.condition(), prefix, first)));
        return moved;
    }

    /// The conditions of the views and `condition`; null if there are none.
    @Nullable Scalar filtered(@Nullable Scalar condition) {
        List<Scalar> all = new ArrayList<>();
        conditions.forEach(view -> all.add(view.condition()));
        if (condition != null) {
            all.add(condition);
        }
        return AccessPlanner.all(all);
    }

    private static Scalar moved(Scalar scalar, String prefix, int by) {
        return by == 0 && prefix.isEmpty()
                ? scalar
                : Replacement.of(
                        scalar,
                        leaf ->
                                leaf instanceof Scalar.ColumnRef ref
                                        ? new Scalar.ColumnRef(
                                                ref.column() + by,
                                                ref.type(),
                                                ref.nullable(),
                                                prefix + ref.name())
                                        : leaf);
    }

    /// This relation of rows with keys ([Table#keyed]), which are its last column.
    ChangedRelation keyed() {
        Table keyed = table.keyed();
        if (view == null) {
            return of(keyed);
        }
        int place = keyed.columns().size() - 1;
        Column key = keyed.columns().getLast();
        List<Column> more = new ArrayList<>(columns);
        more.add(key);
        List<Scalar> all = new ArrayList<>(values);
        all.add(new Scalar.ColumnRef(place, key.type(), false, "row key"));
        return new ChangedRelation(
                keyed, view, List.copyOf(more), List.copyOf(all), conditions, checks);
    }

    /// This relation with other names of its columns.
    ChangedRelation renamed(List<Column> called) {
        return new ChangedRelation(table, view, called, values, conditions, checks);
    }

    /// This relation, of number `of`, as ONLY means it: without rows, if it has partitions.
    ChangedRelation withoutPartitions(BindContext around, long of) {
        Partition place = around.binding().catalog().partition(of);
        if (place == null || place.strategy() == Partition.Strategy.NONE) {
            return this;
        }
        List<Command.ViewCheck> none = new ArrayList<>(conditions);
        none.add(new Command.ViewCheck(name(), Scalar.Constant.of(false), true));
        return new ChangedRelation(table, view, columns, values, List.copyOf(none), checks);
    }

    /// This relation without the conditions of the views.
    ChangedRelation unfiltered() {
        return new ChangedRelation(table, view, columns, values, List.of(), checks);
    }
}
