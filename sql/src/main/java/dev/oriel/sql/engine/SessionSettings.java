package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Settings;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Zone;
import dev.oriel.store.Isolation;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Settings of a session: [KnownSettings], and any setting with a point in its name, which belongs to the
/// application. A rollback undoes the changes of its transaction; the end of a transaction undoes SET LOCAL.
final class SessionSettings implements Settings {
    private final LocalSession session;

    /// Settings that differ from the database's, by their names in lower case.
    private Map<String, String> values = new HashMap<>(0);

    /// Values before the transaction; null if it has set none.
    private @Nullable Map<String, String> before;

    /// Settings that end with the transaction.
    private final Map<String, String> local = new HashMap<>(0);

    /// The time zone: the value of [KnownSettings#TIME_ZONE]; null until it is needed, which is UTC.
    private @Nullable Zone zone;

    SessionSettings(LocalSession session) {
        this.session = session;
    }

    @Override
    public @Nullable String value(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return switch (key) {
            case "transaction_isolation" -> called(session.level());
            case "default_transaction_isolation" -> called(session.isolation());
            case "transaction_read_only", "default_transaction_read_only" ->
                    session.isReadOnly() ? "on" : "off";
            case KnownSettings.QUERY_BYTES_MAX -> Long.toString(session.bytesMax());
            default -> {
                String own = local.getOrDefault(key, values.get(key));
                yield own == null ? KnownSettings.initial(key) : own;
            }
        };
    }

    @Override
    public String cursorKey(String cursor, String table, int key, Place place) {
        return session.statements().cursorKey(cursor, table, key, place);
    }

    private static String called(Isolation level) {
        return switch (level) {
            case READ_COMMITTED -> "read committed";
            case SNAPSHOT -> "repeatable read";
            case SERIALIZABLE -> "serializable";
        };
    }

    @Override
    public Zone zone() {
        return zone == null ? Zone.UTC : zone;
    }

    @Override
    public void set(String name, @Nullable String value, boolean forTransaction, Place place) {
        String key = name.toLowerCase(Locale.ROOT);
        if (key.equals(KnownSettings.QUERY_BYTES_MAX)) {
            session.queryBytesMax(KnownSettings.bytes(value, place));
            return;
        }
        boolean own = key.indexOf('.') > 0;
        if (!own && !KnownSettings.isKnown(key)) {
            throw place.error(
                    Kind.UNKNOWN_OBJECT,
                    "There is no setting \""
                            + name
                            + "\""
                            + Nearest.hint(key, KnownSettings.names()));
        }
        String accepted = value == null || own ? value : KnownSettings.accepted(key, value, place);
        if (forTransaction) {
            if (session.inTransaction()) {
                local.put(
                        key,
                        accepted == null ? String.valueOf(KnownSettings.initial(key)) : accepted);
                changed(key);
            }
            return;
        }
        remember();
        local.remove(key);
        if (accepted == null) {
            values.remove(key);
        } else {
            values.put(key, accepted);
        }
        changed(key);
    }

    private void changed() {
        changed(KnownSettings.SEARCH_PATH);
        changed(KnownSettings.TIME_ZONE);
    }

    /// Updates the search path or the time zone, if it is the value of `key`.
    private void changed(String key) {
        if (key.equals(KnownSettings.TIME_ZONE)) {
            zone = Zone.of(String.valueOf(value(key)));
        } else if (key.equals(KnownSettings.SEARCH_PATH)) {
            session.temporary().searched(KnownSettings.schemas(String.valueOf(value(key))));
        }
    }

    /// Snapshot of the settings.
    record State(Map<String, String> values, Map<String, String> local) {}

    /// Current settings, for [#restore].
    State state() {
        return new State(Map.copyOf(values), Map.copyOf(local));
    }

    /// Undoes changes of settings in the transaction since `state`.
    void restore(State state) {
        if (!state.equals(new State(values, local))) {
            remember();
            values = new HashMap<>(state.values);
            local.clear();
            local.putAll(state.local);
            changed();
        }
    }

    private void remember() {
        if (before == null && session.inTransaction()) {
            before = new HashMap<>(values);
        }
    }

    /// RESET ALL.
    void clear() {
        remember();
        local.clear();
        values.clear();
        changed();
        session.queryBytesMax(0);
    }

    /// The transaction has ended.
    void ended(boolean committed) {
        if (local.isEmpty() && before == null) {
            return;
        }
        local.clear();
        Map<String, String> old = before;
        before = null;
        if (old != null && !committed) {
            values = old;
        }
        changed();
    }
}
