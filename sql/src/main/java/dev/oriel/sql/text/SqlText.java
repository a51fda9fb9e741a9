package dev.oriel.sql.text;

import dev.oriel.sql.SqlException;
import dev.oriel.table.definition.ConstraintException;

/// The text of a statement, to which errors point back. Immutable.
///
/// @param function function or trigger whose text it is; empty if it is a statement
/// @param kind what that is, in lower case
public record SqlText(String text, String function, String kind) {
    /// Maximum length of the line quoted by an error, in characters.
    private static final int QUOTED_CHARS_MAX = 120;

    public SqlText(String text) {
        this(text, "");
    }

    public SqlText(String text, String function) {
        this(text, function, "function");
    }

    /// An error at `position`: `message`, the line of the statement and a caret under the position. An error in the
    /// body of a function has no position in the statement that calls it.
    public SqlException error(SqlException.Kind kind, int position, String message) {
        int own = function.isEmpty() ? position : -1;
        return new SqlException(kind, message + quote(position), own, null);
    }

    /// `error` in the text `other`, moved to `position` of this text.
    public SqlException moved(SqlException error, SqlText other, int position) {
        String message = String.valueOf(error.getMessage());
        String quoted = other.quote(error.position());
        String own =
                message.endsWith(quoted)
                        ? message.substring(0, message.length() - quoted.length()) + quote(position)
                        : message;
        SqlException moved = new SqlException(error.kind(), own, position, error.getCause());
        moved.setStackTrace(error.getStackTrace());
        for (Throwable suppressed : error.getSuppressed()) {
            moved.addSuppressed(suppressed);
        }
        return moved;
    }

    /// `failure` with `position`, and with the line and the caret appended to its message.
    public ConstraintException error(ConstraintException failure, int position) {
        return failure.at(position, quote(position));
    }

    /// A position in this text.
    public Place at(int position) {
        return new Place(this, position);
    }

    private String quote(int position) {
        int place = Math.clamp(position, 0, text.length());
        int start = text.lastIndexOf('\n', place - 1) + 1;
        int newline = text.indexOf('\n', place);
        int end = newline < 0 ? text.length() : newline;
        boolean cutLeft = place - start > QUOTED_CHARS_MAX / 2;
        if (cutLeft) {
            start = place - QUOTED_CHARS_MAX / 2;
        }
        boolean cutRight = end - start > QUOTED_CHARS_MAX;
        if (cutRight) {
            end = start + QUOTED_CHARS_MAX;
        }
        String line = text.substring(start, end).replace('\t', ' ').replace('\r', ' ');
        String left = cutLeft ? "..." : "";
        return (function.isEmpty() ? "" : "\n  in " + kind + " \"" + function + "\":")
                + "\n  "
                + left
                + line
                + (cutRight ? "..." : "")
                + "\n  "
                + " ".repeat(left.length() + place - start)
                + "^";
    }

    /// The position of an expression, kept for errors of its evaluation.
    public record Place(SqlText source, int position) {
        /// An error at this position.
        public SqlException error(SqlException.Kind kind, String message) {
            return source.error(kind, position, message);
        }
    }
}
