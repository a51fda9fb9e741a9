package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds changes of views with INSTEAD OF triggers: a query of the rows for which the triggers fire.
final class InsteadBinder {
    private final BindContext around;
    private final ChangeBinder changes;
    private final SqlText source;
    private final Table table;
    private final ChangedRelation changed;

    private InsteadBinder(BindContext around, ChangeBinder changes, View view) {
        this.around = around;
        this.changes = changes;
        this.source = around.source();
        List<Column> columns = new ArrayList<>();
        for (Column column : Views.columns(around.binding().catalog(), view)) {
            columns.add(new Column(column.name(), column.type(), true));
        }
        this.table =
                new Table(view.id(), view.name(), columns, List.of(), List.of())
                        .withSchema(view.schema());
        this.changed = ChangedRelation.of(table);
    }

    /// The command for `change` if its view has triggers INSTEAD OF such changes; else null.
    static Command.@Nullable RowChange bind(
            BindContext around, ChangeBinder changes, Statement.RowChange change) {
        Catalog catalog = around.binding().catalog();
        View view = catalog.view(change.table().path());
        if (view == null || !fires(catalog, view, change)) {
            return null;
        }
        return new InsteadBinder(around, changes, view).bound(change);
    }

    private static boolean fires(Catalog catalog, View view, Statement.RowChange change) {
        for (Trigger trigger : catalog.triggers(view.id())) {
            boolean same =
                    switch (change) {
                        case Statement.Insert _, Statement.CopyFrom _ ->
                                trigger.events().contains(Event.INSERT);
                        case Statement.Update _ -> trigger.events().contains(Event.UPDATE);
                        case Statement.Delete _ -> trigger.events().contains(Event.DELETE);
                        case Statement.Merge _, Statement.WithChange _ -> true;
                    };
            if (same && trigger.enabled()) {
                return true;
            }
        }
        return false;
    }

    private Command.RowChange bound(Statement.RowChange change) {
        return switch (change) {
            case Statement.Insert insert -> insert(insert);
            case Statement.Update update -> update(update);
            case Statement.Delete delete -> delete(delete);
            case Statement.Merge merge -> throw refused(merge.position(), "be merged into");
            case Statement.CopyFrom copy -> new CopyBinder(around).from(changes, changed, copy);
            case Statement.WithChange with -> throw new IllegalStateException("WITH within WITH");
        };
    }

    private SqlException refused(int position, String what) {
        return source.error(
                Kind.NOT_SUPPORTED,
                position,
                "View \""
                        + table.name()
                        + "\" has triggers INSTEAD OF its changes and cannot "
                        + what
                        + "; write a plain INSERT, UPDATE or DELETE");
    }

    private Command.RowChange insert(Statement.Insert insert) {
        if (insert.onConflict() != null) {
            throw refused(insert.onConflict().position(), "have ON CONFLICT");
        }
        Command.RowChange bound = changes.insert(changed, insert);
        Plan rows =
                switch (bound) {
                    case Command.InsertRows values ->
                            new Plan.Rows(values.rows(), types(table.columns()));
                    case Command.InsertQuery query ->
                            new Plan.Project(query.source(), query.values());
                    default -> throw new IllegalStateException(bound + " inserts nothing");
                };
        return new Command.Instead(table, Event.INSERT, rows, bound.returning());
    }

    private static List<Type> types(List<Column> columns) {
        return columns.stream().map(Column::type).toList();
    }

    private Command.RowChange update(Statement.Update update) {
        if (update.limit() != null) {
            throw refused(update.limit().position(), "have LIMIT");
        }
        List<Statement.Item> items = new ArrayList<>();
        List<Type> expected = new ArrayList<>(types(table.columns()));
        items.add(new Statement.Item.Star(update.position(), called(update)));
        List<Integer> set = new ArrayList<>();
        for (Statement.Assignment assignment : update.assignments()) {
            int column = Compiler.column(source, table, assignment.column());
            if (assignment.part() >= 0) {
                throw refused(assignment.column().position(), "set several columns at once");
            } else if (set.contains(column)) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        assignment.column().position(),
                        "Column \"" + assignment.column().name() + "\" is given twice");
            }
            set.add(column);
            Expression value = assignment.value();
            int position = assignment.column().position();
            items.add(
                    new Statement.Item.Value(
                            value == null
                                    ? new Expression.Literal(
                                            position, Expression.Literal.Kind.NULL, "NULL")
                                    : value,
                            null));
            expected.add(table.columns().get(column).type());
        }
        BoundQuery rows =
                rows(
                        update.position(),
                        items,
                        update.table(),
                        update.alias(),
                        update.from(),
                        update.where(),
                        expected);
        List<Scalar> values = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            values.add(read(rows, i));
        }
        for (int i = 0; i < table.columns().size(); i++) {
            int at = set.indexOf(i);
            values.add(
                    at < 0
                            ? read(rows, i)
                            : ScalarBinder.assigned(
                                    read(rows, table.columns().size() + at),
                                    table.columns().get(i).type(),
                                    source.at(update.assignments().get(at).column().position()),
                                    ChangeBinder.what(table.columns().get(i))));
        }
        return new Command.Instead(
                table,
                Event.UPDATE,
                new Plan.Project(rows.plan(), List.copyOf(values)),
                returning(update, update.alias()));
    }

    private static String called(Statement.Update update) {
        return ChangeBinder.called(update.table(), update.alias());
    }

    private static Scalar read(BoundQuery rows, int column) {
        Prepared.OutputColumn output = rows.columns().get(column);
        return new Scalar.ColumnRef(column, output.type(), output.nullable(), output.name());
    }

    private Command.RowChange delete(Statement.Delete delete) {
        if (delete.limit() != null) {
            throw refused(delete.limit().position(), "have LIMIT");
        }
        String called = ChangeBinder.called(delete.table(), delete.alias());
        BoundQuery rows =
                rows(
                        delete.position(),
                        List.of(new Statement.Item.Star(delete.position(), called)),
                        delete.table(),
                        delete.alias(),
                        delete.using(),
                        delete.where(),
                        types(table.columns()));
        return new Command.Instead(
                table, Event.DELETE, rows.plan(), returning(delete, delete.alias()));
    }

    private Command.@Nullable Returning returning(
            Statement.RowChange change, @Nullable Identifier alias) {
        return change.returning().isEmpty()
                ? null
                : new ReturningBinder(around, changed)
                        .bind(
                                change.returning(),
                                changed.scope(ChangeBinder.called(change.table(), alias)),
                                table.columns().size());
    }

    private BoundQuery rows(
            int position,
            List<Statement.Item> items,
            Identifier view,
            @Nullable Identifier alias,
            @Nullable From others,
            @Nullable Expression where,
            List<Type> expected) {
        From own = new From.Named(view, alias, List.of());
        From from =
                others == null
                        ? own
                        : new From.Join(
                                position,
                                Statement.JoinKind.CROSS,
                                false,
                                own,
                                others,
                                null,
                                null,
                                position);
        Statement.Select select =
                new Statement.Select(
                        position,
                        false,
                        List.copyOf(items),
                        from,
                        where,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        return new QueryBinder(around).bind(select, expected);
    }
}
