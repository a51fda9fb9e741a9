package dev.oriel;

import dev.oriel.sql.engine.ArrayLiteral;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.value.Tuple;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A composite value: its attributes as the objects that JDBC names for their types, arrays as `Object[]`. It stays
/// valid after its result is closed.
final class JdbcStruct implements Struct {
    private final Type type;
    private final byte[] value;

    private JdbcStruct(Type type, byte[] value) {
        this.type = type;
        this.value = value;
    }

    /// The value of `type` in `value`.
    static JdbcStruct of(Type type, byte[] value) {
        return new JdbcStruct(type, value);
    }

    /// The bytes of a value of `type` with `attributes`, each converted as a parameter of its type is.
    ///
    /// @param connection in whose time zone texts are read; null for UTC
    static byte[] bytes(
            @Nullable JdbcConnection connection, Type type, @Nullable Object[] attributes)
            throws SQLException {
        CompositeType composite = type.composite();
        if (attributes.length != composite.size()) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "Type "
                            + type
                            + " has "
                            + composite.size()
                            + " attributes, and "
                            + attributes.length
                            + " are given; give one for each, null for NULL");
        }
        Tuple values = new Tuple(attributes.length);
        Type[] types = new Type[attributes.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = composite.type(i);
        }
        Parameters parameters = new Parameters(connection, types, values, 1);
        for (int i = 0; i < attributes.length; i++) {
            parameters.setObject(i + 1, attributes[i]);
        }
        return CompositeValue.of(composite, values);
    }

    Type type() {
        return type;
    }

    @Override
    public String getSQLTypeName() {
        return type.toString();
    }

    @Override
    @SuppressWarnings("NullAway") // an attribute may be NULL
    public Object[] getAttributes() throws SQLException {
        return attributes(false);
    }

    /// The attributes as objects that lose nothing: a TIME keeps its microseconds.
    @Nullable Object[] exact() throws SQLException {
        return attributes(true);
    }

    private @Nullable Object[] attributes(boolean exact) throws SQLException {
        CompositeType composite = type.composite();
        Tuple values = CompositeValue.attributes(composite, value);
        @Nullable Object[] attributes = new @Nullable Object[composite.size()];
        for (int i = 0; i < attributes.length; i++) {
            Type own = composite.type(i);
            if (!values.isNull(i)) {
                attributes[i] = exact ? JavaValues.exact(values, i, own) : object(values, i, own);
            }
        }
        return attributes;
    }

    /// Attribute `i` of `values`, an array as the array of its elements.
    private static @Nullable Object object(Tuple values, int i, Type type) throws SQLException {
        Type element = type.element();
        return element == null
                ? JavaValues.objectOf(values, i, type)
                : JdbcArray.objects(element, Values.elementsOf(values, i, type));
    }

    /// @param map of names of types to classes; must be empty
    @Override
    public Object[] getAttributes(Map<String, Class<?>> map) throws SQLException {
        if (map != null && !map.isEmpty()) {
            throw SqlStates.unsupported("Types cannot be mapped to classes; pass an empty map");
        }
        return getAttributes();
    }

    /// In PostgreSQL's form: `(1,,x)`; moments in UTC.
    @Override
    public String toString() {
        return ArrayLiteral.text(value, type, null);
    }
}
