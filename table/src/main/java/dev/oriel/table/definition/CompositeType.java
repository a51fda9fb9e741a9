package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A type whose values are rows of attributes.
///
/// Types without a number are those of expressions, such as `ROW(1, 'x')` or the rows of a table. They are equal if
/// their attributes have equal types; no column is of one.
///
/// @param id stable number, of the numbers of tables; 0 for the type of an expression
public record CompositeType(long id, String name, List<Attribute> attributes) implements UserType {
    /// Name of the type of `ROW(...)`.
    public static final String RECORD = "record";

    /// A part of each value.
    public record Attribute(String name, Type type) {}

    public CompositeType {
        attributes = List.copyOf(attributes);
    }

    /// The type of an expression, with attributes `f1`, `f2` and so on.
    public static CompositeType ofTypes(List<Type> types) {
        List<Attribute> attributes = new ArrayList<>();
        for (Type type : types) {
            attributes.add(new Attribute("f" + (attributes.size() + 1), type));
        }
        return new CompositeType(0, RECORD, attributes);
    }

    /// The type of the rows of `columns`, which are called `name`.
    public static CompositeType ofColumns(String name, List<Column> columns) {
        List<Attribute> attributes = new ArrayList<>();
        for (Column column : columns) {
            if (!column.name().isEmpty()) {
                attributes.add(new Attribute(column.name(), column.type().withoutDomain()));
            }
        }
        return new CompositeType(0, name, attributes);
    }

    @Override
    public CompositeType withId(long other) {
        return new CompositeType(other, name, attributes);
    }

    @Override
    public CompositeType withName(String other) {
        return new CompositeType(id, other, attributes);
    }

    public CompositeType withAttributes(List<Attribute> others) {
        return new CompositeType(id, name, others);
    }

    /// Number of attributes.
    public int size() {
        return attributes.size();
    }

    /// Type of attribute `i`.
    public Type type(int i) {
        return attributes.get(i).type();
    }

    /// Position of the attribute `attribute` without regard to case, or -1.
    public int indexOf(String attribute) {
        for (int i = 0; i < attributes.size(); i++) {
            if (attributes.get(i).name().equalsIgnoreCase(attribute)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof CompositeType type) || type.id != id) {
            return false;
        }
        return id == 0 ? types().equals(type.types()) : name.equals(type.name);
    }

    private List<Type> types() {
        return attributes.stream().map(Attribute::type).toList();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }
}
