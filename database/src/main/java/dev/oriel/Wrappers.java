package dev.oriel;

import java.sql.SQLException;

/// `java.sql.Wrapper` for objects that wrap nothing.
final class Wrappers {
    private Wrappers() {}

    static <T> T unwrap(Object object, Class<T> type) throws SQLException {
        if (type.isInstance(object)) {
            return type.cast(object);
        }
        throw SqlStates.exception(
                SqlStates.INVALID_ARGUMENT, "This is not a wrapper for " + type.getName());
    }
}
