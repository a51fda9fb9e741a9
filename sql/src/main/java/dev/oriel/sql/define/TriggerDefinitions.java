package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.Triggers;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TriggerStatement;
import dev.oriel.sql.syntax.TriggerStatement.Create;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Trigger.Timing;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs the statements about triggers.
final class TriggerDefinitions {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    TriggerDefinitions(SqlText source, Execution execution) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
    }

    void run(TriggerStatement statement) {
        switch (statement) {
            case Create create -> create(create);
            case TriggerStatement.Drop drop -> {
                Trigger trigger = find(drop.name(), drop.on(), drop.ifExists());
                if (trigger != null) {
                    transaction.drop(trigger);
                }
            }
            case TriggerStatement.Enable enable -> enable(enable);
            case TriggerStatement.Rename rename -> rename(rename);
            case TriggerStatement.Comment comment -> {
                Trigger trigger = find(comment.name(), comment.on(), false);
                if (trigger != null) {
                    CommentDefinition.write(
                            transaction, trigger.id(), Comments.Subject.WHOLE, comment.text());
                }
            }
        }
    }

    /// Creates again the triggers of the view of number `of`, which has been replaced since `before`.
    static void keep(TableTransaction transaction, Catalog before, long of) {
        for (Trigger trigger : before.triggers(of)) {
            transaction.create(trigger);
            Comments comments = before.comments(trigger.id());
            if (!comments.texts().isEmpty()) {
                transaction.create(comments);
            }
        }
    }

    /// Whether the session wants bodies to be checked when they are defined.
    static boolean checksBodies(Execution execution) {
        return !"off".equals(execution.settings().value("check_function_bodies"));
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    /// The number of the table or view `name`.
    private long relation(Identifier name) {
        View view = catalog().view(name.path());
        if (view != null) {
            if (catalog().partition(view.id()) != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        name.position(),
                        "A partition has no triggers of its own; create them on the partitioned"
                                + " table");
            }
            return view.id();
        }
        Table table = SelectBinder.table(source, catalog(), name);
        if (catalog().materialized(table.id()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "Materialized views have no triggers; create them on the tables that it reads");
        }
        return table.id();
    }

    private void create(Create create) {
        if (catalog().external(create.on().path()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    create.on().position(),
                    "External tables have no triggers; load the file into a table");
        }
        long of = relation(create.on());
        check(create, catalog().view(of) != null);
        Trigger before = named(of, create.name().name());
        if (before != null && !create.orReplace()) {
            if (create.ifNotExists()) {
                return;
            }
            throw duplicate(create.name());
        }
        List<String> path = new ArrayList<>(catalog().current());
        path.removeIf(Catalog::isTemporary);
        Trigger wanted =
                new Trigger(
                        before == null ? 0 : before.id(),
                        create.name().name(),
                        of,
                        create.timing(),
                        create.events(),
                        columns(create, of),
                        create.perRow(),
                        create.names(),
                        create.when(),
                        create.body(),
                        path,
                        true,
                        false);
        Trigger created = (Trigger) transaction.create(wanted);
        if (!Triggers.isOfCatalog(catalog(), created)) {
            created = (Trigger) transaction.create(created.withCalls());
        }
        if (checksBodies(execution)) {
            var _ = execution.bodies().trigger(created, catalog()); // fails if it is not valid
        }
    }

    private SqlException duplicate(Identifier name) {
        return source.error(
                Kind.DUPLICATE_OBJECT,
                name.position(),
                "The table has a trigger \""
                        + name.name()
                        + "\" already: choose another name, or drop it first");
    }

    private void check(Create create, boolean view) {
        int position = create.name().position();
        Trigger.Names names = create.names();
        boolean tables = !names.oldTable().isEmpty() || !names.newTable().isEmpty();
        boolean rows = !names.oldRow().isEmpty() || !names.newRow().isEmpty();
        if (view != (create.timing() == Timing.INSTEAD)) {
            throw refused(
                    create.on().position(),
                    view
                            ? "A view has triggers INSTEAD OF its changes only; write INSTEAD OF,"
                                    + " or create it on the table"
                            : "Triggers INSTEAD OF a change are for views; write BEFORE or AFTER");
        } else if (view && !create.perRow()) {
            throw refused(position, "A trigger INSTEAD OF a change needs FOR EACH ROW; add that");
        } else if (view && !create.columns().isEmpty()) {
            throw refused(
                    position, "A trigger INSTEAD OF a change fires for all columns; leave out OF");
        } else if (view && create.when() != null) {
            throw refused(
                    position,
                    "A trigger INSTEAD OF a change has no WHEN; put the condition into its"
                            + " statements");
        } else if (tables && create.timing() != Timing.AFTER) {
            throw refused(
                    position,
                    "OLD TABLE and NEW TABLE are for triggers AFTER a change; leave them out, or"
                            + " write AFTER");
        } else if (rows && !create.perRow()) {
            throw refused(
                    position,
                    "OLD and NEW are rows of a trigger FOR EACH ROW; add that, or name OLD TABLE and"
                            + " NEW TABLE");
        }
        boolean truncates = create.events().contains(Event.TRUNCATE);
        if (truncates && (create.perRow() || tables)) {
            throw refused(
                    position,
                    "A trigger of TRUNCATE fires once and sees no rows; leave out FOR EACH ROW and"
                            + " REFERENCING, or TRUNCATE");
        }
        checkVersions(create, position);
    }

    /// Refuses names of rows that none of the events has.
    private void checkVersions(Create create, int position) {
        Trigger.Names names = create.names();
        boolean old = !names.oldTable().isEmpty() || !names.oldRow().isEmpty();
        boolean fresh = !names.newTable().isEmpty() || !names.newRow().isEmpty();
        if ((old && create.events().stream().allMatch(event -> event == Event.INSERT))
                || (fresh && create.events().stream().allMatch(event -> event == Event.DELETE))) {
            throw refused(
                    position, "An INSERT has no OLD and a DELETE no NEW; leave out that name");
        }
    }

    private SqlException refused(int position, String message) {
        return source.error(Kind.OBJECT_DEFINITION, position, message);
    }

    private List<String> columns(Create create, long of) {
        List<String> names = new ArrayList<>();
        for (Identifier name : create.columns()) {
            List<Column> columns = Triggers.columns(catalog(), of);
            Column found = null;
            for (Column column : columns) {
                found = column.name().equalsIgnoreCase(name.name()) ? column : found;
            }
            if (found == null) {
                throw source.error(
                        Kind.UNKNOWN_COLUMN,
                        name.position(),
                        "Table \""
                                + create.on().name()
                                + "\" has no column \""
                                + name.name()
                                + "\""
                                + Nearest.hint(
                                        name.name(), columns.stream().map(Column::name).toList()));
            }
            if (names.contains(found.name())) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "Column \"" + found.name() + "\" is named twice");
            }
            names.add(found.name());
        }
        return names;
    }

    private @Nullable Trigger named(long of, String name) {
        for (Trigger trigger : catalog().triggers(of)) {
            if (trigger.name().equalsIgnoreCase(name)) {
                return trigger;
            }
        }
        return null;
    }

    private @Nullable Trigger find(Identifier name, @Nullable Identifier on, boolean ifExists) {
        List<Trigger> known;
        if (on == null) {
            known = catalog().triggers();
        } else if (ifExists
                && catalog().view(on.path()) == null
                && catalog().table(on.path()) == null) {
            return null;
        } else {
            known = catalog().triggers(relation(on));
        }
        List<Trigger> found =
                known.stream().filter(each -> each.name().equalsIgnoreCase(name.name())).toList();
        if (found.size() > 1) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "Several tables have a trigger \"" + name.name() + "\"; add ON and the table");
        } else if (found.isEmpty() && !ifExists) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    name.position(),
                    "There is no trigger \""
                            + name.name()
                            + "\""
                            + Nearest.hint(
                                    name.name(), known.stream().map(Trigger::name).toList()));
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private void enable(TriggerStatement.Enable enable) {
        Identifier on = enable.on();
        boolean missing = catalog().view(on.path()) == null && catalog().table(on.path()) == null;
        if (enable.ifExists() && missing) {
            return;
        }
        Identifier name = enable.name();
        List<Trigger> changed =
                name == null
                        ? catalog().triggers(relation(on))
                        : List.of(Objects.requireNonNull(find(name, on, false)));
        for (Trigger trigger : changed) {
            if (trigger.enabled() != enable.enabled()) {
                transaction.create(trigger.withEnabled(enable.enabled()));
            }
        }
    }

    private void rename(TriggerStatement.Rename rename) {
        Trigger trigger = find(rename.name(), rename.on(), rename.ifExists());
        if (trigger == null) {
            return;
        }
        Trigger other = named(trigger.of(), rename.to().name());
        if (other != null && other.id() != trigger.id()) {
            throw duplicate(rename.to());
        }
        transaction.create(trigger.withName(rename.to().name()));
    }
}
