package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.file.ExternalForm;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds COPY.
final class CopyBinder {
    private final BindContext around;
    private final SqlText source;

    CopyBinder(BindContext around) {
        this.around = around;
        this.source = around.source();
    }

    /// COPY FROM: an INSERT of the file's rows. Values of identity columns come from the file, as in PostgreSQL.
    Command.CopyFrom from(ChangeBinder changes, ChangedRelation changed, Statement.CopyFrom copy) {
        Table table = changed.table();
        List<Integer> targets = new ArrayList<>();
        for (int target : changes.targets(changed, copy.columns())) {
            changed.written(source, target, copy.position());
            Column column = table.columns().get(target);
            if (!column.generated()) {
                targets.add(target);
            } else if (!copy.columns().isEmpty()) {
                throw source.error(
                        Kind.GENERATED_ALWAYS,
                        copy.position(),
                        ChangeBinder.what(column) + " is always generated: leave it out");
            }
        }
        List<Column> fields = new ArrayList<>();
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int target : targets) {
            Column column = table.columns().get(target);
            values[target] =
                    new Scalar.ColumnRef(fields.size(), column.type(), true, column.name());
            fields.add(column);
        }
        List<String> names = fields.stream().map(Column::name).toList();
        Place place = source.at(copy.file().position());
        return new Command.CopyFrom(
                table,
                fields,
                changes.filled(table, values),
                ExternalForm.path(copy.file().text(), place),
                copy.options(),
                chosen(copy.options().filled(), names, place),
                chosen(copy.options().emptied(), names, place),
                changed.checks(),
                place);
    }

    Command.CopyTo to(Statement.CopyTo copy) {
        BoundQuery bound = new QueryBinder(around).bind(query(copy), List.of());
        List<String> names = bound.columns().stream().map(Prepared.OutputColumn::name).toList();
        Place place = source.at(copy.file().position());
        return new Command.CopyTo(
                bound.plan(),
                bound.columns(),
                ExternalForm.path(copy.file().text(), place),
                copy.options(),
                chosen(copy.options().forced(), names, place),
                place);
    }

    /// The query to write: for a table its listed columns, or all that are not generated.
    private Statement.Query query(Statement.CopyTo copy) {
        Statement.Query query = copy.query();
        if (query != null) {
            return query;
        }
        Identifier name = copy.table();
        if (name == null) {
            throw new IllegalStateException("COPY writes neither a table nor a query");
        }
        List<Statement.Item> items = new ArrayList<>();
        for (Identifier column : copy.columns()) {
            items.add(item(column.position(), column.name()));
        }
        Table table = around.binding().catalog().table(name.path());
        if (items.isEmpty() && table != null) {
            for (Column column : table.columns()) {
                if (!column.generated()) {
                    items.add(item(name.position(), column.name()));
                }
            }
        }
        if (items.isEmpty()) {
            items.add(new Statement.Item.Star(name.position(), null));
        }
        return new Statement.Select(
                copy.position(),
                false,
                List.copyOf(items),
                new Statement.From.Named(name, null, List.of()),
                null,
                List.of(),
                null,
                List.of(),
                null,
                Statement.Tail.NONE);
    }

    private static Statement.Item item(int position, String column) {
        return new Statement.Item.Value(new Expression.Name(position, null, column), null);
    }

    /// For each of `names`, whether it is in `set`, whose names are in upper case.
    private static List<Boolean> chosen(Set<String> set, List<String> names, Place place) {
        List<Boolean> chosen = new ArrayList<>();
        int found = 0;
        for (String name : names) {
            boolean named = set.contains(name.toUpperCase(Locale.ROOT));
            found += named ? 1 : 0;
            chosen.add(named || set.contains("*"));
        }
        if (found < set.size() && !set.contains("*")) {
            throw place.error(
                    Kind.UNKNOWN_COLUMN,
                    "FORCE_QUOTE, FORCE_NULL and FORCE_NOT_NULL take columns that are copied, not "
                            + set);
        }
        return chosen;
    }
}
