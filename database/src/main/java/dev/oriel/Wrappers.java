package dev.oriel;

import java.sql.SQLException;

/// `java.sql.Wrapper` for objects that wrap nothing.
final class Wrappers {
    private Wrappers() {}

    static boolean isFor(Object object, Class<?> type) throws SQLException {
        return SqlStates.given(type, "class").isInstance(object);
    }

    static <T> T unwrap(Object object, Class<T> type) throws SQLException {
        if (isFor(object, type)) {
            return type.cast(object);
        }
        throw SqlStates.exception(
                SqlStates.INVALID_ARGUMENT, "This is not a wrapper for " + type.getName());
    }
}
