package dev.oriel;

import dev.oriel.sql.engine.Routine;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text of a call, and the SQL that it stands for.
///
/// @param returns whether its first parameter is a function's result
record CallText(String sql, boolean returns) {
    /// Form of a call: `{? = call name(...)}`, with or without braces.
    private static final Pattern CALL =
            Pattern.compile(
                    "\\s*(\\{)?\\s*(\\?\\s*=)?\\s*call\\s+((?:[^\\s({}\"]|\"[^\"]*\")+)\\s*(\\(.*\\))?\\s*(\\})?\\s*;?\\s*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /// Parses `text`.
    ///
    /// @param routines the callable routines
    /// @throws SQLException if it is no call
    static CallText of(String text, List<Routine> routines) throws SQLException {
        Matcher call = CALL.matcher(SqlStates.given(text, "call"));
        if (!call.matches() || (call.group(1) == null) != (call.group(5) == null)) {
            throw SqlStates.exception(
                    SqlStates.SYNTAX,
                    "A call is written {call name(...)} or {? = call name(...)}, not " + text);
        }
        String name = call.group(3);
        String whole = name + (call.group(4) == null ? "()" : call.group(4));
        if (call.group(2) != null) {
            return new CallText("SELECT " + whole, true);
        }
        for (Routine routine : routines) {
            if (name.equalsIgnoreCase(routine.name())
                    || name.equalsIgnoreCase(routine.schema() + "." + routine.name())) {
                return switch (routine.kind()) {
                    case FUNCTION -> new CallText("SELECT " + whole, false);
                    case TABLE_FUNCTION -> new CallText("SELECT * FROM " + whole, false);
                    case PROCEDURE -> new CallText("CALL " + whole, false);
                };
            }
        }
        return new CallText("CALL " + whole, false);
    }
}
