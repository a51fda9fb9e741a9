package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The session settings of a statement, as functions see them.
public interface Settings {
    /// No settings: a stored definition is for every session.
    Settings NONE =
            new Settings() {
                @Override
                public @Nullable String value(String name) {
                    return null;
                }

                @Override
                public void set(String name, @Nullable String value, boolean local, Place place) {
                    throw new IllegalStateException("a statement without a session");
                }
            };

    /// Value of the setting `name`; null if there is none.
    @Nullable String value(String name);

    /// The time zone.
    default Zone zone() {
        return Zone.UTC;
    }

    /// The text of a column of the current row of a cursor.
    ///
    /// @param table path of the table that the cursor must read
    /// @param key number of the column in its primary key
    default String cursorKey(String cursor, String table, int key, Place place) {
        throw new IllegalStateException("a statement without a session");
    }

    /// Sets a setting, as SET does.
    ///
    /// @param value null for the database's
    /// @param local whether it is for the transaction alone
    void set(String name, @Nullable String value, boolean local, Place place);

    /// The call of CURRENT_SETTING or SET_CONFIG.
    static Scalar call(Function function, List<Scalar> arguments, Place place) {
        FunctionCall.TextBody body =
                function == Function.SET_CONFIG
                        ? (a, frame) -> set(a, frame, place)
                        : (a, frame) -> current(a, frame, place);
        return new FunctionCall.OfText(function, List.copyOf(arguments), Typing.TEXT, body);
    }

    /// The text of column `key` of the primary key of `table`, of the current row of a cursor.
    static Scalar cursorKey(String cursor, Table table, int key, Place place) {
        FunctionCall.TextBody body =
                (_, frame) ->
                        frame.execution().settings().cursorKey(cursor, table.path(), key, place);
        List<Scalar> arguments = List.of(Scalar.Constant.of(Typing.TEXT, cursor));
        return new FunctionCall.OfText(Function.CURRENT_OF, arguments, Typing.TEXT, body);
    }

    private static @Nullable String current(List<Scalar> arguments, Frame frame, Place place) {
        String name = arguments.getFirst().evalText(frame);
        int missing = arguments.size() == 1 ? 0 : arguments.get(1).evalTruth(frame);
        if (name == null || missing == Scalar.UNKNOWN) {
            return null;
        }
        String value = frame.execution().settings().value(name);
        if (value == null && missing == 0) {
            throw place.error(Kind.UNKNOWN_OBJECT, "There is no setting \"" + name + "\"");
        }
        return value;
    }

    private static boolean isTrue(Scalar flag, Frame frame) {
        return flag.evalLong(frame) == 1 && !frame.isNull;
    }

    private static @Nullable String set(List<Scalar> arguments, Frame frame, Place place) {
        String name = arguments.getFirst().evalText(frame);
        String value = arguments.get(1).evalText(frame);
        if (name == null) {
            throw place.error(
                    Kind.INVALID_PARAMETER, "SET_CONFIG needs the name of a setting, not NULL");
        }
        boolean local = isTrue(arguments.get(2), frame);
        Settings settings = frame.execution().settings();
        settings.set(name, value, local, place);
        return settings.value(name);
    }
}
