package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;

/// The statement that defines a trigger.
public final class TriggerText {
    private TriggerText() {}

    /// The name of the table or view of `trigger`, with its schema.
    public static String relation(Catalog catalog, Trigger trigger) {
        Table table = catalog.table(trigger.of());
        View view = catalog.view(trigger.of());
        if (table != null) {
            return named(table.schema(), table.name());
        } else if (view != null) {
            return named(view.schema(), view.name());
        }
        throw new IllegalStateException("a trigger of nothing: " + trigger.name());
    }

    private static String named(String schema, String name) {
        return Quoting.name(SearchPath.shown(schema)) + "." + Quoting.name(name);
    }

    /// The statement, without a semicolon.
    public static String of(Catalog catalog, Trigger trigger) {
        String when = trigger.when();
        return "CREATE TRIGGER "
                + Quoting.name(trigger.name())
                + " "
                + trigger.timing().words()
                + " "
                + events(trigger)
                + " ON "
                + relation(catalog, trigger)
                + references(trigger)
                + (trigger.perRow() ? " FOR EACH ROW" : " FOR EACH STATEMENT")
                + (when == null ? "" : " WHEN (" + when + ")")
                + " "
                + trigger.body();
    }

    private static String events(Trigger trigger) {
        List<String> events = new ArrayList<>();
        for (Event event : Event.values()) {
            if (trigger.events().contains(event)) {
                boolean some = event == Event.UPDATE && !trigger.columns().isEmpty();
                events.add(
                        event.name()
                                + (some
                                        ? " OF "
                                                + String.join(
                                                        ", ",
                                                        trigger.columns().stream()
                                                                .map(Quoting::name)
                                                                .toList())
                                        : ""));
            }
        }
        return String.join(" OR ", events);
    }

    private static String references(Trigger trigger) {
        Trigger.Names names = trigger.names();
        StringBuilder text = new StringBuilder();
        add(text, "OLD ROW", names.oldRow());
        add(text, "NEW ROW", names.newRow());
        add(text, "OLD TABLE", names.oldTable());
        add(text, "NEW TABLE", names.newTable());
        return text.toString();
    }

    private static void add(StringBuilder text, String what, String name) {
        if (!name.isEmpty()) {
            text.append(text.isEmpty() ? " REFERENCING " : " ")
                    .append(what)
                    .append(" AS ")
                    .append(Quoting.name(name));
        }
    }
}
