package dev.oriel.sql.bind;

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
import org.jspecify.annotations.Nullable;

/// Lists triggers.
final class TriggerInformation {
    /// Columns of `pg_trigger`, as in [PgRows].
    static final String PG_TRIGGER =
            "oid:n tgrelid:n tgparentid:n tgname tgfoid:n tgtype:n tgenabled tgisinternal:b"
                    + " tgconstrrelid:n tgconstrindid:n tgconstraint:n tgdeferrable:b"
                    + " tginitdeferred:b tgnargs:n tgattr:v tgargs tgqual tgoldtable tgnewtable";

    private static final int ROW = 1;
    private static final int BEFORE = 2;
    private static final int INSERT = 4;
    private static final int DELETE = 8;
    private static final int UPDATE = 16;
    private static final int TRUNCATE = 32;
    private static final int INSTEAD = 64;

    private TriggerInformation() {}

    /// Fills pg_trigger.
    static void fill(PgRows rows, Catalog catalog) {
        for (Trigger trigger : catalog.triggers()) {
            List<Column> columns = Triggers.columns(catalog, trigger.of());
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                if (trigger.columns().contains(columns.get(i).name())) {
                    places.add(i + 1);
                }
            }
            rows.add(
                    PgCatalog.oid(trigger.id()),
                    PgCatalog.oid(trigger.of()),
                    0,
                    trigger.name(),
                    0,
                    bits(trigger),
                    trigger.enabled() ? "O" : "D",
                    false,
                    0,
                    0,
                    0,
                    false,
                    false,
                    0,
                    places,
                    "",
                    trigger.when(),
                    named(trigger.names().oldTable()),
                    named(trigger.names().newTable()));
        }
    }

    private static @Nullable String named(String name) {
        return name.isEmpty() ? null : name;
    }

    private static int bits(Trigger trigger) {
        int bits = trigger.perRow() ? ROW : 0;
        bits |= trigger.timing() == Timing.BEFORE ? BEFORE : 0;
        bits |= trigger.timing() == Timing.INSTEAD ? INSTEAD : 0;
        bits |= trigger.events().contains(Event.INSERT) ? INSERT : 0;
        bits |= trigger.events().contains(Event.UPDATE) ? UPDATE : 0;
        bits |= trigger.events().contains(Event.DELETE) ? DELETE : 0;
        bits |= trigger.events().contains(Event.TRUNCATE) ? TRUNCATE : 0;
        return bits;
    }

    /// The statement that defines the trigger `oid`; null if there is none.
    static @Nullable String definition(Catalog catalog, long oid) {
        for (Trigger trigger : catalog.triggers()) {
            if (PgCatalog.oid(trigger.id()) == oid) {
                return TriggerText.of(catalog, trigger);
            }
        }
        return null;
    }

    /// Whether a view has a trigger INSTEAD OF `event`, as YES or NO.
    static String instead(Catalog catalog, View view, Event event) {
        for (Trigger trigger : catalog.triggers(view.id())) {
            if (trigger.events().contains(event)) {
                return "YES";
            }
        }
        return "NO";
    }

    /// `information_schema.triggers`: a row for each event of a trigger, TRUNCATE aside, which is not in the standard.
    static InformationSchema triggers(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "trigger_schema",
                        "trigger_name",
                        "event_manipulation",
                        "event_object_schema",
                        "event_object_table",
                        "action_order",
                        "action_condition",
                        "action_statement",
                        "action_orientation",
                        "action_timing",
                        "action_reference_old_table",
                        "action_reference_new_table",
                        "action_reference_old_row",
                        "action_reference_new_row",
                        "remarks");
        for (Table table : catalog.tables()) {
            add(made, catalog, table.id(), table.schema(), table.name());
        }
        for (View view : catalog.views()) {
            add(made, catalog, view.id(), view.schema(), view.name());
        }
        return made.ofCatalog("trigger_catalog", "event_object_catalog");
    }

    private static void add(
            InformationSchema into, Catalog catalog, long of, String schema, String relation) {
        List<Trigger> before = new ArrayList<>();
        for (Trigger trigger : catalog.triggers(of)) {
            for (Event event : Event.values()) {
                if (event != Event.TRUNCATE && trigger.events().contains(event)) {
                    into.add(
                            schema,
                            trigger.name(),
                            event.name(),
                            PgCatalog.called(schema),
                            relation,
                            1L
                                    + before.stream()
                                            .filter(each -> isLike(each, trigger, event))
                                            .count(),
                            trigger.when(),
                            trigger.body(),
                            trigger.perRow() ? "ROW" : "STATEMENT",
                            trigger.timing().words(),
                            named(trigger.names().oldTable()),
                            named(trigger.names().newTable()),
                            named(trigger.names().oldRow()),
                            named(trigger.names().newRow()),
                            catalog.comments(trigger.id()).text(Comments.Subject.WHOLE));
                }
            }
            before.add(trigger);
        }
    }

    private static boolean isLike(Trigger one, Trigger other, Event event) {
        return one.timing() == other.timing()
                && one.perRow() == other.perRow()
                && one.events().contains(event);
    }
}
