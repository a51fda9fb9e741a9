package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundSelect;
import dev.oriel.sql.syntax.SelectedRows;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the tables behind updatable views, which select unchanged rows from one table or one such view. The columns of
/// the view become expressions over the table's row, and the conditions of nested views are collected.
public final class UpdatableViews {
    private final BindContext around;

    /// Views expanded so far, by their numbers.
    private final Map<Long, Expansion> known;

    private UpdatableViews(BindContext around, Map<Long, Expansion> known) {
        this.around = around;
        this.known = known;
    }

    /// The views of `catalog`, for its description.
    static UpdatableViews of(Catalog catalog) {
        SqlText none = new SqlText("");
        BindContext around = BindContext.of(none, catalog, new ParameterTypes(0));
        return new UpdatableViews(around, new HashMap<>());
    }

    /// A view expanded, or the reason against it.
    ///
    /// @param relation null if `refused` cannot be changed
    /// @param refused the view, or one that it reads
    private record Expansion(@Nullable ChangedRelation relation, View refused, String reason) {}

    /// The table or view `name`, to be changed.
    ///
    /// @param writes whether rows are written, for which a view needs columns of its table
    static ChangedRelation changed(BindContext around, Identifier name, boolean writes) {
        ChangedRelation relation = named(around, name, Kind.OBJECT_STATE, "changed");
        View view = relation.view();
        if (view != null && writes && !relation.isWritable()) {
            throw refused(
                    around.source().at(name.position()),
                    Kind.OBJECT_STATE,
                    "changed",
                    new Expansion(null, view, "has no column of its table"));
        }
        return relation;
    }

    /// The table or view `name`, whose rows are to be locked.
    static ChangedRelation locked(BindContext around, Identifier name) {
        return named(around, name, Kind.NOT_SUPPORTED, "locked");
    }

    private static ChangedRelation named(
            BindContext around, Identifier name, Kind kind, String what) {
        View view = around.binding().catalog().view(name.path());
        if (view == null) {
            Catalog catalog = around.binding().catalog();
            Table table = SelectBinder.table(around.source(), catalog, name);
            if (catalog.materialized(table.id()) != null) {
                throw around.source()
                        .error(
                                Kind.WRONG_OBJECT,
                                name.position(),
                                "Rows of materialized view \""
                                        + table.name()
                                        + "\" cannot be "
                                        + what
                                        + ": change the tables that it reads, and REFRESH it");
            }
            ChangedRelation relation = ChangedRelation.of(table);
            return name.only() ? relation.withoutPartitions(around, table.id()) : relation;
        }
        Expansion found = new UpdatableViews(around, new HashMap<>()).expanded(view);
        if (found.relation == null) {
            throw refused(around.source().at(name.position()), kind, what, found);
        }
        return name.only() ? found.relation.withoutPartitions(around, view.id()) : found.relation;
    }

    private static SqlException refused(Place place, Kind kind, String what, Expansion found) {
        return place.error(
                kind,
                "Rows of view \""
                        + found.refused.name()
                        + "\" cannot be "
                        + what
                        + ": it "
                        + found.reason
                        + "; name a table instead");
    }

    /// `view`, to be changed; null if it cannot be.
    @Nullable ChangedRelation find(View view) {
        return expanded(view).relation;
    }

    /// Checks that `view` can be changed if it has a check option.
    public static void check(SqlText source, Catalog catalog, View view, Identifier name) {
        if (view.checkOption() == View.CheckOption.NONE) {
            return;
        }
        Expansion found = of(catalog).expanded(view);
        if (found.relation == null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "WITH CHECK OPTION is for views whose rows can be changed, but \""
                            + found.refused.name()
                            + "\" "
                            + found.reason
                            + "; leave the option out");
        }
    }

    private Expansion expanded(View view) {
        Expansion found = known.get(view.id());
        if (found == null) {
            found = expandedAnew(view);
            known.put(view.id(), found);
        }
        return found;
    }

    private Expansion expandedAnew(View view) {
        SqlText text = new SqlText(view.query());
        BindContext inside = Views.inside(around, view, text);
        return Views.isDeep(inside, text)
                ? LargeStack.call(() -> expanded(view, inside, text))
                : expanded(view, inside, text);
    }

    private Expansion expanded(View view, BindContext inside, SqlText text) {
        Statement.Query query = Views.query(text, inside.binding().catalog());
        String reason = reason(query);
        if (reason != null
                || !(query instanceof Statement.Select select)
                || !(select.from() instanceof From.Named from)) {
            return new Expansion(null, view, reason == null ? "reads no table" : reason);
        }
        Catalog catalog = inside.binding().catalog();
        View below = catalog.view(from.table().path());
        Table table = catalog.table(from.table().path());
        ChangedRelation read;
        if (below != null) {
            if (!catalog.triggers(below.id()).isEmpty()) {
                return new Expansion(null, below, "has triggers of its own");
            }
            Expansion found = new UpdatableViews(inside, known).expanded(below);
            if (found.relation == null) {
                return found;
            }
            read = found.relation;
        } else if (table != null && catalog.materialized(table.id()) != null) {
            return new Expansion(null, view, "reads a materialized view");
        } else if (table != null) {
            read = ChangedRelation.of(table);
        } else {
            return new Expansion(null, view, "does not read a table of the database");
        }
        BindContext over = inside.changing(from, read.unfiltered());
        BoundSelect bound = new SelectBinder(over).bind(select, List.of());
        if (!bound.windows().isEmpty()) {
            return new Expansion(null, view, "has window functions");
        }
        return new Expansion(relation(text, view, read, bound), view, "");
    }

    /// The first reason by which rows of `query` are not rows of a single table; null if there is none.
    private static @Nullable String reason(Statement.Query query) {
        return switch (query) {
            case Statement.With with -> "has WITH";
            case Statement.SetOperation operation -> "has " + operation.kind();
            case Statement.RowList list -> "has VALUES";
            case Statement.ChangedRows changed -> "changes rows";
            case Statement.Locking locking -> "has FOR UPDATE or FOR SHARE";
            case Statement.Select select -> reason(select);
        };
    }

    private static @Nullable String reason(Statement.Select select) {
        if (select.distinct()) {
            return "has DISTINCT";
        } else if (!select.groupBy().isEmpty()) {
            return "has GROUP BY";
        } else if (select.having() != null) {
            return "has HAVING";
        } else if (select.tail().limit() != null || select.tail().offset() != null) {
            return "has LIMIT or OFFSET";
        } else if (select.qualify() != null) {
            return "has QUALIFY";
        } else if (AggregateLevels.isWrittenGrouped(select)) {
            return "has aggregates";
        }
        return select.from() == null ? "reads no table" : reason(select.from());
    }

    private static @Nullable String reason(From from) {
        return switch (from) {
            case From.Named named -> null;
            case From.Join join ->
                    isOfRows(join.right())
                            ? "has functions that return rows"
                            : "reads more than one table";
            case From.Derived derived -> "reads a query in FROM";
            case From.Computed computed -> "reads a computed table";
            case From.Function function -> "reads a function";
        };
    }

    /// Whether `from` holds functions of the select list.
    private static boolean isOfRows(From from) {
        return from instanceof From.Function function
                && function.alias() != null
                && SelectedRows.isHidden(function.alias().name());
    }

    private ChangedRelation relation(
            SqlText text, View view, ChangedRelation read, BoundSelect bound) {
        List<String> names =
                bound.outputs().subList(0, bound.visible()).stream()
                        .map(BoundSelect.Output::name)
                        .toList();
        int[] places = Views.places(text, view, names);
        List<Column> columns = new ArrayList<>();
        List<Scalar> values = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Scalar value = bound.outputs().get(places[i]).scalar();
            columns.add(new Column(view.columns().get(i), value.type(), value.nullable()));
            values.add(value);
        }
        List<Command.ViewCheck> conditions = new ArrayList<>(read.conditions());
        List<Command.ViewCheck> checks = new ArrayList<>(read.checks());
        Scalar where = bound.where();
        if (where != null) {
            boolean partition = around.binding().catalog().partition(view.id()) != null;
            Command.ViewCheck own = new Command.ViewCheck(view.name(), where, partition);
            conditions.add(own);
            checks.add(own);
        }
        return new ChangedRelation(
                read.table(),
                view,
                List.copyOf(columns),
                List.copyOf(values),
                List.copyOf(conditions),
                switch (view.checkOption()) {
                    case NONE -> read.checks();
                    case LOCAL -> List.copyOf(checks);
                    case CASCADED -> List.copyOf(conditions);
                });
    }
}
