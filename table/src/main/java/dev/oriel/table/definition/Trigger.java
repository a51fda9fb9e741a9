package dev.oriel.table.definition;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Statements that run whenever rows of a table or view change.
///
/// @param id stable number, of the numbers of tables
/// @param of number of its table or view
/// @param events changes that fire it
/// @param columns names of the columns of UPDATE OF; empty for all
/// @param perRow whether it fires once for each row, not once for each statement
/// @param names names of the rows and tables that its statements read
/// @param when condition; null if it always fires
/// @param body text of the language that the layer above understands
/// @param path schemas in which the names of its texts are looked up; PUBLIC is the empty one
/// @param calls whether it calls functions that are no definitions of the catalog
public record Trigger(
        long id,
        String name,
        long of,
        Timing timing,
        Set<Event> events,
        List<String> columns,
        boolean perRow,
        Names names,
        @Nullable String when,
        String body,
        List<String> path,
        boolean enabled,
        boolean calls)
        implements Note {
    /// Name of the old row unless another is given.
    public static final String OLD = "OLD";

    /// Name of the new row unless another is given.
    public static final String NEW = "NEW";

    public Trigger {
        events = Set.copyOf(events);
        columns = List.copyOf(columns);
        path = List.copyOf(path);
    }

    /// Moment of the change at which it fires.
    public enum Timing {
        BEFORE,
        AFTER,
        INSTEAD;

        /// In words of SQL.
        public String words() {
            return this == INSTEAD ? "INSTEAD OF" : name();
        }
    }

    /// Change that fires it.
    public enum Event {
        INSERT,
        UPDATE,
        DELETE,
        TRUNCATE;

        /// Name of its rows before, in lower case.
        public String lower() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Names of what its statements read; empty for none. Rows are called OLD and NEW then.
    public record Names(String oldRow, String newRow, String oldTable, String newTable) {
        public static final Names NONE = new Names("", "", "", "");
    }

    @Override
    public Trigger withId(long other) {
        return new Trigger(
                other, name, of, timing, events, columns, perRow, names, when, body, path, enabled,
                calls);
    }

    /// This trigger with another name.
    public Trigger withName(String other) {
        return new Trigger(
                id, other, of, timing, events, columns, perRow, names, when, body, path, enabled,
                calls);
    }

    /// This trigger, to fire or not.
    public Trigger withEnabled(boolean fires) {
        return new Trigger(
                id, name, of, timing, events, columns, perRow, names, when, body, path, fires,
                calls);
    }

    /// This trigger, marked as calling functions outside of the catalog.
    public Trigger withCalls() {
        return new Trigger(
                id, name, of, timing, events, columns, perRow, names, when, body, path, enabled,
                true);
    }

    /// This trigger with the schema `from` of its path renamed to `to`.
    public Trigger moved(String from, String to) {
        List<String> renamed =
                path.stream().map(each -> each.equalsIgnoreCase(from) ? to : each).toList();
        return new Trigger(
                id, name, of, timing, events, columns, perRow, names, when, body, renamed, enabled,
                calls);
    }

    /// Name of the old row in its statements.
    public String oldRow() {
        return names.oldRow().isEmpty() ? OLD : names.oldRow();
    }

    /// Name of the new row in its statements.
    public String newRow() {
        return names.newRow().isEmpty() ? NEW : names.newRow();
    }

    /// Whether its statements read all rows of the change at once.
    public boolean readsTables() {
        return !names.oldTable().isEmpty() || !names.newTable().isEmpty();
    }

    /// The search path of its texts.
    public SearchPath searched() {
        return path.equals(SearchPath.DEFAULT.schemas())
                ? SearchPath.DEFAULT
                : new SearchPath("", path);
    }
}
