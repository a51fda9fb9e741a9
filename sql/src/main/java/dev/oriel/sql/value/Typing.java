package dev.oriel.sql.value;

import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Type conversions. They follow PostgreSQL: numbers widen (TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL,
/// DOUBLE), and DATE widens to TIMESTAMP and that to TIMESTAMP WITH TIME ZONE. Nothing else converts implicitly.
/// Only quoted literals, NULL and parameters take the type that their context requires.
public final class Typing {
    /// Length of an INTERVAL type of years and months only; [#DAY_TIME] is that of the shorter fields.
    public static final int YEAR_MONTH = 1;

    public static final int DAY_TIME = 2;

    public static final Type BOOLEAN = Type.of(Type.Name.BOOLEAN);
    public static final Type INTEGER = Type.of(Type.Name.INTEGER);
    public static final Type BIGINT = Type.of(Type.Name.BIGINT);
    public static final Type DECIMAL = Type.of(Type.Name.DECIMAL);
    public static final Type DOUBLE = Type.of(Type.Name.DOUBLE);
    public static final Type TEXT = Type.varchar(0);
    public static final Type BYTES = Type.of(Type.Name.VARBINARY);
    public static final Type BITS = Type.of(Type.Name.VARBIT);
    public static final Type JSON = Type.of(Type.Name.JSON);
    public static final Type INTERVAL = Type.of(Type.Name.INTERVAL);

    /// Text that compares without regard to case.
    public static final Type FOLDED = Type.of(Type.Name.VARCHAR_IGNORECASE);

    private Typing() {}

    /// Whether values of `type` compare without regard to case.
    public static boolean isFolded(Type type) {
        return type.shape() == Type.Shape.FOLDED;
    }

    /// The shapes of `types`.
    public static Type.Shape[] shapes(List<Type> types) {
        Type.Shape[] shapes = new Type.Shape[types.size()];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = types.get(i).shape();
        }
        return shapes;
    }

    /// Families of types.
    public enum Family {
        BOOLEAN,
        NUMBER,
        TEXT,
        BYTES,
        DATE,
        TIME,
        TIME_TZ,
        UUID,
        JSON,
        ARRAY,
        INTERVAL,
        ENUM,
        BITS,
        COMPOSITE
    }

    public static Family family(Type type) {
        return switch (type.name()) {
            case BOOLEAN -> Family.BOOLEAN;
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE -> Family.NUMBER;
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> Family.TEXT;
            case BINARY, VARBINARY, BLOB -> Family.BYTES;
            case DATE, TIMESTAMP, TIMESTAMP_TZ -> Family.DATE;
            case TIME -> Family.TIME;
            case TIME_TZ -> Family.TIME_TZ;
            case UUID -> Family.UUID;
            case JSON -> Family.JSON;
            case ARRAY -> Family.ARRAY;
            case INTERVAL -> Family.INTERVAL;
            case ENUM -> Family.ENUM;
            case BIT, VARBIT -> Family.BITS;
            case COMPOSITE -> Family.COMPOSITE;
        };
    }

    public static boolean isNumber(Type type) {
        return family(type) == Family.NUMBER;
    }

    public static boolean isText(Type type) {
        return family(type) == Family.TEXT;
    }

    public static boolean isBits(Type type) {
        return family(type) == Family.BITS;
    }

    public static boolean isInteger(Type type) {
        return isNumber(type) && type.shape() == Type.Shape.LONG;
    }

    /// Whether values of `type` are dates, times or intervals.
    public static boolean isTemporal(Type type) {
        Family family = family(type);
        return switch (family) {
            case DATE, TIME, TIME_TZ, INTERVAL -> true;
            default -> false;
        };
    }

    /// `type` without length and scale, as for results of expressions.
    public static Type plain(Type type) {
        if (type.element() != null) {
            return Type.array(plain(type.element()));
        }
        if (type.domain() != null) {
            return plain(type.withoutDomain());
        }
        return type.length() == 0 && type.scale() == 0 ? type : Type.of(type.name());
    }

    /// The type of a column that stores values of `type`: without a domain that no user has defined.
    public static Type stored(Type type) {
        DomainType domain = type.domain();
        return domain != null && domain.id() == 0 ? type.withoutDomain() : type;
    }

    /// The common type of alternatives: the branches of a CASE, the elements of an array, or a column of a UNION.
    /// Null if there is none. REAL stays REAL beside integers and decimals, as in PostgreSQL.
    public static @Nullable Type either(Type a, Type b) {
        if (a.element() != null && b.element() != null && !a.equals(b)) {
            Type element = either(a.element(), b.element());
            return element == null ? null : Type.array(plain(element));
        }
        if (areComposites(a, b)) {
            return Composites.together(a, b, Typing::either);
        }
        Type common = common(a, b);
        boolean real = a.name() == Type.Name.REAL || b.name() == Type.Name.REAL;
        boolean wider = a.name() == Type.Name.DOUBLE || b.name() == Type.Name.DOUBLE;
        return common != null && real && !wider ? Type.of(Type.Name.REAL) : common;
    }

    /// The type in which values of both types are compared; null if there is none.
    public static @Nullable Type common(Type a, Type b) {
        if (a.domain() != null || b.domain() != null) {
            return common(a.withoutDomain(), b.withoutDomain());
        }
        if (a.equals(b)) {
            return OpenType.is(a) ? b : a;
        }
        if (OpenType.adapts(a, b) || OpenType.adapts(b, a)) {
            return plain(OpenType.is(a) ? b : a);
        }
        if (areOtherLabels(a, b)) {
            return null;
        }
        if (a.element() != null && b.element() != null) {
            Type element = common(a.element(), b.element());
            return element == null ? null : Type.array(plain(element));
        }
        if (areComposites(a, b)) {
            return Composites.together(a, b, Typing::common);
        }
        if (a.name() == b.name()) {
            return plain(a);
        }
        Family family = family(a);
        if (family != family(b)) {
            return areTimes(a, b) ? Type.of(Type.Name.TIME_TZ) : null;
        }
        return switch (family) {
            case NUMBER -> widerNumber(a, b);
            case TEXT -> isFolded(a) || isFolded(b) ? FOLDED : TEXT;
            case BYTES -> BYTES;
            case BITS -> BITS;
            case DATE -> plain(a.name().compareTo(b.name()) > 0 ? a : b);
            case BOOLEAN, TIME, TIME_TZ, UUID, JSON, ARRAY, INTERVAL, ENUM, COMPOSITE -> plain(a);
        };
    }

    /// Whether one is a time with zone, and the other one without.
    private static boolean areTimes(Type a, Type b) {
        Family first = family(a);
        Family second = family(b);
        return (first == Family.TIME && second == Family.TIME_TZ)
                || (first == Family.TIME_TZ && second == Family.TIME);
    }

    private static boolean areComposites(Type a, Type b) {
        return a.name() == Type.Name.COMPOSITE && b.name() == Type.Name.COMPOSITE;
    }

    private static boolean areOtherLabels(Type a, Type b) {
        return a.name() == Type.Name.ENUM
                && b.name() == Type.Name.ENUM
                && !a.labels().equals(b.labels());
    }

    private static Type widerNumber(Type a, Type b) {
        // Numeric types are declared in order of width, and REAL cannot hold every integer exactly.
        boolean first = a.name().compareTo(b.name()) > 0;
        Type wider = first ? a : b;
        Type other = first ? b : a;
        return wider.name() == Type.Name.REAL && other.name() != Type.Name.REAL
                ? DOUBLE
                : plain(wider);
    }

    /// Whether a stored value of `type` is valid as one of `now`. A DATE and a TIMESTAMP, for example, both hold a
    /// long, but in different units.
    public static boolean isHeldAs(Type type, Type now) {
        if (type.element() != null && now.element() != null) {
            return type.element().name() == now.element().name();
        }
        if (areComposites(type, now)) {
            return Composites.all(type, now, Typing::isHeldAs);
        }
        if (type.name() == now.name()) {
            return !areOtherLabels(type, now);
        }
        Family family = family(now);
        if (family != family(type)) {
            return false;
        }
        return switch (family) {
            // An integer is checked against its range when it is made.
            case NUMBER ->
                    type.shape() == now.shape()
                            && type.name().compareTo(now.name()) < 0; // in order of width
            case TEXT, BYTES, BITS -> true;
            case BOOLEAN, DATE, TIME, TIME_TZ, UUID, JSON -> false;
            case ARRAY, INTERVAL, ENUM, COMPOSITE -> false;
        };
    }

    /// Whether INSERT and UPDATE convert a value of type `from` for a column of type `to`.
    public static boolean assignable(Type from, Type to) {
        Family source = family(from);
        Family target = family(to);
        if (OpenType.adapts(from, to)) {
            return true;
        }
        if (from.element() != null && to.element() != null) {
            return assignable(from.element(), to.element());
        }
        if (areComposites(from, to)) {
            return Composites.all(from, to, Typing::assignable);
        }
        if (areOtherLabels(from, to)) {
            return false;
        }
        return source == target
                || target == Family.TEXT
                || areTimes(from, to)
                || (from.name() == Type.Name.TIMESTAMP_TZ && to.name() == Type.Name.TIME_TZ)
                || (from.name() == Type.Name.TIMESTAMP && to.name() == Type.Name.TIME);
    }

    /// Whether CAST converts `from` to `to`.
    public static boolean castable(Type from, Type to) {
        if (assignable(from, to) || isText(from)) {
            return true;
        }
        if (from.element() != null && to.element() != null) {
            return castable(from.element(), to.element());
        }
        if (areComposites(from, to)) {
            return Composites.all(from, to, Typing::castable);
        }
        Family source = family(from);
        Family target = family(to);
        return switch (source) {
            case BOOLEAN -> isInteger(to);
            case NUMBER -> (target == Family.BOOLEAN || target == Family.BITS) && isInteger(from);
            case DATE ->
                    (target == Family.TIME || target == Family.TIME_TZ)
                            && from.name() != Type.Name.DATE;
            case BYTES -> target == Family.UUID || target == Family.BITS;
            case BITS -> isInteger(to);
            case UUID -> target == Family.BYTES;
            case JSON -> target == Family.NUMBER || target == Family.BOOLEAN;
            case TEXT, ARRAY, ENUM, COMPOSITE, TIME_TZ -> false;
            case TIME -> target == Family.INTERVAL;
            case INTERVAL -> target == Family.TIME;
        };
    }

    /// The type of `a operator b` for two numbers.
    public static Type arithmetic(Type a, Type b) {
        return a.name() == b.name() ? plain(a) : widerNumber(a, b);
    }

    /// The type of the elements of `array`.
    public static Type element(Type array) {
        Type element = array.element();
        if (element == null) {
            throw new IllegalStateException(array + " is no array");
        }
        return element;
    }
}
