package dev.oriel;

import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Java's arrays as arrays of SQL.
final class ArrayParameter {
    private ArrayParameter() {}

    /// The array of `elements`, each converted as a parameter of type `element` is.
    ///
    /// @param connection in whose time zone texts are read; null for UTC
    static byte[] bytes(
            @Nullable JdbcConnection connection, Type element, @Nullable Object[] elements)
            throws SQLException {
        return ArrayValue.of(element, tuple(connection, element, elements), elements.length);
    }

    static Tuple tuple(
            @Nullable JdbcConnection connection, Type element, @Nullable Object[] elements)
            throws SQLException {
        Tuple values = new Tuple(elements.length);
        Type[] types = new Type[elements.length];
        Arrays.fill(types, element);
        Parameters parameters = new Parameters(connection, types, values, 1);
        for (int i = 0; i < elements.length; i++) {
            parameters.setObject(i + 1, elements[i]);
        }
        return values;
    }

    /// The elements of an array given by a caller: an `Object[]`, an array of numbers, or a List; null for
    /// anything else.
    static @Nullable Object @Nullable [] elements(Object value) {
        return switch (value) {
            case Object[] objects -> objects;
            case List<?> list -> list.toArray();
            case byte[] bytes -> null;
            default -> value.getClass().isArray() ? boxed(value) : null;
        };
    }

    private static Object[] boxed(Object array) {
        Object[] boxed = new Object[java.lang.reflect.Array.getLength(array)];
        for (int i = 0; i < boxed.length; i++) {
            boxed[i] = java.lang.reflect.Array.get(array, i);
        }
        return boxed;
    }
}
