package dev.oriel;

import dev.oriel.sql.engine.ArrayLiteral;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An array of SQL: its elements as the objects that JDBC names for their type. It stays valid after its result is
/// closed.
final class JdbcArray implements Array {
    private final JdbcConnection connection;
    private final Type element;
    private final Tuple values;
    private final @Nullable Object[] elements;
    private boolean freed;

    /// @param values the elements as SQL has them
    /// @param elements the same as Java has them, null for NULL
    private JdbcArray(
            JdbcConnection connection, Type element, Tuple values, @Nullable Object[] elements) {
        this.connection = connection;
        this.element = element;
        this.values = values;
        this.elements = elements;
    }

    /// The type `name`, which may be user-defined.
    static Type elementType(Catalog catalog, String name) {
        UserType user = catalog.userType(name);
        return user == null ? ArrayLiteral.type(name) : Type.of(user);
    }

    /// The elements in `values`, all of type `element`.
    static JdbcArray of(JdbcConnection connection, Type element, Tuple values) throws SQLException {
        return new JdbcArray(connection, element, values, objects(element, values));
    }

    static @Nullable Object[] objects(Type element, Tuple values) throws SQLException {
        @Nullable Object[] objects =
                (Object[])
                        java.lang.reflect.Array.newInstance(
                                JavaValues.classOf(element), values.columns());
        for (int i = 0; i < objects.length; i++) {
            if (!values.isNull(i)) {
                objects[i] =
                        element.name() == Type.Name.DECIMAL
                                ? Values.decimalOf(values, i, element)
                                : JavaValues.objectOf((Row) values, i, element);
            }
        }
        return objects;
    }

    /// The elements as objects that lose nothing: a TIME keeps its microseconds.
    static @Nullable Object[] exact(Type element, Tuple values) throws SQLException {
        @Nullable Object[] objects = new @Nullable Object[values.columns()];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = values.isNull(i) ? null : JavaValues.exact(values, i, element);
        }
        return objects;
    }

    @Nullable Object[] exact() throws SQLException {
        checked();
        return exact(element, values);
    }

    Type element() {
        return element;
    }

    private @Nullable Object[] checked() throws SQLException {
        if (freed) {
            throw SqlStates.exception(SqlStates.INVALID_ARGUMENT, "The array has been freed");
        }
        return elements;
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        checked();
        return JdbcTypes.name(element);
    }

    @Override
    public int getBaseType() throws SQLException {
        checked();
        return JdbcTypes.code(element);
    }

    @Override
    public Object getArray() throws SQLException {
        return checked().clone();
    }

    @Override
    public Object getArray(long index, int count) throws SQLException {
        @Nullable Object[] all = checked();
        if (index < 1 || count < 0 || index > all.length + 1L || index + count - 1 > all.length) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "The array has the elements 1 to "
                            + all.length
                            + ", not "
                            + index
                            + " to "
                            + (index + count - 1));
        }
        return Arrays.copyOfRange(all, (int) index - 1, (int) index - 1 + count);
    }

    @Override
    public Object getArray(@Nullable Map<String, Class<?>> map) throws SQLException {
        checkMap(map);
        return getArray();
    }

    @Override
    public Object getArray(long index, int count, @Nullable Map<String, Class<?>> map)
            throws SQLException {
        checkMap(map);
        return getArray(index, count);
    }

    private static void checkMap(@Nullable Map<String, Class<?>> map) throws SQLException {
        if (map != null && !map.isEmpty()) {
            throw SqlStates.unsupported("A map of types is not supported");
        }
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return getResultSet(1, checked().length);
    }

    @Override
    public ResultSet getResultSet(long index, int count) throws SQLException {
        int size = ((Object[]) getArray(index, count)).length;
        Tuple part = new Tuple(size);
        for (int i = 0; i < size; i++) {
            part.copy(i, values, (int) index - 1 + i, element.shape());
        }
        return Listing.ofArray(element, index, part).open(connection);
    }

    @Override
    public ResultSet getResultSet(@Nullable Map<String, Class<?>> map) throws SQLException {
        checkMap(map);
        return getResultSet();
    }

    @Override
    public ResultSet getResultSet(long index, int count, @Nullable Map<String, Class<?>> map)
            throws SQLException {
        checkMap(map);
        return getResultSet(index, count);
    }

    @Override
    public void free() {
        freed = true;
    }

    /// In PostgreSQL's form: `{1,NULL,3}`.
    @Override
    public String toString() {
        byte[] bytes = ArrayValue.of(element, values, values.columns());
        return ArrayLiteral.text(bytes, Type.array(element), connection.session());
    }
}
