package dev.oriel.sql.value;

import static dev.oriel.table.definition.Type.Name.BIGINT;
import static dev.oriel.table.definition.Type.Name.INTEGER;
import static dev.oriel.table.definition.Type.Name.SMALLINT;
import static dev.oriel.table.definition.Type.Name.TINYINT;

import dev.oriel.table.definition.Type;
import java.util.EnumMap;
import java.util.List;

/// Types expected by a context that leaves the type open: a parameter in it takes the type of its value.
///
/// An open type equals its default, the type without a value of another. It is told apart by identity alone, which
/// [Typing#plain] keeps. So the type of an expression over such parameters, `GREATEST(?, ?)`, is open too.
@SuppressWarnings("ReferenceEquality")
public final class OpenType {
    private static final EnumMap<Type.Name, Type> BY_NAME = new EnumMap<>(Type.Name.class);

    /// The integers, for parameters that leave them to a value beyond them.
    private static final EnumMap<Type.Name, Type> COMPARED = new EnumMap<>(Type.Name.class);

    static {
        for (Type.Name name : List.of(TINYINT, SMALLINT, INTEGER, BIGINT)) {
            COMPARED.put(name, Type.of(name));
        }
        for (Type.Name name : Type.Name.values()) {
            if (name != Type.Name.ARRAY && name != Type.Name.ENUM && name != Type.Name.COMPOSITE) {
                BY_NAME.put(name, Type.of(name));
            }
        }
    }

    /// The usual one.
    public static final Type TEXT = of(Typing.TEXT);

    /// A number.
    public static final Type NUMBER = of(Typing.BIGINT);

    /// An array.
    public static final Type ARRAY = Type.array(TEXT);

    /// Open to bytes only: any other value becomes text.
    public static final Type STRING = Type.varchar(0);

    private OpenType() {}

    /// The open type with the default `type`; an enumeration itself.
    public static Type of(Type type) {
        if (type.element() != null) {
            return Type.array(of(type.element()));
        }
        Type open = BY_NAME.get(type.name());
        return open == null ? type : open;
    }

    /// The type expected of a parameter beside a value of `type`, with which it is compared or computed. Beside an
    /// integer it takes the type of a number that is none, or out of range: `i > ?` is true of 1 and 0.5.
    public static Type beside(Type type) {
        Type plain = Typing.plain(type);
        Type compared = is(plain) ? null : COMPARED.get(plain.name());
        return compared == null ? plain : compared;
    }

    public static boolean is(Type type) {
        Type one = type.element() == null ? type : type.element();
        return one == BY_NAME.get(one.name()) || one == STRING;
    }

    /// Whether a parameter of type `type` takes the type of a value of type `of`; if it has an integer [#beside] it,
    /// of a value that is no such integer.
    public static boolean takes(Type type, Type of) {
        if (type == COMPARED.get(type.name())) {
            return Typing.isNumber(of);
        }
        return type == STRING ? Typing.family(of) == Typing.Family.BYTES : is(type);
    }

    /// `type`; its default if it is open.
    public static Type closed(Type type) {
        if (!is(type)) {
            return type;
        }
        Type element = type.element();
        return element == null ? Type.of(type.name()) : Type.array(closed(element));
    }

    /// Whether an expression of type `type` is converted for a context of type `wanted`, as quoted text is.
    public static boolean adapts(Type type, Type wanted) {
        return is(type)
                && Typing.family(type) == Typing.Family.TEXT
                && Typing.family(wanted) != Typing.Family.TEXT;
    }
}
